import { useQuery } from "@tanstack/react-query";
import { useOutletContext, useParams } from "react-router";
import type { ProjectActions, ProjectReply } from "../../../../contract/types.ts";
import { refusalOf } from "../../api/actions.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectActions } from "../../data/projects.ts";

/** The project's id in the address. */
export const useProjectId = (): number => Number(useParams().project);

/** The project whose tab this is; the page around the tabs has read it. */
export const useProject = (): ProjectReply => useOutletContext<ProjectReply>();

/** Why a verb of the project is refused now, in the API's sentence; undefined: it is not. */
export function useProjectRefusals(project: ProjectReply): (verb: keyof ProjectActions) => string | undefined {
  const actions = useQuery(projectActions(useOrganization(), project.id)).data?.data;
  return (verb) => {
    const action = actions?.[verb];
    if (!action) return refusalOf("project", verb, project);
    return action.is_allowed ? undefined : (action.message ?? undefined);
  };
}
