import type { SetupStep } from "../../../../../contract/types.ts";
import { attentionText } from "../../../parts/server-state/setup-words.ts";
import { Notice } from "../../../ui/notice.tsx";

/** The steps that failed or never reported, each with why. */
export function Attention({ steps }: { steps: readonly SetupStep[] }) {
  if (steps.length === 0) return null;
  return (
    <Notice tone="warn" title={attentionText(steps.length)}>
      <ul className="flex flex-col gap-1.5 pt-1">
        {steps.map(({ key, label, status_label: word, detail }) => (
          <li key={key}>
            <span className="font-medium">{label}</span> <span className="text-text-2">{word}</span>
            {detail && (
              <p dir="auto" className="whitespace-pre-line text-text-2">
                {detail}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
