import type { Db } from "../../db/sql.ts";
import { lastOutputOf } from "../../engine/runs/output.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";

/** Warnings about a live release, one sentence each. */
export function warningsOf(
  { facts }: Pick<Run, "facts">,
  { health_path: path }: Pick<ProjectRow, "health_path">,
): string[] {
  const { client_error: status } = facts;
  if (status === undefined) return [];
  return [`The release is live, but answers ${status} to ${path}: ${meanings[status] ?? meanings.other}`];
}

const mostWarnings = 5;

/**
 * What the steps that write a release warn of, in lines of their own. They run as the project's user, who may falsify them, so
 * that they are text and nothing more.
 */
export async function warningsOfRelease(db: Db, { id, plan }: Pick<Run, "id" | "plan">): Promise<string[]> {
  const position = plan.steps.findLastIndex(({ key }) => key === "choose-public-directory" || key === "export-release");
  const output = position === -1 ? "" : await lastOutputOf(db, id, position);
  return Array.from(output.matchAll(/^Warning: (.{1,500})$/gm), ([, sentence]) => sentence as string).slice(
    -mostWarnings,
  );
}

const accepted = "If that is meant, make it one of the project's health statuses (health_status).";

const meanings: { [status: string]: string; other: string } = {
  401: `visitors have to sign in. ${accepted}`,
  403: `it is not for everybody, or its directory has no index page, or the application refuses the host name. ${accepted}`,
  404: "there is no such page. If the application has none there, make the health path (health_path) one that it has.",
  other: `the application rejects the request; many do so with a host name that they do not know. ${accepted}`,
};
