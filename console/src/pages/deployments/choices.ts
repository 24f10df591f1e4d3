import { useQuery } from "@tanstack/react-query";
import { people, projectNames, serverNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { deploymentLooks, kindNames } from "../../parts/state-badge.tsx";
import type { Filter, FilterOption } from "../../ui/filter-bar.tsx";
import { type DeploymentView, kinds, type Period, periods, states } from "./filters.ts";

// What there is to choose from in the filters.

export function useFilters({ filter, days }: DeploymentView): Filter[] {
  const { status = [], process_type = [], project_id = [], server_id = [], initiator = [] } = filter;
  const options = useOptions(project_id);
  return [
    {
      id: "status",
      label: "State",
      options: states.map((id) => ({ id, label: deploymentLooks[id].word })),
      selected: status,
    },
    { id: "project_id", label: "Project", options: options.projects, selected: project_id.map(String) },
    { id: "server_id", label: "Server", options: options.servers, selected: server_id.map(String) },
    {
      id: "process_type",
      label: "Kind",
      options: kinds.map((id) => ({ id, label: kindNames[id] })),
      selected: process_type,
    },
    { id: "initiator", label: "Started by", options: options.initiators, selected: initiator },
    {
      id: "days",
      label: "Time",
      options: Object.entries(periods).map(([id, label]) => ({ id, label })),
      selected: days ? [days] : [],
      single: true,
    },
  ];
}

/** The view after a choice. */
export function changedBy({ filter, days }: DeploymentView, id: string, selected: string[]): DeploymentView {
  if (id === "days") {
    const { from: _, ...rest } = filter;
    const [chosen] = selected as Period[];
    return chosen ? { filter: rest, days: chosen } : { filter: rest };
  }
  const values = id === "project_id" || id === "server_id" ? selected.map(Number) : selected;
  return { filter: { ...filter, [id]: values }, ...(days && { days }) };
}

const namedOption = ({ id, name }: { id: number; name: string }): FilterOption => ({ id: String(id), label: name });

function useOptions(chosenProjects: readonly number[]) {
  const organization = useOrganization();
  const projects = useQuery(projectNames(organization)).data?.data ?? [];
  // Of many projects, those that the address names may not be among the first.
  const missing = chosenProjects.filter((id) => projects.every((project) => project.id !== id));
  const named = useQuery({ ...projectNames(organization, missing), enabled: missing.length > 0 }).data?.data ?? [];
  const servers = useQuery(serverNames(organization)).data?.data ?? [];
  const members = useQuery(people(organization)).data?.data ?? [];
  return {
    projects: [...named, ...projects].map(namedOption),
    servers: servers.map(namedOption),
    initiators: [
      { id: "push", label: "A push" },
      { id: "monitor", label: "A monitor" },
      ...members.map(({ user_id, name }) => namedOption({ id: user_id, name })),
    ],
  };
}
