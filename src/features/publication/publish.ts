import { transaction } from "../../db/transaction.ts";
import { outputWithError, type RunReport } from "../../engine/runs/await-run.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { lockPrepared } from "../projects/actions.ts";
import { beginPublication, followPublication } from "../projects/site-targets.ts";
import { switchSsl } from "./ssl.ts";

/** Republishes the project's site without a deployment, and returns nginx's output. */
export async function publish(ctx: RequestContext, id: number, forceSsl: number | undefined) {
  const begun = await transaction(ctx.pool, async (tx) => {
    const found = await lockPrepared(tx, ctx, id);
    const project = forceSsl === undefined ? found : await switchSsl(tx, found, forceSsl === 1);
    const isWaiting = project.ssl_is_enabled && !project.certificate;
    return { ...(await beginPublication(tx, ctx, project)), isWaiting };
  });
  const report = await followPublication(ctx, begun);
  if (report.outcome === undefined) {
    const message = "The server has not answered yet. The publication continues in the background.";
    return withStatus(202, success({ message, nginx_response: null }));
  }
  const nginx_response = serverAnswer(report);
  if (report.outcome !== "succeeded") {
    return { status: "failed" as const, message: report.error ?? "The site could not be published.", nginx_response };
  }
  const message = begun.isWaiting
    ? "The web server serves the project. Its certificate is being ordered; HTTPS follows as soon as it is there."
    : "The web server serves the project.";
  return { status: "success" as const, message, nginx_response };
}

/** The web server's result of a publication; null while there is none. */
export const serverAnswer = (report: RunReport) =>
  report.outcome === undefined ? null : { ok: report.outcome === "succeeded", system_output: outputWithError(report) };
