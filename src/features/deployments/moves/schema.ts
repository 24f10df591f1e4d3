import { Type } from "typebox";
import type { SqlEngine } from "../../../host/databases/engine.ts";
import { Id, maxId, Success } from "../../../http/schemas.ts";

/**
 * `opening` to `finishing` are one run each, and until the last of them the source serves. `leaving`: the end of the move is
 * decided, and the servers are being cleaned up.
 */
export type MovePhase = "queued" | "opening" | "copying" | "building" | "holding" | "finishing" | "leaving";

/** A database that is moved too. */
export interface MovedDatabase {
  engine: SqlEngine;
  name: string;
  username: string;
  /** Its further users, which are created from scratch on the destination. */
  readers: { username: string; mark: string }[];
}

export interface MoveRow {
  deployment_id: number;
  project_id: number;
  /** null once the server was deleted, as with the others */
  source_id: number | null;
  destination_id: number | null;
  other_id: number | null;
  other_port_pair: number | null;
  phase: MovePhase;
  databases: MovedDatabase[];
  public_key: string | null;
  private_key: Buffer | null;
  run_id: number | null;
  silent_since: string | null;
  outcome: "succeeded" | "failed" | "cancelled" | null;
  error: string | null;
  release_run_id: number | null;
  clearing_run_id: number | null;
}

export const MoveRequest = Type.Object({
  server_id: Type.Integer({ minimum: 1, maximum: maxId, title: "server", description: "The destination" }),
});

const DnsRecord = Type.Object({
  name: Type.String(),
  type: Type.Union([Type.Literal("A"), Type.Literal("AAAA")]),
  value: Type.String({ description: "The address of the destination" }),
});

export const MoveAccepted = Success({
  message: Type.String(),
  project_id: Id,
  deployment_id: Id,
  dns_records: Type.Array(DnsRecord, {
    description: "The DNS records that the domains need once the move has succeeded",
  }),
});
