import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { projectsNamed } from "../data/names.ts";
import { useOrganization } from "../data/organization.ts";
import { ComboBox } from "../ui/combo-box.tsx";
import { useSearch } from "../ui/use-search.ts";

/** A project, as far as a form has to know it. */
export interface ChosenProject {
  id: number;
  name: string;
  url: string;
}

interface Props {
  name: string;
  description?: string;
  value: ChosenProject | undefined;
  onChange: (project: ChosenProject) => void;
  autoFocus?: boolean;
}

/** One of all projects, found by its name or domain. */
export function ProjectField({ name, description, value, onChange, autoFocus = false }: Props) {
  const search = useSearch(value?.name);
  const read = projectsNamed(useOrganization(), search.q);
  const { data, isFetching } = useQuery({ ...read, placeholderData: keepPreviousData });
  const found = data?.data ?? [];
  return (
    <ComboBox
      label="Project"
      name={name}
      {...(description && { description })}
      options={found.map((each) => ({ id: each.id, label: each.name, description: each.primary_domain }))}
      isLoading={isFetching}
      empty="No project has this name."
      search={search}
      value={value?.id ?? null}
      onChange={(id) => {
        const chosen = found.find((each) => each.id === id);
        if (chosen) onChange(chosen);
      }}
      autoFocus={autoFocus}
      isRequired
    />
  );
}
