import type { Detection } from "../../data/new-project.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/code.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import type { Values } from "./draft.ts";

interface Props {
  values: Values;
  /** null: nothing could be read. */
  detection: Detection | null;
  refusal: string | undefined;
  isPending: boolean;
  onChange: () => void;
  onDetect: () => void;
}

/** The chosen source, and what is left to decide about it. */
export function SourceSummary({ values, detection, refusal, isPending, onChange, onDetect }: Props) {
  const actions = (
    <>
      <Button onPress={onDetect} isPending={isPending}>
        Detect again
      </Button>
      <Button onPress={onChange}>Change source</Button>
    </>
  );
  return (
    <div className="max-w-[72ch]">
      <Section title="Source" actions={actions}>
        <p className="text-prose">
          <Code>{values.repository}</Code> <span className="text-text-2">at</span> <Code>{values.branch}</Code>
        </p>
        {refusal && (
          <p role="alert" className="text-bad">
            {refusal}
          </p>
        )}
        {detection ? <Notes detection={detection} /> : <Notice>The repository was not read. Choose what it is.</Notice>}
      </Section>
    </div>
  );
}

function Notes({ detection: { notes, package_manager, scheduler_jobs, background_jobs } }: { detection: Detection }) {
  const jobs = [...scheduler_jobs, ...background_jobs];
  return (
    <>
      {package_manager && (
        <p className="text-text-2">
          {`Packages by ${[package_manager.name, package_manager.version].filter(Boolean).join(" ")}: `}
          {package_manager.reason}
        </p>
      )}
      {notes.map((note) => (
        <Notice key={note} tone="warn">
          {note}
        </Notice>
      ))}
      {jobs.length > 0 && (
        <Notice title="Jobs to add once it is deployed">
          <ul className="flex flex-col gap-1">
            {jobs.map(({ name, command, reason }) => (
              <li key={name}>
                <Code>{command}</Code> <span className="text-text-2">{reason}</span>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
