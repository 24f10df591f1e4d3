import type { Deployment } from "../../../../contract/types.ts";
import { formatCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";

type Shown = Pick<Deployment, "id" | "error" | "warnings" | "waiting_for" | "proposed_settings" | "status">;

const cancelled = 5;

/** What it waits for, why it failed, and what one should know of a release that is live. */
export function Messages({
  deployment: { error, warnings, waiting_for: waiting, proposed_settings: proposed, status },
}: {
  deployment: Shown;
}) {
  return (
    <>
      {waiting && (
        <Notice title={waiting.position > 1 ? `Waiting, number ${waiting.position} in the queue` : "Waiting"}>
          <p dir="auto">{waiting.message}</p>
        </Notice>
      )}
      {error && (
        <Notice tone={status === cancelled ? "idle" : "bad"} title={status === cancelled ? "Cancelled" : "Failed"}>
          <p dir="auto" className="whitespace-pre-line">
            {error}
          </p>
          {proposed && <ProposedSettings {...proposed} />}
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice tone="warn" title={warnings.length === 1 ? "A warning" : formatCount(warnings.length, "warning")}>
          <ul className={warnings.length > 1 ? "list-disc pl-4" : undefined}>
            {warnings.map((warning) => (
              <li key={warning} dir="auto">
                {warning}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** Paths that the project's settings lack. */
function ProposedSettings({
  shared_directories: directories = [],
  shared_files: files = [],
}: NonNullable<Shown["proposed_settings"]>) {
  return (
    <div className="mt-2">
      <p>Add to the project's settings, so that the next deployment takes them along:</p>
      <ul className="font-mono">
        {[...directories.map((path) => `${path}/`), ...files].map((path) => (
          <li key={path} dir="auto">
            {path}
          </li>
        ))}
      </ul>
    </div>
  );
}
