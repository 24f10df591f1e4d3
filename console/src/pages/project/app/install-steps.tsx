import type { AppInstallStep } from "../../../../../contract/types.ts";
import { Duration } from "../../../ui/duration.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import type { Tone } from "../../../ui/tones.ts";

interface Props {
  steps: readonly AppInstallStep[];
  /** When they were read, in milliseconds: a running one has taken longer since. */
  readAt: number;
}

export function InstallSteps({ steps, readAt }: Props) {
  return (
    <ol aria-label="Steps of the installation" className="border-line border-t">
      {steps.map((step) => (
        <StepRow key={step.key} step={step} readAt={readAt} />
      ))}
    </ol>
  );
}

const looks: Record<AppInstallStep["status"], { word: string; tone: Tone }> = {
  pending: { word: "Pending", tone: "idle" },
  running: { word: "Running", tone: "run" },
  completed: { word: "Done", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
  skipped: { word: "Not needed", tone: "idle" },
};

function StepRow({ step, readAt }: { step: AppInstallStep; readAt: number }) {
  const { key, label, status, detail } = step;
  const hasFailed = status === "failed";
  return (
    <li data-step={key} className="flex gap-x-3 border-line border-b py-2">
      <span className="flex h-5 items-center self-start">
        <StateIcon {...looks[status]} state={status} iconOnly />
      </span>
      <div className="min-w-0 grow">
        <p className={reached.includes(status) ? "font-medium" : "text-text-2"}>{label}</p>
        {status === "skipped" && !detail && <p className="text-text-3">Not needed.</p>}
        {detail && (
          <p dir="auto" className={detailClasses(hasFailed)}>
            {detail}
          </p>
        )}
      </div>
      <span className="text-text-3">
        <Took step={step} readAt={readAt} />
      </span>
    </li>
  );
}

const reached: readonly AppInstallStep["status"][] = ["running", "completed", "failed"];

const detailClasses = (hasFailed: boolean): string =>
  `max-w-[72ch] whitespace-pre-line [overflow-wrap:anywhere] ${hasFailed ? "text-bad" : "text-text-2"}`;

function Took({ step: { status, duration_ms: ms }, readAt }: { step: AppInstallStep; readAt: number }) {
  if (status === "running") return <Duration since={readAt - ms} />;
  return ms > 0 ? <Duration ms={ms} /> : null;
}
