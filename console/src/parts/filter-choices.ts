import { useQuery } from "@tanstack/react-query";
import { projectNames, serverNames } from "../data/names.ts";
import { useOrganization } from "../data/organization.ts";
import type { FilterOption } from "../ui/filter-bar.tsx";

// What there is to choose from in the filters of lists.

/** The first projects by name, and those that are chosen already. */
export function useProjectChoices(chosen: readonly number[]): FilterOption[] {
  const organization = useOrganization();
  const projects = useQuery(projectNames(organization)).data?.data ?? [];
  // Of many projects, those that the address names may not be among the first.
  const missing = chosen.filter((id) => projects.every((project) => project.id !== id));
  const named = useQuery({ ...projectNames(organization, missing), enabled: missing.length > 0 }).data?.data ?? [];
  return [...named, ...projects].map(namedOption);
}

export function useServerChoices(): FilterOption[] {
  return useQuery(serverNames(useOrganization())).data?.data.map(namedOption) ?? [];
}

export const namedOption = ({ id, name }: { id: number; name: string }): FilterOption => ({
  id: String(id),
  label: name,
});
