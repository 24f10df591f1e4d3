import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { endRun, type Run } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { periodicTask } from "../../../features.ts";
import { makeKeyPair } from "../../../host/ssh/key-pair.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import type { Stage } from "../../servers/tests/support.ts";
import { sshKeyTargets } from "../jobs.ts";

export const newKey = (): string => makeKeyPair("ann@laptop").publicKey;

/** Sends a request as Alice, unless another token is given. */
export const ask = (stage: Stage, line: string, more: { token?: string; body?: unknown } = {}): Promise<Reply> =>
  call(stage.app, line, { token: stage.cast.alice, ...more });

export async function addKey(stage: Stage, body: object = {}, token = stage.cast.alice): Promise<number> {
  const reply = await ask(stage, "POST /api/v1/ssh-keys", {
    token,
    body: { name: "Laptop", public_key: newKey(), ...body },
  });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.id;
}

export const grant = (stage: Stage, serverId: number, keyId: number, token = stage.cast.alice): Promise<Reply> =>
  ask(stage, `POST /api/v1/servers/${serverId}/ssh-access`, { token, body: { ssh_key_id: keyId } });

/** Puts a key onto a server and applies it; returns the id of the access. */
export async function put(stage: Stage, serverId: number, keyId: number): Promise<number> {
  const reply = await grant(stage, serverId, keyId);
  if (reply.status !== 201) throw new Error(reply.text);
  await obey(stage);
  return reply.body.data.id;
}

export interface Listed {
  id: number;
  ssh_key_id: number | null;
  name: string;
  is_removed: boolean;
  sync: { state: string; error: string | null };
}

export const listed = async (stage: Stage, serverId: number): Promise<Listed[]> =>
  (await ask(stage, `GET /api/v1/servers/${serverId}/ssh-access`)).body.data;

/** The keys that a server should have, by the waiting plans. */
export async function planned(stage: Stage, serverId: number): Promise<number[] | undefined> {
  await reconcileAll(stage.ctx, sshKeyTargets());
  const run = await row<Run>(
    stage.pool,
    sql`select * from runs where kind = 'ssh-keys' and server_id = ${serverId} and ended_at is null`,
  );
  if (!run) return undefined;
  return [...JSON.stringify(run.plan).matchAll(/ longshore-ssh-key-(\d+)\\n/g)].map(([, id]) => Number(id));
}

/** Does the work of the servers, or fails with this error. */
export async function obey(stage: Stage, error: string | null = null): Promise<void> {
  const [kind] = sshKeyTargets();
  if (!kind) throw new Error("There is no kind of target");
  await reconcileAll(stage.ctx, [kind]);
  const state = error === null ? "succeeded" : "failed";
  for (const { id } of await rows<{ id: number }>(
    stage.pool,
    sql`select id from runs where kind = 'ssh-keys' and ended_at is null`,
  )) {
    await transaction(stage.pool, async (tx) => {
      const run = await endRun(tx, id, { state, error });
      if (run) await targetRunKind(stage.ctx, kind).onEnded(tx, run, state);
    });
  }
}

/** Does what workers do every few seconds. */
export const followPeople = ({ ctx }: Stage): Promise<unknown> =>
  Promise.resolve(periodicTask(ctx, "end-ssh-access").work(new AbortController().signal));
