import type { PoolClient } from "pg";
import type { Db } from "../../db/sql.ts";
import type { GitHostType } from "../../host/git/git.ts";
import type { RequestContext } from "../../http/route.ts";
import { invalid } from "../../lib/errors.ts";
import { pathOf } from "./hosts.ts";
import {
  findSourceProjectForWork,
  listProviders,
  listRepositoriesInReach,
  type SourceProject,
  setConfirmation,
} from "./queries.ts";

// The account of an organization at a git host may read repositories that have nothing to do with the projects that a restricted
// member reaches. It acts for such a member only on repositories of these projects.

type Asking = Pick<RequestContext, "config" | "actor">;
type Located = Pick<SourceProject, "repository" | "repository_type">;

/** The paths of the repositories that the account may use for this actor; undefined: any. */
export async function pathsInReach(
  ctx: Asking,
  db: Db,
  { type, except }: { type: GitHostType; except?: number },
): Promise<Set<string> | undefined> {
  if (!ctx.actor.restriction) return undefined;
  const projects = await listRepositoriesInReach(db, ctx.actor, type);
  return new Set(projects.filter(({ id }) => id !== except).map((project) => pathOf(ctx.config, project) ?? ""));
}

/**
 * Decides about the account after the actor has chosen the repository of a project, which was `before`.
 * @throws 422 if an account is connected that would get to a repository for the actor.
 */
export async function checkChoice(tx: PoolClient, ctx: Asking, projectId: number, before?: Located): Promise<void> {
  const project = await findSourceProjectForWork(tx, projectId);
  const path = project && pathOf(ctx.config, project);
  if (!project?.repository_type || project.repository_type === "git" || path === undefined) return;
  const { repository_type: type } = project;
  const isKept = before?.repository_type === type && pathOf(ctx.config, before) === path;
  if (isKept && ctx.actor.restriction) return;
  const paths = await pathsInReach(ctx, tx, { type, except: projectId });
  const isNeeded = paths !== undefined && !paths.has(path);
  const accounts = isNeeded ? await listProviders(tx, ctx.actor) : [];
  if (accounts.some(({ provider_type }) => provider_type === type))
    throw invalid({ "git_repository.repo": outOfReach });
  await setConfirmation(tx, projectId, isNeeded);
}

export const outOfReach =
  "Your membership is restricted, and no other project in your reach has this repository. A member without restriction can " +
  "choose it; a public one can be given as an address, with the type git.";
