import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { refuseChanged } from "../../http/expected.ts";
import { pageOf, paginated, totalOf } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { isOn } from "../../http/schemas.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { newSigningSecret } from "../../lib/signing.ts";
import { unreachableTarget } from "../../providers/notify/http.ts";
import { kinds } from "../../providers/notify/kinds.ts";
import { channelCapabilities } from "./capabilities.ts";
import { endQueued } from "./delivery/queries.ts";
import {
  type ChannelSettings,
  countChannels,
  countDeliveries,
  deleteChannelRow,
  findChannel,
  insertChannel,
  type LockedChannel,
  listChannels,
  listDeliveries,
  lockChannel,
  lockChannelCount,
  setSecret,
  updateChannelRow,
} from "./queries.ts";
import type { ChannelRequestBody, ChannelRow, ChannelUpdateBody } from "./schema.ts";

const perPage = 25;
/** Each of them is one more delivery per event. */
const maxChannels = 50;

type ListRequest = { page?: unknown; per_page?: unknown };

export async function showChannels({ pool, actor }: RequestContext, query: ListRequest) {
  const page = pageOf(query, perPage);
  const channels = await listChannels(pool, actor, page);
  return paginated(page, await totalOf(page, channels, () => countChannels(pool, actor)), channels);
}

/** 404 when it is out of reach. */
export async function getChannel(db: Db, { actor }: RequestContext, id: number): Promise<ChannelRow> {
  const channel = await findChannel(db, actor, id);
  if (!channel) throw channelNotFound();
  return channel;
}

/** The attempts to deliver to a channel, the newest first. */
export async function showDeliveries(ctx: RequestContext, id: number, query: ListRequest) {
  const { pool, actor } = ctx;
  await getChannel(pool, ctx, id);
  const page = pageOf(query, perPage);
  const deliveries = await listDeliveries(pool, actor, id, page);
  return paginated(page, await totalOf(page, deliveries, () => countDeliveries(pool, actor, id)), deliveries);
}

/** Returns the secret of a webhook, which is never shown again. */
export async function createChannel(
  ctx: RequestContext,
  body: ChannelRequestBody,
): Promise<ChannelRow & { secret?: string }> {
  const { actor, pool, secrets } = ctx;
  const { type } = body;
  const secret = type === "webhook" ? newSigningSecret() : undefined;
  const read = kinds[type].read(body);
  if ("errors" in read) throw invalid(read.errors);
  const settings: ChannelSettings = {
    name: body.name,
    target: secrets.encrypt(read.target),
    shownTarget: read.shown,
    topics: [...new Set(body.on)],
    projectIds: body.project_ids ?? null,
    isActive: body.is_active === undefined || isOn(body.is_active),
  };
  return transaction(pool, async (tx) => {
    if ((await lockChannelCount(tx, actor.organizationId)) >= maxChannels) {
      throw new AppError("refused", `An organization can have ${maxChannels} notification channels. Delete one first.`);
    }
    const { organizationId } = actor;
    const encrypted = secret === undefined ? null : secrets.encrypt(secret);
    const id = await insertChannel(tx, { organizationId, type, secret: encrypted, ...settings });
    return { ...(await getChannel(tx, ctx, id)), ...(secret !== undefined && { secret }) };
  });
}

/** Changes the given fields; the rest stays. A channel that is switched off drops its queued deliveries. */
export async function updateChannel(ctx: RequestContext, id: number, body: ChannelUpdateBody): Promise<ChannelRow> {
  return transaction(ctx.pool, async (tx) => {
    const channel = await lockChannel(tx, ctx.actor, id);
    if (!channel) throw channelNotFound();
    refuseChanged(ctx, channel);
    if (body.type !== undefined && body.type !== channel.type) {
      throw invalid({ type: "The type of a channel cannot be changed. Create another channel." });
    }
    const settings: ChannelSettings = {
      name: channel.name,
      target: channel.target,
      shownTarget: channel.shown_target,
      topics: channel.topics,
      projectIds: channel.project_ids,
      isActive: channel.is_active,
      ...(body.name !== undefined && { name: body.name }),
      ...(body.on !== undefined && { topics: [...new Set(body.on)] }),
      ...(body.project_ids !== undefined && { projectIds: body.project_ids }),
      ...(body.is_active !== undefined && { isActive: isOn(body.is_active) }),
      ...targetOf(ctx, channel, body),
    };
    await updateChannelRow(tx, id, settings);
    if (channel.is_active && !settings.isActive) {
      await endQueued(tx, id, "The channel was switched off before it was delivered.");
    }
    return getChannel(tx, ctx, id);
  });
}

/** A target in the form in which it is shown, sent back with the rest of the record, is not a change. */
function targetOf({ secrets, config }: RequestContext, channel: LockedChannel, body: ChannelUpdateBody) {
  const target = body.target === channel.shown_target ? undefined : body.target;
  if (target === undefined && body.bot_token === undefined) return {};
  const read = kinds[channel.type].read({ ...body, target }, secrets.decrypt(channel.target));
  if ("errors" in read) throw invalid(read.errors);
  const unreachable = unreachableTarget(target, config.notifyAllow);
  if (unreachable !== undefined) throw invalid({ target: unreachable });
  return { target: secrets.encrypt(read.target), shownTarget: read.shown };
}

export async function deleteChannel({ pool, actor }: RequestContext, id: number): Promise<void> {
  if (!(await deleteChannelRow(pool, actor, id))) throw channelNotFound();
}

/** A new secret for a webhook; the next attempt is signed with it. */
export async function renewSecret(ctx: RequestContext, id: number): Promise<{ id: number; secret: string }> {
  const channel = await getChannel(ctx.pool, ctx, id);
  await channelCapabilities.refuse("renew_secret", channel);
  const secret = newSigningSecret();
  if (!(await setSecret(ctx.pool, ctx.actor, id, ctx.secrets.encrypt(secret)))) throw channelNotFound();
  return { id, secret };
}

const channelNotFound = () => notFound("The notification channel");
