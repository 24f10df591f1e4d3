import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../../data/organization.ts";
import { projectGroups } from "../../../data/projects.ts";
import { EnvironmentField } from "../../../parts/environment-field.tsx";
import { Section } from "../../../ui/section.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import type { SettingsDraft } from "./values.ts";

const none = "none";
export function GeneralFields({ draft: { values, set } }: { draft: SettingsDraft }) {
  const groups = useQuery(projectGroups(useOrganization())).data?.data ?? [];
  const options = groups.map(({ id, name }) => ({ id: String(id), label: name }));
  return (
    <Section title="General">
      <TextField label="Name" name="name" value={values.name} onChange={(name) => set({ name })} isRequired />
      <Select
        label="Group"
        name="project_group_id"
        description="The application whose environments are projects."
        options={[{ id: none, label: "None" }, ...options]}
        value={String(values.project_group_id ?? none)}
        onChange={(id) => set({ project_group_id: id === none ? null : Number(id) })}
      />
      <EnvironmentField value={values.environment} onChange={(environment) => set({ environment })} />
      <TextArea label="Notes" name="notes" value={values.notes} onChange={(notes) => set({ notes })} rows={3} />
    </Section>
  );
}
