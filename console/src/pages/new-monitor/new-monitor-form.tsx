import type { MonitorOptions } from "../../../../contract/types.ts";
import { fieldsOf } from "../../api/errors.ts";
import { CheckFields } from "../../parts/monitor/check-fields.tsx";
import { TargetField } from "../../parts/monitor/target-field.tsx";
import { type ChosenProject, ProjectField } from "../../parts/project-field.tsx";
import { Submit } from "../../parts/submit.tsx";
import { Form } from "../../ui/form.tsx";
import { formatNumber } from "../../ui/format.ts";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type NewMonitor, useNewMonitor } from "./use-new-monitor.ts";

interface Props {
  options: MonitorOptions;
  project: ChosenProject | undefined;
}

export function NewMonitorForm({ options, project }: Props) {
  const draft = useNewMonitor(project);
  return (
    <Form onSubmit={draft.create} errors={fieldsOf(draft.error)} className="gap-8" aria-label="New monitor">
      <TypeField options={options} draft={draft} />
      <Section title="What it watches">
        <ProjectField name="project_id" value={draft.project} onChange={draft.setProject} />
        {draft.project && (
          <TargetField
            type={draft.type}
            targets={draft.targets}
            chosen={draft.target?.key}
            onChange={draft.setTarget}
          />
        )}
        <TextField
          label="Name"
          name="name"
          description="What it is called here and in notifications."
          value={draft.name}
          onChange={draft.setName}
          isRequired
          maxLength={100}
          autoComplete="off"
        />
      </Section>
      <Section title="Check" description={checkTexts[draft.type]}>
        <CheckFields type={draft.type} values={draft.check} set={draft.setCheck} />
      </Section>
      <Submit isPending={draft.isPending} error={draft.error}>
        Create monitor
      </Submit>
    </Form>
  );
}

const checkTexts: Record<NewMonitor["type"], string> = {
  http: "The first one follows at once. What is empty gets the value in grey.",
  heartbeat: "The server of the job is configured to report; nothing has to be added to the job.",
};

const typeTexts: Record<NewMonitor["type"], string> = {
  http: "Requests an address at an interval, and reads its certificate.",
  heartbeat: "Expects a job to report that it ran.",
};

function TypeField({
  options: { types, monitor_limit: limits },
  draft,
}: {
  options: MonitorOptions;
  draft: NewMonitor;
}) {
  const limitText = (limit: number | null) => (limit === null ? "" : ` The plan has ${formatNumber(limit)} of them.`);
  return (
    <RadioGroup
      label="Kind"
      name="type"
      value={draft.type}
      onChange={(type) => draft.setType(type as NewMonitor["type"])}
      options={types.map(({ type, label }) => ({
        value: type,
        label,
        description: typeTexts[type] + limitText(limits[type]),
      }))}
    />
  );
}
