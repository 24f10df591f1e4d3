import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../../data/organization.ts";
import { type Environment, environmentNames, projectGroups } from "../../../data/projects.ts";
import { Section } from "../../../ui/section.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import type { SettingsDraft } from "./values.ts";

const none = "none";
const environments = [
  { id: none, label: "None" },
  ...Object.entries(environmentNames).map(([id, label]) => ({ id, label })),
];

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
      <Select
        label="Environment"
        name="environment"
        options={environments}
        value={values.environment ?? none}
        onChange={(name) => set({ environment: name === none ? null : (name as Environment) })}
      />
      <TextArea label="Notes" name="notes" value={values.notes} onChange={(notes) => set({ notes })} rows={3} />
    </Section>
  );
}
