import type { SetupPhase, SetupStepDuration } from "../../../../../contract/types.ts";
import { formatDuration } from "../../../ui/format.ts";
import { Section } from "../../../ui/section.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";

const phaseColumns: readonly Column<SetupPhase>[] = [
  { id: "phase", label: "Phase", grow: true, render: ({ label }) => label },
  { id: "steps", label: "Steps", align: "end", render: (phase) => <PhaseSteps {...phase} /> },
  { id: "took", label: "Took", align: "end", render: ({ duration_ms: ms }) => ms > 0 && formatDuration(ms) },
];

export const PhaseTable = ({ phases }: { phases: readonly SetupPhase[] }) => (
  <Section title="Phases">
    <SmallTable label="Phases" columns={phaseColumns} rows={phases} rowKey={({ phase }) => phase} />
  </Section>
);

function PhaseSteps({ completed, total, failed = 0 }: SetupPhase) {
  return (
    <span className="tabular">
      {failed > 0 && <span className="mr-2 text-bad">{failed} failed</span>}
      {completed} of {total}
    </span>
  );
}

const slowestColumns: readonly Column<SetupStepDuration>[] = [
  { id: "step", label: "Step", grow: true, render: ({ label }) => label },
  { id: "took", label: "Took", align: "end", render: ({ duration_ms: ms }) => ms !== null && formatDuration(ms) },
];

export const SlowestTable = ({ steps }: { steps: readonly SetupStepDuration[] }) => (
  <Section title="Slowest steps">
    <SmallTable label="Slowest steps" columns={slowestColumns} rows={steps} rowKey={({ key }) => key} />
  </Section>
);
