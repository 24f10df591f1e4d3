import { type TSchema, Type } from "typebox";
import { readShape } from "../call.ts";
import type { CallLimit, DriverOptions } from "../driver.ts";
import type { JsonApi } from "../json-api.ts";
import { label, refusalIn } from "./errors.ts";

/** 3,600 calls an hour for each project; one is refilled each second. */
export const limits: readonly CallLimit[] = [{ bucket: "hour", capacity: 3_600, refillPerSecond: 1 }];

export const makeApi = (options: DriverOptions): JsonApi => ({
  caller: { label, limits, options, refusalIn },
  root: options.baseUrls.cloudAUrl ?? "https://api.hetzner.cloud/v1",
  paging: {
    perPage: 50,
    hasNext: (page) => readShape(label, Page, page).meta.pagination.next_page !== null,
  },
  paths: {
    server: "/servers",
    address: "/primary_ips",
    volume: "/volumes",
    firewall: "/firewalls",
    key: "/ssh_keys",
    image: "/images",
  },
});

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

// Only the fields that are used. Ids are numbers; ours are their text.

const Page = Type.Object({
  meta: Type.Object({ pagination: Type.Object({ next_page: Nullable(Type.Integer()) }) }),
});

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
  cores: Type.Number(),
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
  /** The smallest disk that it fits on. */
  disk_size: Type.Optional(Type.Number()),
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
  private_net: Type.Array(Type.Object({ ip: Type.Optional(Type.String()) })),
  primary_disk_size: Type.Optional(Type.Number()),
});

/** An address that exists apart from its server. */
export const PrimaryIp = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  type: Type.String(),
  assignee_id: Type.Optional(Nullable(Type.Integer())),
  created: Type.Optional(Type.String()),
  location: Type.Optional(Type.Object({ name: Type.String() })),
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
    image: Type.Optional(Type.Unknown()),
    primary_ips: Type.Optional(Type.Array(Type.Unknown())),
  }),
});
export const ImagePrice = Type.Object({ price_per_gb_month: Price });
export const AddressPrices = Type.Object({
  type: Type.String(),
  prices: Type.Array(Type.Object({ location: Type.String(), price_monthly: Price })),
});

// Labels: which resources are ours, and of which order.
export const ownerLabel = "longshore";
export const orderLabel = "longshore-order";

export const labelsOf = ({ owner, key }: { owner: string; key: string }): Record<string, string> => ({
  [ownerLabel]: owner,
  [orderLabel]: key,
});

/** The label selector of an order's resources, or of all of the installation's. */
export const selectorOf = ({ owner, key }: { owner: string; key?: string }): string =>
  key === undefined ? `${ownerLabel}==${owner}` : `${ownerLabel}==${owner},${orderLabel}==${key}`;
