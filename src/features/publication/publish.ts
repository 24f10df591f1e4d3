import { transaction } from "../../db/transaction.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError } from "../../lib/errors.ts";
import { lockPrepared } from "../projects/actions.ts";
import {
  beginPublication,
  beginSiteChange,
  followPublication,
  followSiteChange,
  rejection,
  serverAnswer,
} from "../projects/site-targets.ts";
import { switchSsl } from "./ssl.ts";

/** Republishes the project's site without a deployment, and returns nginx's output. */
export async function publish(ctx: RequestContext, id: number, forceSsl: number | undefined) {
  const begun = await transaction(ctx.pool, async (tx) => {
    const found = await lockPrepared(tx, ctx, id);
    const project = forceSsl === undefined ? found : await switchSsl(tx, found, forceSsl === 1);
    const isWaiting = project.ssl_is_enabled && !project.certificate;
    const { ssl_is_enabled } = found;
    return project.ssl_is_enabled === ssl_is_enabled
      ? { isWaiting, publication: await beginPublication(tx, ctx, project) }
      : { isWaiting, change: await beginSiteChange(tx, ctx, project, { before: { ssl_is_enabled } }) };
  });
  const report = begun.change
    ? await followSiteChange(ctx, begun.change, { shown: (nginx_response) => ({ nginx_response }) })
    : await followPublication(ctx, begun.publication);
  if (report.outcome === undefined) {
    const message = "The server has not answered yet. The publication continues in the background.";
    return withStatus(202, success({ message, nginx_response: null }));
  }
  if (report.outcome !== "succeeded") {
    const sentence = report.error ?? "The site could not be published.";
    throw new AppError("refused", sentence, { details: { nginx_response: rejection(sentence, report) } });
  }
  const message = begun.isWaiting
    ? "The web server serves the project. Its certificate is being ordered; HTTPS follows as soon as it is there."
    : "The web server serves the project.";
  return success({ message, nginx_response: serverAnswer(report) });
}
