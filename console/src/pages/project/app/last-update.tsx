import type { AppFacts } from "../../../data/apps.ts";
import { Notice } from "../../../ui/notice.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";

/** How the newest update is going, or went. */
export function LastUpdate({ facts }: { facts: AppFacts }) {
  const { last_update: update, app_name: name } = facts;
  if (update === null) return null;
  const { state, version, error, ended_at: at } = update;
  if (state === "running") {
    return <StateIcon tone="run" word={`Updating ${name} to ${version}`} state={state} />;
  }
  if (state === "failed") {
    return (
      <div data-state={state}>
        <Notice tone="bad" title={`The update to ${version} failed`}>
          <p dir="auto" className="whitespace-pre-line">
            {error}
          </p>
          <p className="text-text-2">
            The version before serves again
            {at && (
              <>
                , since <Time at={at} />
              </>
            )}
            .
          </p>
        </Notice>
      </div>
    );
  }
  return (
    <p data-state={state} className="text-text-2">
      Updated to {version}
      {at && (
        <>
          {" "}
          <Time at={at} />
        </>
      )}
    </p>
  );
}
