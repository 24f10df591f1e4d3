import type { Partly, RequestContext } from "../../http/route.ts";
import type { FieldErrors } from "../../lib/errors.ts";
import { unreachableTarget } from "../../providers/notify/http.ts";
import { kinds } from "../../providers/notify/kinds.ts";
import { listUnreachableProjects } from "./queries.ts";
import type { ChannelRequestBody, ChannelUpdateBody } from "./schema.ts";

/** The errors of a new channel beyond its schema. */
export async function newChannelErrors(ctx: RequestContext, body: Partly<ChannelRequestBody>): Promise<FieldErrors> {
  return {
    ...targetErrors(ctx, body),
    ...nameErrors(body.name),
    ...(await projectErrors(ctx, body.project_ids ?? null)),
  };
}

function targetErrors({ config }: RequestContext, { type, ...given }: Partly<ChannelRequestBody>): FieldErrors {
  if (type === undefined || given.target === undefined) return {};
  const read = kinds[type].read(given);
  if ("errors" in read) return read.errors;
  const target = unreachableTarget(given.target, config.notifyAllow);
  return target === undefined ? {} : { target };
}

/** The same for a change. Errors of its target depend on the present one, so the action reports them. */
export async function channelChangeErrors(ctx: RequestContext, body: Partly<ChannelUpdateBody>): Promise<FieldErrors> {
  const { project_ids: ids } = body;
  return { ...nameErrors(body.name), ...(ids === undefined ? {} : await projectErrors(ctx, ids)) };
}

/** The name appears in subjects and in others' logs. */
const nameErrors = (name: string | undefined): FieldErrors =>
  name !== undefined && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? { name: "The name must be one line of text." } : {};

/** A restricted member can only create channels for projects in reach. */
async function projectErrors({ pool, actor }: RequestContext, ids: readonly number[] | null): Promise<FieldErrors> {
  if (ids === null) {
    const needed = "The list of projects is required: your membership does not reach the whole organization.";
    return actor.restriction ? { project_ids: needed } : {};
  }
  const [unknown] = await listUnreachableProjects(pool, actor, ids);
  return unknown === undefined ? {} : { project_ids: `The project ${unknown} does not exist.` };
}
