import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, openStage, type Stage } from "../../servers/tests/support.ts";
import { announce } from "../actions.ts";
import { notificationJobs, notificationSchedules } from "../jobs.ts";
import type { Announcement } from "../schema.ts";

export { addProject, addProvisioned, call, openStage, type Reply, type Stage };

const path = "/api/v1/notification-channels";

/** A webhook that receives failed deployments by default. */
export const webhook = (url: string, more: object = {}) => ({
  name: "Hook",
  type: "webhook",
  target: url,
  on: ["deployment.failed"],
  ...more,
});

export const create = (stage: Stage, body: object, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, `POST ${path}`, { token, body });

export async function created(stage: Stage, body: object): Promise<{ id: number; secret: string }> {
  const reply = await create(stage, body);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
}

export const read = (stage: Stage, id: number, token = stage.cast.alice) =>
  call(stage.app, `GET ${path}/${id}`, { token });

export const update = (stage: Stage, id: number, body: object, token = stage.cast.alice) =>
  call(stage.app, `PUT ${path}/${id}`, { token, body });

export const remove = (stage: Stage, id: number, token = stage.cast.alice) =>
  call(stage.app, `DELETE ${path}/${id}`, { token });

export const deliveriesOf = async (stage: Stage, id: number, token = stage.cast.alice) =>
  (await call(stage.app, `GET ${path}/${id}/deliveries`, { token })).body.data;

let announced = 0;

/** Announces something in Acme. */
export async function happens(stage: Stage, more: Partial<Announcement> = {}): Promise<void> {
  await transaction(stage.pool, (tx) =>
    announce(tx, stage.ctx, {
      organizationId: stage.cast.organizationId,
      topic: "deployment.failed",
      title: `Deployment ${++announced} failed`,
      text: "It went wrong.",
      data: {},
      ...more,
    }),
  );
}

/** Does what a worker does with one job for a channel. */
export async function deliver(stage: Stage, channelId: number, signal = new AbortController().signal): Promise<void> {
  await notificationJobs(stage.ctx)[0]?.work({ channelId }, signal);
}

export async function task(stage: Stage, name: string): Promise<void> {
  const found = notificationSchedules(stage.ctx).find((each) => each.name === name);
  if (!found) throw new Error(`There is no task ${name}`);
  await found.work(new AbortController().signal);
}

/** Lets time pass for a channel: waiting deliveries are due, and a worker with an attempt is presumed dead. */
export async function timePasses(stage: Stage, channelId: number): Promise<void> {
  await stage.pool.query(sql`
    update notification_deliveries set next_attempt_at = now(), claimed_until = null
    where channel_id = ${channelId} and status = 'queued'`);
}

export const channelsWithJobs = async (stage: Stage): Promise<unknown[]> => {
  const found = await rows<{ channel: unknown }>(
    stage.pool,
    sql`select data -> 'channelId' as channel from queue.job where name = 'deliver-notifications' and state = 'created'
      order by channel`,
  );
  return found.map(({ channel }) => channel);
};

export const stored = async (stage: Stage, id: number): Promise<string> => {
  const found = await row<{ all: string }>(
    stage.pool,
    sql`select c::text as all from notification_channels c where id = ${id}`,
  );
  return found?.all ?? "";
};
