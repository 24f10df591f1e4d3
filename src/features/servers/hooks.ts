import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { DatabaseEngine } from "./schema.ts";

/** What later features do in the transactions that add, transfer and delete a server. */
export interface ServerHooks {
  onAdded: (tx: Db, ctx: Pick<Context, "secrets">, server: { id: number; engine: DatabaseEngine }) => Promise<void>;
  /** Before the organization changes: what stays in the former one is taken off the server's projects. */
  beforeTransfer: (tx: Db, serverId: number) => Promise<void>;
  /** Before the server's row is deleted: what stays of it is kept elsewhere. */
  beforeDeletion: (tx: PoolClient, ctx: Pick<Context, "queue">, server: { id: number }) => Promise<void>;
}

/** What later features do in the transaction that ends a setup; `failure`: the server's database could not be created. */
export type OnSetUp = (
  tx: PoolClient,
  serverId: number,
  failure: { reason: string | null } | undefined,
) => Promise<void>;
