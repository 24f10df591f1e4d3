import type { Kind } from "../../engine/kind.ts";

// The kinds of workflows, for the code that starts them and the code that carries them out.

export const orderKind: Kind = { kind: "order-server", subject: "server_order" };

/** The data of an order's workflow besides the record of the order. */
export interface OrderData {
  isStatic: boolean;
  hasFirewall: boolean;
  firewallId?: string;
  /** The server may have been ordered without an answer. */
  isOutcomeOpen?: boolean;
  serverRef?: string;
  /** The provider's action that builds it. */
  action?: string | null;
  /** When the provider stopped showing it. */
  goneAt?: number | null;
  /** What was ordered is deleted. */
  isRefunded?: boolean;
  publicIp?: string;
  hostKey?: string;
}

/** Deletes the machine of a server that was deleted. */
export const removalKind: Kind = { kind: "remove-server", subject: "server_order" };
/** Changes the type of a machine. */
export const resizeKind: Kind = { kind: "resize-server", subject: "server" };
/** Makes an image of a machine. */
export const snapshotKind: Kind = { kind: "make-snapshot", subject: "server_snapshot" };
/** Deletes an image. */
export const snapshotRemovalKind: Kind = { kind: "remove-snapshot", subject: "server_snapshot" };
