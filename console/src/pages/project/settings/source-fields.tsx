import { Checkbox } from "../../../ui/checkbox.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { fields, type SettingsDraft } from "./values.ts";

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
      <TextField
        label={fields.deploy_tags.label}
        name="deploy_tags"
        description="Pushed tags that are deployed, such as v*: * stands for any characters, ? for one. Empty: none."
        value={values.deploy_tags}
        onChange={(deploy_tags) => set({ deploy_tags })}
        mono
      />
    </Section>
  );
}
