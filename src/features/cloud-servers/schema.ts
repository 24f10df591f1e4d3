import { type Static, Type } from "typebox";
import { Page } from "../../http/pagination.ts";
import {
  Created,
  described,
  Id,
  Joined,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Success,
  Timestamp,
} from "../../http/schemas.ts";
import type { CloudResource, CloudSystem, OrderRequest, RemainingResource } from "../../providers/cloud/driver.ts";
import { type CloudType, cloudTypes } from "../servers/schema.ts";

/**
 * ordering: under way. refunding: it failed or was cancelled, and the ordered resources are being deleted. active: the machine
 * exists. removing: its server was deleted, and the machine is being deleted. Ended: failed, cancelled and removed, with nothing
 * left at the provider; left, with something that could not be deleted; released, to the user as a custom server.
 */
export const orderStates = [
  "ordering",
  "refunding",
  "active",
  "removing",
  "failed",
  "cancelled",
  "removed",
  "left",
  "released",
] as const;
export type OrderState = (typeof orderStates)[number];

/** A price as it is stored: decimal texts. */
export interface StoredPrice {
  monthly_price_net: string | null;
  monthly_price_gross: string | null;
  price_currency: string | null;
}

/** The order, without the data for the machine's first boot. */
export type StoredRequest = Omit<OrderRequest, "image"> & {
  image: string;
  /** The image of a snapshot; null: the provider's own of the operating system. */
  ownImage: string | null;
};

export interface OrderRow extends StoredPrice {
  id: number;
  organization_id: number;
  server_id: number | null;
  provider_id: number | null;
  provider_type: CloudType;
  server_name: string;
  key: string;
  location: string;
  request: StoredRequest;
  server_ref: string | null;
  resources: CloudResource[];
  price_problem: string | null;
  public_ip: string | null;
  state: OrderState;
  error: string | null;
  remaining: RemainingResource[];
  boot_host_key: string | null;
  host_key: string | null;
  created_at: string;
  active_at: string | null;
  ended_at: string | null;
}

const text = Type.String();
const price = {
  monthly_price_net: Nullable(Type.String({ description: "Without VAT; null where it could not be read" })),
  monthly_price_gross: Nullable(described(text, "With VAT; equal to net on cloud_b and cloud_c")),
  currency: Nullable(described(text, "EUR or USD; null without a price")),
};

const problem = {
  price_problem: Nullable(Type.String({ description: "Why the price is null, in a sentence" })),
};

const Resource = named(
  "CloudResource",
  Type.Object({
    kind: Type.String({ description: "server, address, volume, firewall, key or image" }),
    id: Type.String({ description: "Its id at the provider" }),
    location: described(text, "The provider's location or region"),
  }),
  "A resource at a provider",
);

const Remainder = named(
  "RemainingResource",
  Joined(Resource, Type.Object({ reason: Type.String({ description: "Why it is still there" }) })),
  "A resource that could not be deleted yet",
);

const ServerOrder = named(
  "ServerOrder",
  Type.Object({
    id: Id,
    server_id: Nullable(Type.Integer({ description: "null once the server was deleted" })),
    server_name: described(text, "The server's name when it was ordered"),
    provider_id: Nullable(Type.Integer({ description: "null once the connection was deleted" })),
    provider_type: OneOf(cloudTypes, { description: "Where it was ordered" }),
    location: described(text, "The provider's location or region"),
    server_type: described(text, "The provider's name of what was ordered"),
    state: OneOf(orderStates, {
      description:
        "failed, cancelled, removed: nothing of it is left at the provider; left: something could not be deleted; " +
        "released: the machine was kept as a custom server",
    }),
    error: Nullable(Type.String({ description: "What went wrong, in a sentence" })),
    public_ip: Nullable(described(text, "null until the machine has one")),
    ...price,
    ...problem,
    resources: Type.Array(Resource, { description: "What was ordered, as far as it is known" }),
    remaining: Type.Array(Remainder, { description: "What could not be deleted yet, and is billed until it is" }),
    created_at: Timestamp,
    active_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
  }),
  "An order of a server from a cloud",
);

export const OrderPage = Page(ServerOrder);
export const OrderReply = Reply(ServerOrder);

// Costs ----------------------------------------------------------------------------------------------------------------

const CostTotal = named(
  "CostTotal",
  Type.Object({
    currency: described(text, "EUR or USD"),
    servers_count: Type.Integer({ description: "Servers whose price is in it" }),
    monthly_price_net: described(text, "Without VAT"),
    monthly_price_gross: described(text, "With VAT; equal to net on cloud_b and cloud_c"),
  }),
  "What the servers of one currency cost",
);

const PricedServer = named(
  "PricedServer",
  Type.Object({
    id: Id,
    name: text,
    provider_type: OneOf(cloudTypes, { description: "Where it was ordered" }),
    ...price,
    ...problem,
  }),
  "What an ordered server costs",
);

const ServerCosts = named(
  "ServerCosts",
  Type.Object({
    totals: Type.Array(CostTotal, { description: "Monthly costs of the servers in reach, by currency" }),
    unpriced_servers_count: Type.Integer({ description: "Ordered servers whose price could not be read" }),
    servers: Type.Array(PricedServer, { description: "Each ordered server in reach" }),
  }),
  "What ordered servers cost each month",
);
export const CostsReply = Reply(ServerCosts);

// Orphans ----------------------------------------------------------------------------------------------------------------

const Orphan = named(
  "OrphanedResource",
  Joined(
    Resource,
    Type.Object({
      name: Nullable(described(text, "Its name at the provider")),
      ...price,
      created_at: Nullable(Timestamp),
      seen_at: Timestamp,
    }),
  ),
  "A resource at a provider that belongs to no server here",
);

export const OrphanList = named(
  "OrphanedResourceList",
  Success({
    data: Type.Array(Orphan, { description: "What the last comparison found" }),
    checked_at: Nullable(Timestamp),
    error: Nullable(Type.String({ description: "Why the last comparison failed" })),
  }),
);

// Changing a machine -----------------------------------------------------------------------------------------------------

export const ResizeRequest = named(
  "ServerResizeRequest",
  Type.Object({
    server_type: Type.String({
      title: "server type",
      minLength: 1,
      maxLength: 200,
      description: "A `name` of the options",
    }),
  }),
);
export type ResizeRequest = Static<typeof ResizeRequest>;

export const SnapshotRequest = named(
  "ServerSnapshotRequest",
  Type.Object({ name: described(Name, "For people; also its name at the provider") }),
);

export const snapshotStates = ["creating", "ready", "failed", "deleting", "left"] as const;

export interface SnapshotRow {
  id: number;
  organization_id: number;
  provider_id: number;
  server_id: number | null;
  name: string;
  key: string;
  location: string;
  server_ref: string;
  server_os: CloudSystem;
  image_id: string | null;
  state: (typeof snapshotStates)[number];
  error: string | null;
  created_at: string;
  ready_at: string | null;
}

const ServerSnapshot = named(
  "ServerSnapshot",
  Type.Object({
    id: Id,
    name: text,
    server_id: Nullable(Type.Integer({ description: "The server that it was made of; null once that was deleted" })),
    provider_id: described(Id, "The connection that it can be ordered with"),
    location: described(text, "The provider's location or region"),
    server_os: described(text, "The operating system on it"),
    state: OneOf(snapshotStates, { description: "left: it could not be deleted at the provider" }),
    error: Nullable(described(text, "Why it failed, in a sentence")),
    created_at: Timestamp,
    ready_at: Nullable(Timestamp),
  }),
  "An image of a server, from which further ones can be ordered",
);

export const SnapshotPage = Page(ServerSnapshot);
export const SnapshotReply = Reply(ServerSnapshot);
export const SnapshotCreated = Created(ServerSnapshot);
