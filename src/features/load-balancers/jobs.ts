import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { Chore } from "../../engine/worker.ts";
import { lookAtFront } from "../projects/front.ts";
import { listUnfollowed } from "./queries.ts";

const lookedAtOnce = 200;

export const loadBalancerChores = (ctx: Context): Chore[] => [
  { name: "look after load balancers", everyMs: 10_000, work: () => lookAfter(ctx) },
];

// A server that is deleted takes its part of balanced projects along, and nobody tells their load balancers.
const lookAfter = (ctx: Context): Promise<void> =>
  transaction(ctx.pool, async (tx) => {
    for (const { id } of await listUnfollowed(tx, lookedAtOnce)) await lookAtFront(tx, ctx, id);
  });
