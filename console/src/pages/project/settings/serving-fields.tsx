import type { Framework } from "../../../../../contract/types.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { fields, type SettingsDraft } from "./values.ts";

interface Props {
  draft: SettingsDraft;
  family: Framework["runtime_family"] | undefined;
  isApp: boolean;
}

export function ServingFields({ draft, family, isApp }: Props) {
  const { values, set } = draft;
  return (
    <Section title="Serving">
      <TextField
        label="Health path"
        name="health_path"
        description="What a release has to answer before it counts as served."
        value={values.health_path}
        onChange={(health_path) => set({ health_path })}
        isRequired
        mono
      />
      <TextField
        label={fields.health_status.label}
        name="health_status"
        description="That its answer may have, such as 200, 204. Empty: any below 500."
        value={values.health_status}
        onChange={(health_status) => set({ health_status })}
        mono
      />
      {family === "node" && <TimeoutFields draft={draft} />}
      <TextField
        label="Memory limit"
        name="max_memory"
        description="Of its processes on each server, such as 512MB or 2GB. Empty: none."
        value={values.max_memory}
        onChange={(max_memory) => set({ max_memory })}
        mono
      />
      {!isApp && (
        <>
          <Checkbox
            isSelected={values.zero_downtime}
            onChange={(zero_downtime) => set({ zero_downtime })}
            description="Each deployment makes a release of its own, which replaces the live one without a pause."
          >
            Zero-downtime releases
          </Checkbox>
          <Checkbox
            isSelected={values.rollback_on_down}
            onChange={(rollback_on_down) => set({ rollback_on_down })}
            description="Within 5 minutes after a deployment became live."
          >
            Roll back when a monitor goes down
          </Checkbox>
        </>
      )}
    </Section>
  );
}

function TimeoutFields({ draft: { values, set } }: Pick<Props, "draft">) {
  return (
    <>
      <TextField
        label={fields.start_timeout_seconds.label}
        name="start_timeout_seconds"
        description="How long a new process may take until it answers: 5 to 600 seconds."
        inputMode="numeric"
        after="seconds"
        value={values.start_timeout_seconds}
        onChange={(start_timeout_seconds) => set({ start_timeout_seconds })}
        isRequired
      />
      <TextField
        label={fields.drain_timeout_seconds.label}
        name="drain_timeout_seconds"
        description="How long requests and connections may last after a switch, before the old process is ended: 1 to 900 seconds."
        inputMode="numeric"
        after="seconds"
        value={values.drain_timeout_seconds}
        onChange={(drain_timeout_seconds) => set({ drain_timeout_seconds })}
        isRequired
      />
    </>
  );
}
