import type { PoolClient } from "pg";
import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { RunStep } from "../../engine/runs/queries.ts";
import type { Script } from "../../host/sh.ts";
import type { Loss } from "../../http/dry-run.ts";
import type { Answer, RequestContext } from "../../http/route.ts";
import { firstAnswer, hookPoint, type WithHooks } from "../../lib/hooks.ts";
import type { PlanName } from "../accounts/schema.ts";
import type { CloudServer } from "./requests.ts";
import type { CloudType, DatabaseEngine, ServerCreated, ServerRow } from "./schema.ts";

/** The database that comes with a server. */
export interface OwnDatabase {
  id: number;
  database_type: "mariadb" | "postgresql";
  database_name: string;
  username: string;
  /** Encrypted. */
  password: Buffer;
}

export interface Transfer {
  serverId: number;
  /** The organization that gets the server, and its plan. */
  organizationId: number;
  plan: PlanName;
}

/**
 * What later features do in the transactions that change a server as a whole, and report about it. A failure rolls the change
 * back.
 */
export interface ServerHooks {
  onAdded?: (tx: PoolClient, ctx: Context, server: { id: number; engine: DatabaseEngine }) => Promise<void>;
  /** At the end of a setup; `failure`: the server's database could not be created. */
  onSetUp?: (tx: PoolClient, serverId: number, failure: { reason: string | null } | undefined) => Promise<void>;
  findOwnDatabase?: (db: Db, serverId: number) => Promise<OwnDatabase | undefined>;
  /** Whether a project is being moved to or from the server, or what a move left is still being removed. */
  isMoving?: (tx: PoolClient, serverId: number) => Promise<boolean>;
  /** Before the organization changes: what stays in the former one is taken off the server's projects. May refuse the transfer. */
  beforeTransfer?: (tx: PoolClient, transfer: Transfer) => Promise<void>;
  /** What would be deleted with the server. */
  listLosses?: (tx: PoolClient, scope: { serverId: number }) => Promise<Loss[]>;
  /** Before the server's row is deleted: what stays of it is kept elsewhere. */
  beforeDeletion?: (tx: PoolClient, ctx: Context, server: { id: number }) => Promise<void>;
}

export const serverHooks = hookPoint<ServerHooks>();

export const findOwnDatabase = (
  ctx: Pick<Context, "pool" | "hooks">,
  serverId: number,
): Promise<OwnDatabase | undefined> =>
  firstAnswer(serverHooks.of(ctx), (hook) => hook.findOwnDatabase?.(ctx.pool, serverId));

/** What a later feature looks at on each connected server, every minute: one query for all that it has there. */
export interface ServerCheck {
  /** What is checked, for the log. */
  name: string;
  /** Runs in a bash of its own, without input. `settle` is called only if it succeeds within 5 seconds and prints little. */
  script: Script;
  /** `output` is whatever the server printed. A failure is logged; it affects neither the connection nor other checks. */
  settle: (ctx: Context, serverId: number, output: string) => Promise<void>;
}

export const serverChecks = hookPoint<ServerCheck>();

/** The part of a step that the setup record uses. */
export type SetupStep = Pick<
  RunStep,
  "key" | "label" | "phase" | "status" | "detail" | "duration_ms" | "started_at" | "finished_at"
>;

/** How far the order of a server's machine is, as the setup record shows it before the steps of the setup. */
export interface OrderProgress {
  state: "running" | "failed";
  error: string | null;
  steps: readonly SetupStep[];
}

/** Orders the machine again, in the transaction that has locked the server; returns the message of the response. */
export type Reorder = (tx: PoolClient, server: ServerRow) => Promise<string>;

/** What the feature that orders servers from providers does. For a server that it did not order, each returns undefined. */
export interface OrderHooks {
  /** Why nothing can be ordered with the connection, so that it is reported together with errors of other fields. */
  connectionError: (ctx: RequestContext, connection: { id: number; type: CloudType }) => Promise<string | undefined>;
  /** Adds the server and begins its order; a dry run only checks the order, and reports the price. */
  order: (ctx: RequestContext, body: CloudServer, isDryRun: boolean) => Promise<Answer<Static<typeof ServerCreated>>>;
  /** Checks an order whose machine was never built with the provider again. */
  checkAgain: (ctx: RequestContext, serverId: number) => Promise<Reorder | undefined>;
  /** By the ids of the servers; none for those that it did not order. */
  listProgress: (db: Db, serverIds: readonly number[]) => Promise<ReadonlyMap<number, OrderProgress>>;
  /** Also protects the machine at its provider, if that supports it. */
  protect: (ctx: RequestContext, serverId: number, isProtected: boolean) => Promise<void>;
  /** In the transaction that deletes the server: has the machine deleted; returns the sentence about it. */
  remove: (tx: PoolClient, ctx: RequestContext, serverId: number) => Promise<string | undefined>;
}

/** For one feature only. */
export const orderHooks = hookPoint<OrderHooks>();

/** The hooks of the feature that orders servers. */
export function orderingOf(ctx: WithHooks): OrderHooks {
  const [ordering] = orderHooks.of(ctx);
  if (!ordering) throw new Error("No feature orders servers");
  return ordering;
}
