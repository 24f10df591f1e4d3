// The kinds of workflows, for the code that starts them and the code that carries them out.

/** An order; its subject is the order. */
export const orderKind = "order-server";

/** The data of an order's workflow besides the record of the order. */
export interface OrderData {
  isStatic: boolean;
  hasFirewall: boolean;
  firewallId?: string;
  serverRef?: string;
  publicIp?: string;
  hostKey?: string;
}
/** Deletes the machine of a server that was deleted; its subject is the order. */
export const removalKind = "remove-server";
/** Changes the type of a machine; its subject is the server. */
export const resizeKind = "resize-server";
/** Makes an image of a machine; its subject is the snapshot. */
export const snapshotKind = "make-snapshot";
/** Deletes an image; its subject is the snapshot. */
export const snapshotRemovalKind = "remove-snapshot";
