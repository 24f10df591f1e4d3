import type { ReactNode } from "react";
import type { Setup } from "../../../../../contract/types.ts";
import { setupLooks } from "../../../parts/server-state/setup-words.ts";
import { formatDuration } from "../../../ui/format.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";

/** How far it has come, or how it ended, and why it gave up. */
export function SetupSummary({ setup, actions }: { setup: Setup; actions: ReactNode }) {
  const { state, summary, total_duration_ms: tookMs, current_step: step, error } = setup;
  const ended = summary.completed + summary.failed + summary.skipped + summary.unreported;
  return (
    <Section title="Setup" actions={actions}>
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        {setup.recorded ? (
          <StateIcon {...setupLooks[state]} state={state} />
        ) : (
          <span className="text-text-2" data-state={state}>
            It begins when Longshore is connected to the server.
          </span>
        )}
        {summary.total > 0 && (
          <span className="text-text-2 tabular">
            {ended} of {summary.total} steps in {formatDuration(tookMs)}
          </span>
        )}
        {state === "running" && step && <span className="min-w-0 text-text-2">{step}</span>}
      </p>
      {setup.recorded && error && (
        <Notice tone="bad" title="It gave up">
          <p dir="auto" className="whitespace-pre-line">
            {error}
          </p>
        </Notice>
      )}
    </Section>
  );
}
