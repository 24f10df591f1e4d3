import type { RunReport } from "../../engine/runs/await-run.ts";
import { Answer, type RequestContext } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError } from "../../lib/errors.ts";
import type { OpenChange } from "../projects/hooks.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { followSiteChange, serverAnswer } from "./publish.ts";

// The answers to changes of a site that its web server has to accept.

export interface Changed {
  /** The project after the change. */
  project: PlacedProject;
  /** Undefined: no change on the web server, or not before the first deployment. */
  report: RunReport | undefined;
}

/** Waits for the web server. Throws its reason if it rejected the change, which is taken back by then. */
export async function followed(ctx: RequestContext, open: OpenChange | undefined): Promise<RunReport | undefined> {
  const report = open && (await followSiteChange(ctx, open));
  if (report?.refused !== undefined) throw new AppError("refused", report.refused);
  return report;
}

export function answer<Body extends object>(status: number, { project, report }: Changed, what: string, body: Body) {
  const said = report && serverAnswer(report);
  const isOpen = report !== undefined && report.outcome === undefined;
  const message = `${what}${consequence(project, report)}`;
  return new Answer(isOpen ? 202 : status, success({ message, ...body, nginx_response: said ?? null }));
}

function consequence(project: PlacedProject, report: RunReport | undefined): string {
  if (!project.placement.is_prepared) return "; the first deployment brings it to the server.";
  if (report === undefined) return ".";
  if (report.outcome === undefined) return ". The server has not answered yet: the change continues in the background.";
  return ", and the web server follows.";
}
