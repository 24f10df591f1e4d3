import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { emitEvent } from "../../../engine/events.ts";
import type { RequestContext } from "../../../http/route.ts";
import { invalid, notFound } from "../../../lib/errors.ts";
import { type Actor, can } from "../../accounts/reach.ts";
import { type Kind, type KindName, kindNames, kinds, severities } from "./kinds.ts";
import { endSnooze, findItem, type ItemRow, listItems, snooze } from "./queries.ts";
import { type AttentionItem, type AttentionQuery, longestSnoozeDays, mostItems, mostOfKind } from "./schema.ts";

type Item = Static<typeof AttentionItem>;

/** What needs attention, of all that the caller may read: the worst first, then the newest. */
export async function showAttention(
  { pool, actor }: RequestContext,
  query: Static<typeof AttentionQuery>,
): Promise<Item[]> {
  const chosen = kindNames.filter((kind) => isReadable(actor, kind) && isChosen(kind, query));
  if (chosen.length === 0) return [];
  const found = await listItems(pool, actor, chosen, mostOfKind);
  return found
    .map((item) => itemOf(actor, item))
    .sort(worstFirst)
    .slice(0, mostItems);
}

const isReadable = (actor: Actor, kind: KindName): boolean => can(actor, kinds[kind].permission);

const isChosen = (kind: KindName, query: Static<typeof AttentionQuery>): boolean =>
  (query.kind?.includes(kind) ?? true) && (query.severity?.includes(kinds[kind].severity) ?? true);

function itemOf(actor: Actor, row: ItemRow): Item {
  const { severity, noun, mend }: Kind = kinds[row.kind];
  const { id, name, kind, since, message, server_id, project_id } = row;
  const possible = mend && can(actor, mend.needs) ? mend : undefined;
  return {
    ...{ key: `${kind}:${id}`, kind, severity, subject: { noun, id, name }, server_id, project_id, since, message },
    operation: possible?.operation ?? null,
    label: possible?.label ?? null,
    params: possible?.params(row) ?? null,
  };
}

const worstFirst = (a: Item, b: Item): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) || Date.parse(b.since) - Date.parse(a.since);

/** Hides an item from the caller until a time, or shows it again. */
export async function snoozeItem(ctx: RequestContext, key: string, given: string | null) {
  const { pool, actor } = ctx;
  const until = given === null ? null : timeOf(given);
  const [kind, id] = key.split(":") as [KindName, string];
  await transaction(pool, async (tx) => {
    const item = isReadable(actor, kind) ? await findItem(tx, actor, kind, Number(id)) : undefined;
    if (!item) throw notFound("The item");
    if (until === null) await endSnooze(tx, actor, key);
    else await snooze(tx, actor, key, until);
    const { organizationId } = actor;
    const data = { noun: kinds[kind].noun, id: item.id };
    const { server_id: serverId, project_id: projectId } = item;
    await emitEvent(tx, { organizationId, serverId, projectId, name: "attention.updated", data });
  });
  return { key, until: until?.replace(/\.(\d{3})Z$/, ".$1000Z") ?? null };
}

const longestMs = longestSnoozeDays * 86_400_000;

function timeOf(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid({ until: "The until must be a time." });
  const now = Date.now();
  if (time <= now) throw invalid({ until: "The until must be later than now." });
  if (time > now + longestMs) throw invalid({ until: `The until must be within ${longestSnoozeDays} days.` });
  return new Date(time).toISOString();
}
