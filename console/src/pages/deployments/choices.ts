import { useQuery } from "@tanstack/react-query";
import { people } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { namedOption, useProjectChoices, useServerChoices } from "../../parts/filter-choices.ts";
import { deploymentLooks, kindNames } from "../../parts/state-badge.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
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

function useOptions(chosenProjects: readonly number[]) {
  const members = useQuery(people(useOrganization())).data?.data ?? [];
  return {
    projects: useProjectChoices(chosenProjects),
    servers: useServerChoices(),
    initiators: [
      { id: "push", label: "A push" },
      { id: "monitor", label: "A monitor" },
      ...members.map(({ user_id, name }) => namedOption({ id: user_id, name })),
    ],
  };
}
