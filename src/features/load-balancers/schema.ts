import { Type } from "typebox";
import { described, Id, maxId, Nullable, named, OneOf, Reply, Success } from "../../http/schemas.ts";
import type { PlacementRole } from "../placements/schema.ts";

/** `unknown`: the load balancer did not report it. */
export const nodeStates = ["installing", "serving", "draining", "unreachable", "leaving", "unknown"] as const;
export type NodeState = (typeof nodeStates)[number];

/** A server that a balanced project is on. */
export interface NodeRow {
  server_id: number;
  server_name: string;
  role: PlacementRole;
  is_live: boolean;
}

export const BalanceRequest = named(
  "BalanceRequest",
  Type.Object({
    load_balancer_id: Type.Integer({
      minimum: 1,
      maximum: maxId,
      title: "load balancer",
      description: "A server of the type 4",
    }),
    server_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: 7,
      title: "list of servers",
      description: "Servers besides the project's own",
    }),
  }),
);

const BalancedServer = named(
  "BalancedServer",
  Type.Object({
    server_id: described(Id, "An App server"),
    server_name: Type.String({ description: "For display" }),
    state: OneOf(nodeStates, {
      description:
        "installing: its first deployment has not succeeded; draining: it is being deployed to; unreachable: it does not " +
        "answer, and gets no visitors; leaving: it is being removed; unknown: the load balancer did not report it",
    }),
  }),
  "A server of a project behind a load balancer",
);

const Balance = named(
  "Balance",
  Type.Object({
    load_balancer_id: Nullable(Type.Integer({ description: "null: the project serves by itself" })),
    load_balancer_name: Nullable(Type.String({ description: "For display" })),
    nodes: Type.Array(BalancedServer, { description: "The project's own server first" }),
  }),
  "The servers of a project behind a load balancer",
);
export const BalanceReply = Reply(Balance);

export const BalanceAccepted = named(
  "BalanceAccepted",
  Success({
    message: Type.String(),
    project_id: described(Id, "What is balanced"),
    deployment_ids: Type.Array(Id, { description: "Those that install the project on servers that are new" }),
  }),
);
