import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { projectNamesOn } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { useSearch } from "../../ui/use-search.ts";
import type { Owner } from "./place.ts";

interface Props {
  serverId: number;
  value: Owner | null;
  onChange: (project: Owner | null) => void;
  description?: string;
  isRequired?: boolean;
}

/** One of the projects on the server, or none. */
export function ProjectField({ serverId, value, onChange, description, isRequired = false }: Props) {
  const search = useSearch(value?.name);
  const { data, isFetching } = useQuery({
    ...projectNamesOn(useOrganization(), serverId, search.q),
    placeholderData: keepPreviousData,
  });
  const found = data?.data ?? [];
  return (
    <ComboBox
      label="Project"
      name="project_id"
      {...(description && { description })}
      options={found.map(({ id, name }) => ({ id, label: name }))}
      isLoading={isFetching}
      empty="No project on the server has this name."
      placeholder={isRequired ? "Search" : "None"}
      isRequired={isRequired}
      search={search}
      value={value?.id ?? null}
      onChange={(id) => onChange(found.find((project) => project.id === id) ?? null)}
    />
  );
}
