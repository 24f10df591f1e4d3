import type { PoolClient } from "pg";
import type { RequestContext } from "../../http/route.ts";
import { invalid } from "../../lib/errors.ts";
import { newSigningSecret } from "../../lib/signing.ts";
import { kinds } from "../../providers/notify/kinds.ts";
import { deleteMonitorChannels, insertMonitorChannel, setMonitorChannelTopics } from "../notifications/queries.ts";
import type { Topic } from "../notifications/schema.ts";
import { listMonitorChannels, type MonitorChannelRow } from "./queries.ts";
import type { NotificationChannels, Verdict } from "./schema.ts";

const topicsOf: Record<Verdict, readonly Topic[]> = {
  down: ["monitor.down", "monitor.certificate_expiring"],
  up: ["monitor.up"],
};

/** A monitor's own channel as readers see it. */
export const shownChannel = ({ type, shown_target, topics }: MonitorChannelRow) => ({
  type,
  target: shown_target,
  on: (["down", "up"] as const).filter((verdict) => topics.includes(`monitor.${verdict}`)),
});

export interface WebhookSecret {
  target: string;
  secret: string;
}

/**
 * Makes the channels of a monitor those of the request. An existing one stays, with its queued deliveries. Returns the secrets of
 * new webhooks, which are shown once.
 */
export async function replaceChannels(
  tx: PoolClient,
  ctx: Pick<RequestContext, "secrets">,
  monitor: { id: number; organization_id: number; name: string },
  channels: NotificationChannels,
): Promise<WebhookSecret[]> {
  const stored = await listMonitorChannels(tx, [monitor.id]);
  const kept: number[] = [];
  const added: NotificationChannels = [];
  for (const channel of channels) {
    const same = stored.find((each) => !kept.includes(each.id) && isSame(ctx, each, channel));
    if (!same) {
      added.push(channel);
      continue;
    }
    kept.push(same.id);
    await setMonitorChannelTopics(tx, same.id, topicsFor(channel));
  }
  await deleteMonitorChannels(tx, monitor.id, kept);
  const secrets: WebhookSecret[] = [];
  for (const channel of added) {
    const read = kinds[channel.type].read(channel);
    if ("errors" in read) throw invalid(read.errors);
    const secret = channel.type === "webhook" ? newSigningSecret() : undefined;
    await insertMonitorChannel(tx, {
      monitorId: monitor.id,
      organizationId: monitor.organization_id,
      name: monitor.name,
      type: channel.type,
      target: ctx.secrets.encrypt(read.target),
      shownTarget: read.shown,
      secret: secret === undefined ? null : ctx.secrets.encrypt(secret),
      topics: topicsFor(channel),
    });
    if (secret !== undefined) secrets.push({ target: read.shown, secret });
  }
  return secrets;
}

type Channel = NotificationChannels[number];

const topicsFor = ({ on }: Channel): string[] => [...new Set(on)].flatMap((verdict) => topicsOf[verdict]);

/** The target may be in the form in which it was shown. */
function isSame({ secrets }: Pick<RequestContext, "secrets">, stored: MonitorChannelRow, given: Channel): boolean {
  if (stored.type !== given.type) return false;
  if (given.target === stored.shown_target && given.bot_token === undefined) return true;
  const read = kinds[given.type].read(given);
  return !("errors" in read) && read.target === secrets.decrypt(stored.target);
}
