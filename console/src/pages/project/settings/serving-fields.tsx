import { Checkbox } from "../../../ui/checkbox.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import type { SettingsDraft } from "./values.ts";

interface Props {
  draft: SettingsDraft;
  isApp: boolean;
}

export function ServingFields({ draft: { values, set }, isApp }: Props) {
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
