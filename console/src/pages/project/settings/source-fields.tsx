import { Checkbox } from "../../../ui/checkbox.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import type { SettingsDraft } from "./values.ts";

export function SourceFields({ draft: { values, set } }: { draft: SettingsDraft }) {
  return (
    <Section title="Source">
      <TextField
        label="Repository"
        name="git_repository.repo"
        value={values.repository}
        onChange={(repository) => set({ repository })}
        isRequired
        mono
      />
      <TextField
        label="Branch"
        name="git_repository.branch"
        value={values.branch}
        onChange={(branch) => set({ branch })}
        isRequired
        mono
      />
      <Checkbox
        isSelected={values.auto_deploy}
        onChange={(auto_deploy) => set({ auto_deploy })}
        description="Each push to the branch is deployed."
      >
        Auto-deploy
      </Checkbox>
    </Section>
  );
}
