import type { WaitReason } from "../schema.ts";
import type { Waiter } from "./queries.ts";

export interface Waiting {
  reason: WaitReason;
  /** In the queue of its server, from 1. */
  position: number;
  message: string;
}

/** Why a deployment does not begin yet: the first condition for its start that is not met. */
export function waitingFor(waiter: Waiter): Waiting {
  const reason = reasonOf(waiter);
  return { reason, position: waiter.position, message: messages[reason](waiter) };
}

function reasonOf({ blocking_type: blocking, is_held: isHeld, ...waiter }: Waiter): WaitReason {
  if (blocking !== null) return blocking === "move" ? "move" : "project";
  if (isHeld) return "deploy_key";
  const isFull = waiter.queue_limit !== null && waiter.running_on_server >= waiter.queue_limit;
  return isFull ? "server" : "turn";
}

const messages: Record<WaitReason, (waiter: Waiter) => string> = {
  project: ({ blocking_id: id }) => `Deployment ${id} of the project ends first.`,
  move: ({ blocking_id: id }) => `The project is moved to another server first, by deployment ${id}.`,
  deploy_key: () => "The git host does not have the deploy key of the server yet.",
  server: ({ position, server, queue_limit: limit }) =>
    `${position === 1 ? "It is the next" : `${position - 1} before it`} on ${server}, which runs at most ${limit} at the same time.`,
  turn: () => "It begins in a moment.",
};
