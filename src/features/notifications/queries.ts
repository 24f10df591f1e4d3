import { limitOf } from "../../db/page.ts";
import { changed, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import type { ChannelType } from "../../providers/notify/kinds.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import type { Announcement, ChannelRow, DeliveryRow } from "./schema.ts";

// Channels ---------------------------------------------------------------------------------------------------------------

/**
 * Channels that the actor may see. A restricted member sees those whose projects are all in reach.
 * `notification_channels c`
 */
function channelReach(actor: Actor): Sql {
  // A monitor's own channels are read and changed with the monitor.
  const ours = sql`c.organization_id = ${actor.organizationId} and c.monitor_id is null`;
  if (!actor.restriction) return ours;
  const listed = sql`select 1 from projects p where p.id = any(c.project_ids) and p.organization_id = c.organization_id`;
  return sql`(${ours} and exists (${listed} and ${projectReach(actor)}) and not exists (${listed} and not ${projectReach(actor)}))`;
}

// The filter shows only projects that still exist and belong to the organization.
const columns = sql`
  c.id, c.name, c.type, c.shown_target as target, c.topics as "on", c.is_active, c.created_at, c.updated_at,
  case when c.project_ids is not null then array(
    select p.id from projects p where p.id = any(c.project_ids) and p.organization_id = c.organization_id order by p.id
  ) end as project_ids,
  case when c.last_delivery_status is not null then json_build_object('status', c.last_delivery_status,
    'error', c.last_delivery_error,
    'at', to_char(c.last_delivery_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end as last_delivery
`;

export const listChannels = (db: Db, actor: Actor, page: PageRequest): Promise<(ChannelRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, count(*) over () as total from notification_channels c where ${channelReach(actor)}
      order by c.id ${limitOf(page)}
    `,
  );

export async function countChannels(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ total: number }>(
    db,
    sql`select count(*) as total from notification_channels c where ${channelReach(actor)}`,
  );
  return counted?.total ?? 0;
}

export const findChannel = (db: Db, actor: Actor, id: number): Promise<ChannelRow | undefined> =>
  row(db, sql`select ${columns} from notification_channels c where c.id = ${id} and ${channelReach(actor)}`);

/** The channel before a change, locked until the end of the transaction. */
export interface LockedChannel {
  id: number;
  name: string;
  type: ChannelType;
  target: Buffer;
  shown_target: string;
  topics: string[];
  project_ids: number[] | null;
  is_active: boolean;
  updated_at: string;
}

export const lockChannel = (tx: Db, actor: Actor, id: number): Promise<LockedChannel | undefined> =>
  row(
    tx,
    sql`
      select c.id, c.name, c.type, c.target, c.shown_target, c.topics, c.project_ids, c.is_active,
        c.updated_at
      from notification_channels c where c.id = ${id} and ${channelReach(actor)} for no key update of c
    `,
  );

/** Counts the channels of the organization; locks its row, so that only one request counts at a time. */
export async function lockChannelCount(tx: Db, organizationId: number): Promise<number> {
  await tx.query(sql`select 1 from organizations where id = ${organizationId} for no key update`);
  const counted = await row<{ count: number }>(
    tx,
    sql`select count(*) from notification_channels where organization_id = ${organizationId} and monitor_id is null`,
  );
  return counted?.count ?? 0;
}

export interface ChannelSettings {
  name: string;
  target: Buffer;
  shownTarget: string;
  topics: readonly string[];
  projectIds: readonly number[] | null;
  isActive: boolean;
}

export interface NewChannel extends ChannelSettings {
  organizationId: number;
  type: ChannelType;
  secret: Buffer | null;
}

export async function insertChannel(tx: Db, channel: NewChannel): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into notification_channels (organization_id, name, type, target, shown_target, secret, topics, project_ids,
        is_active)
      values (${channel.organizationId}, ${channel.name}, ${channel.type}, ${channel.target}, ${channel.shownTarget},
        ${channel.secret}, ${channel.topics}, ${channel.projectIds}::bigint[], ${channel.isActive})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

// A changed target is used at once: a pause that the former receiver asked for is over.
export async function updateChannelRow(tx: Db, id: number, settings: ChannelSettings): Promise<void> {
  await tx.query(sql`
    update notification_channels set name = ${settings.name}, target = ${settings.target},
      shown_target = ${settings.shownTarget}, topics = ${settings.topics}, project_ids = ${settings.projectIds}::bigint[],
      is_active = ${settings.isActive}, updated_at = clock_timestamp(),
      held_until = case when target = ${settings.target} then held_until end
    where id = ${id}
  `);
}

export const setSecret = async (db: Db, actor: Actor, id: number, secret: Buffer): Promise<boolean> =>
  (await changed(
    db,
    sql`
      update notification_channels c set secret = ${secret}, updated_at = clock_timestamp()
      where c.id = ${id} and c.type = 'webhook' and ${channelReach(actor)}
    `,
  )) === 1;

export const deleteChannelRow = async (db: Db, actor: Actor, id: number): Promise<boolean> =>
  (await changed(db, sql`delete from notification_channels c where c.id = ${id} and ${channelReach(actor)}`)) === 1;

/** The ids without a project in the actor's reach. */
export async function listUnreachableProjects(db: Db, actor: Actor, ids: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`
      select id from unnest(${ids}::bigint[]) as wanted (id)
      where id not in (select p.id from projects p where p.id = any(${ids}::bigint[]) and ${projectReach(actor)})
    `,
  );
  return found.map(({ id }) => id);
}

// Announcements ----------------------------------------------------------------------------------------------------------

export interface QueuedDelivery {
  id: number;
  channel_id: number;
}

/**
 * Records the announcement, and a delivery for each subscribed channel; returns the deliveries. Waits for the deletion of a
 * channel and leaves it out: an announcement must not fail for that.
 */
export const insertAnnouncement = (tx: Db, announcement: Announcement): Promise<QueuedDelivery[]> => {
  const { organizationId, topic, title, text, data } = announcement;
  const projectId = typeof data.project_id === "number" ? data.project_id : null;
  const monitorId = typeof data.monitor_id === "number" ? data.monitor_id : null;
  return rows(
    tx,
    sql`
      with announced as (
        insert into announcements (organization_id, topic, title, text, data, project_id)
        values (${organizationId}, ${topic}, ${title}, ${text}, ${JSON.stringify(data)}, ${projectId})
        returning id
      ), listening as (
        select c.id from notification_channels c
        where c.organization_id = ${organizationId} and c.is_active and ${topic} = any(c.topics)
          and (c.project_ids is null or ${projectId}::bigint = any(c.project_ids))
          and (c.monitor_id is null or c.monitor_id = ${monitorId}::bigint)
        order by c.id for key share
      )
      insert into notification_deliveries (channel_id, announcement_id)
      select listening.id, announced.id from listening, announced
      returning id, channel_id
    `,
  );
};

/** Records an announcement to one channel, for which a request waits. */
export async function insertTest(
  tx: Db,
  channelId: number,
  test: { organizationId: number; topic: string; title: string; text: string },
): Promise<QueuedDelivery> {
  const inserted = await row<QueuedDelivery>(
    tx,
    sql`
      with announced as (
        insert into announcements (organization_id, topic, title, text, data)
        values (${test.organizationId}, ${test.topic}, ${test.title}, ${test.text}, '{}') returning id
      )
      insert into notification_deliveries (channel_id, announcement_id, is_test)
      select ${channelId}, id, true from announced returning id, channel_id
    `,
  );
  return inserted as QueuedDelivery;
}

// Deliveries, for readers ------------------------------------------------------------------------------------------------

const deliveryColumns = sql`
  d.id, a.topic, a.title, d.status, d.attempts, d.answer, d.error, d.created_at, d.ended_at,
  case when d.status = 'queued' then d.next_attempt_at end as next_attempt_at
`;

// A channel may have received announcements of other projects before its filter was changed: a restricted member does not see
// those.
function deliveriesOf(actor: Actor, channelId: number): Sql {
  const all = sql`
    from notification_deliveries d join announcements a on a.id = d.announcement_id
      join notification_channels c on c.id = d.channel_id
    where d.channel_id = ${channelId} and ${channelReach(actor)}
  `;
  if (!actor.restriction) return all;
  return sql`${all} and (d.is_test or exists (
    select 1 from projects p where p.id = a.project_id and ${projectReach(actor)}))`;
}

export const listDeliveries = (
  db: Db,
  actor: Actor,
  channelId: number,
  page: PageRequest,
): Promise<(DeliveryRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${deliveryColumns}, count(*) over () as total ${deliveriesOf(actor, channelId)}
      order by d.id desc ${limitOf(page)}
    `,
  );

export async function countDeliveries(db: Db, actor: Actor, channelId: number): Promise<number> {
  const counted = await row<{ total: number }>(db, sql`select count(*) as total ${deliveriesOf(actor, channelId)}`);
  return counted?.total ?? 0;
}

/** Without an actor: for a delivery that the caller has made. */
export const findDelivery = (db: Db, id: number): Promise<DeliveryRow | undefined> =>
  row(
    db,
    sql`
      select ${deliveryColumns} from notification_deliveries d join announcements a on a.id = d.announcement_id
      where d.id = ${id}
    `,
  );

// Channels of a monitor -------------------------------------------------------------------------------------------------

export interface NewMonitorChannel {
  monitorId: number;
  organizationId: number;
  name: string;
  type: ChannelType;
  target: Buffer;
  shownTarget: string;
  secret: Buffer | null;
  topics: readonly string[];
}

export async function insertMonitorChannel(tx: Db, channel: NewMonitorChannel): Promise<void> {
  await changed(
    tx,
    sql`
      insert into notification_channels (monitor_id, organization_id, name, type, target, shown_target, secret, topics)
      values (${channel.monitorId}, ${channel.organizationId}, ${channel.name}, ${channel.type}, ${channel.target},
        ${channel.shownTarget}, ${channel.secret}, ${channel.topics})
    `,
  );
}

export async function setMonitorChannelTopics(tx: Db, id: number, topics: readonly string[]): Promise<void> {
  await changed(
    tx,
    sql`
      update notification_channels set topics = ${topics}, updated_at = clock_timestamp()
      where id = ${id} and monitor_id is not null
    `,
  );
}

export async function deleteMonitorChannels(tx: Db, monitorId: number, kept: readonly number[]): Promise<void> {
  await changed(
    tx,
    sql`delete from notification_channels where monitor_id = ${monitorId} and id <> all(${kept}::bigint[])`,
  );
}
