import { transaction } from "../../db/transaction.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { lockPrepared } from "../projects/actions.ts";
import type { ChangeReport } from "../projects/hooks.ts";
import {
  beginPublication,
  beginSiteChange,
  followPublication,
  followSiteChange,
  rejection,
  serverAnswer,
  touchSite,
} from "./publish.ts";
import { switchSsl } from "./ssl.ts";

/** Republishes the project's site without a deployment, and returns nginx's output. */
export async function publish(ctx: RequestContext, id: number, forceSsl: number | undefined) {
  const begun = await transaction(ctx.pool, async (tx) => {
    const found = await lockPrepared(tx, ctx, id);
    endRehearsal();
    const project = forceSsl === undefined ? found : await switchSsl(tx, found, forceSsl === 1);
    const isWaiting = project.site.ssl_is_enabled && !project.site.certificate;
    const { ssl_is_enabled } = found.site;
    // The web server is to answer.
    await touchSite(tx, ctx, project, { again: true });
    return project.site.ssl_is_enabled === ssl_is_enabled
      ? { isWaiting, publication: await beginPublication(tx, ctx, project) }
      : { isWaiting, change: await beginSiteChange(tx, ctx, project, { before: { ssl_is_enabled } }) };
  });
  const report: ChangeReport = begun.change
    ? await followSiteChange(ctx, begun.change)
    : await followPublication(ctx, begun.publication);
  const failure = report.refused ?? (report.outcome === "failed" ? report.error : undefined);
  if (failure !== undefined) {
    const message = failure ?? "The site could not be published.";
    return { status: "failed" as const, message, nginx_response: rejection(message, report) };
  }
  if (report.outcome === undefined) {
    const message = "The server has not answered yet. The publication continues in the background.";
    return withStatus(202, success({ message, nginx_response: null }));
  }
  const message = begun.isWaiting
    ? "The web server serves the project. Its certificate is being ordered; HTTPS follows as soon as it is there."
    : "The web server serves the project.";
  return success({ message, nginx_response: serverAnswer(report) });
}
