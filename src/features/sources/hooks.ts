import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { hookPoint } from "../../lib/hooks.ts";
import type { PlacementRef } from "../placements/schema.ts";

/** What later features do with the deploy keys of projects. */
export interface SourceHooks {
  /**
   * The git host has taken or refused deploy keys of the project: what waited for one of them continues. `all`: none is needed any
   * more.
   */
  onKeysSettled?: (tx: PoolClient, ctx: Context, projectId: number, which: "settled" | "all") => Promise<void>;
  /** Whether the feature still works for a project on a server that it has left: its key there stays. */
  usesKey?: (db: Db, placement: PlacementRef) => Promise<boolean>;
}

export const sourceHooks = hookPoint<SourceHooks>();
