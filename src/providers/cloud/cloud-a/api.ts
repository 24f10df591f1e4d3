import { type Static, type TSchema, Type } from "typebox";
import type { CallLimit, CloudAccess, DriverOptions } from "../driver.ts";
import { callJson, type JsonApi, type JsonCall, listJson, type Paging, sendJson } from "../json-api.ts";
import { isMissing, label, refusalIn } from "./errors.ts";

/** 3,600 calls an hour for each project; one is refilled each second. */
export const limits: readonly CallLimit[] = [{ bucket: "hour", capacity: 3_600, refillPerSecond: 1 }];

export const makeApi = (options: DriverOptions): JsonApi => ({
  root: options.baseUrls.cloudAUrl ?? "https://api.hetzner.cloud/v1",
  caller: { label, limits, options, refusalIn },
});

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

// Only the fields that are used. Ids are numbers; ours are their text.

const paging: Paging<TSchema> = {
  perPage: 50,
  schema: Type.Object({ meta: Type.Object({ pagination: Type.Object({ next_page: Nullable(Type.Integer()) }) }) }),
  hasNext: (page) =>
    (page as { meta: { pagination: { next_page: number | null } } }).meta.pagination.next_page !== null,
};

export const Location = Type.Object({
  name: Type.String(),
  city: Type.String(),
  country: Type.String(),
  network_zone: Type.String(),
});

const Price = Type.Object({ net: Type.String(), gross: Type.String() });
const Deprecation = Type.Optional(Nullable(Type.Object({ unavailable_after: Type.String() })));

export const ServerType = Type.Object({
  name: Type.String(),
  description: Type.String(),
  cores: Type.Integer(),
  memory: Type.Number(),
  disk: Type.Number(),
  architecture: Type.Union([Type.Literal("x86"), Type.Literal("arm")]),
  prices: Type.Array(Type.Object({ location: Type.String(), price_monthly: Price })),
  locations: Type.Array(Type.Object({ name: Type.String(), available: Type.Boolean(), deprecation: Deprecation })),
});

export const Image = Type.Object({
  id: Type.Integer(),
  name: Nullable(Type.String()),
  description: Type.String(),
  status: Type.String(),
  created: Type.String(),
  image_size: Nullable(Type.Number()),
  os_flavor: Type.String(),
  os_version: Nullable(Type.String()),
  architecture: Type.Union([Type.Literal("x86"), Type.Literal("arm")]),
  labels: Type.Record(Type.String(), Type.String()),
});

export const Network = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  ip_range: Type.String(),
  subnets: Type.Array(Type.Object({ ip_range: Type.Optional(Type.String()), network_zone: Type.String() })),
});

export const Server = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  status: Type.String(),
  created: Type.String(),
  locked: Type.Boolean(),
  labels: Type.Record(Type.String(), Type.String()),
  location: Type.Object({ name: Type.String() }),
  server_type: Type.Object({ name: Type.String(), prices: ServerType.properties.prices }),
  public_net: Type.Object({
    ipv4: Nullable(Type.Object({ id: Type.Optional(Type.Integer()), ip: Type.String() })),
    ipv6: Nullable(Type.Object({ id: Type.Optional(Type.Integer()) })),
  }),
  private_net: Type.Array(Type.Object({ ip: Type.String() })),
  protection: Type.Object({ delete: Type.Boolean() }),
});

export const Firewall = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  created: Type.String(),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export const Action = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
});

export const Pricing = Type.Object({
  pricing: Type.Object({
    currency: Type.String(),
    image: Type.Object({ price_per_gb_month: Price }),
  }),
});

/** All items of a list. */
export const list = <Item extends TSchema>(
  api: JsonApi,
  access: CloudAccess,
  of: { call: JsonCall; name: string; item: Item },
): Promise<Static<Item>[]> => listJson(api, access, { ...of, paging });

/** One thing; undefined when it does not exist. */
export async function find<Schema extends TSchema>(
  api: JsonApi,
  access: CloudAccess,
  path: string,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  try {
    return await callJson(api, access, { path }, schema);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Deletes the resource at the path; does nothing when it is gone. */
export async function deleteAt(api: JsonApi, access: CloudAccess, path: string): Promise<void> {
  try {
    await sendJson(api, access, { method: "DELETE", path });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

// Labels: which things are ours, and of which order.
export const ownerLabel = "longshore";
export const orderLabel = "longshore-order";

export const labelsOf = ({ owner, key }: { owner: string; key: string }): Record<string, string> => ({
  [ownerLabel]: owner,
  [orderLabel]: key,
});

export const orderSelector = ({ owner, key }: { owner: string; key: string }): string =>
  `${ownerLabel}==${owner},${orderLabel}==${key}`;
