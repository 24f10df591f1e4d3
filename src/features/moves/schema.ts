import { Type } from "typebox";
import type { SqlEngine } from "../../host/databases/engine.ts";
import { described, Id, maxId, named, Success } from "../../http/schemas.ts";

/** The data of a move's workflow. */
export interface MoveData {
  projectId: number;
  isApp: boolean;
}

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
  databases: MovedDatabase[];
  private_key: Buffer | null;
  /** How it ended, while its servers are being cleaned up. */
  outcome: "succeeded" | "failed" | "cancelled" | null;
  error: string | null;
  /** Runs that the clean-up ends. */
  run_ids: number[];
}

export const MoveRequest = named(
  "MoveRequest",
  Type.Object({
    server_id: Type.Integer({ minimum: 1, maximum: maxId, title: "server", description: "The destination" }),
    leave_databases: Type.Optional(
      Type.Boolean({
        description:
          "Move the project also when its environment names databases of its server that are not attached to it, and so stay there",
      }),
    ),
  }),
);

const DnsRecord = named(
  "DnsRecord",
  Type.Object({
    name: Type.String({ description: "A host name" }),
    type: Type.Union([Type.Literal("A"), Type.Literal("AAAA")], { description: "The kind of the record" }),
    value: Type.String({ description: "The address of the destination" }),
  }),
  "A DNS record that a domain needs",
);

export const MoveAccepted = named(
  "MoveAccepted",
  Success({
    message: Type.String(),
    project_id: described(Id, "What is moved"),
    deployment_id: described(Id, "The deployment that moves it"),
    dns_records: Type.Array(DnsRecord, {
      description: "The DNS records that the domains need once the move has succeeded",
    }),
    forward_days: Type.Integer({
      description:
        "How many days the former server forwards visitors after the move. 0: it asks them to come back later, for a day",
    }),
  }),
);
