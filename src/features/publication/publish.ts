import { transaction } from "../../db/transaction.ts";
import type { RunReport } from "../../engine/runs/await-run.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { lockPrepared } from "../projects/actions.ts";
import { beginPublication, followPublication } from "../projects/publication.ts";
import { serverAnswer, switchSsl } from "./web-server.ts";

/** Republishes the project's site without a deployment, and returns nginx's output. */
export async function publish(ctx: RequestContext, id: number, forceSsl: number | undefined) {
  const begun = await transaction(ctx.pool, async (tx) => {
    const found = await lockPrepared(tx, ctx, id);
    const project = forceSsl === undefined ? found : await switchSsl(tx, found, forceSsl === 1);
    const isWaiting = project.ssl_is_enabled && !project.certificate;
    return { ...(await beginPublication(tx, ctx, project)), isWaiting };
  });
  return publicationAnswer(await followPublication(ctx, begun), begun);
}

function publicationAnswer(report: RunReport, { isWaiting }: { isWaiting: boolean }) {
  if (report.outcome === undefined) {
    const message = "The server has not answered yet. The publication continues in the background.";
    return withStatus(202, success({ message, nginx_response: null }));
  }
  const ok = report.outcome === "succeeded";
  return {
    status: ok ? ("success" as const) : ("failed" as const),
    message: ok ? servedMessage(isWaiting) : (report.error ?? "The site could not be published."),
    nginx_response: serverAnswer(report),
  };
}

const servedMessage = (isWaiting: boolean): string =>
  isWaiting
    ? "The web server serves the project. Its certificate is being ordered; HTTPS follows as soon as it is there."
    : "The web server serves the project.";
