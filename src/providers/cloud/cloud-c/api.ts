import { type TSchema, Type } from "typebox";
import { readShape } from "../call.ts";
import type { CallLimit, DriverOptions, OrderRef } from "../driver.ts";
import type { JsonApi } from "../json-api.ts";
import { label, refusalIn } from "./errors.ts";

/** 5,000 calls an hour and 250 a minute for each token. */
export const limits: readonly CallLimit[] = [
  { bucket: "minute", capacity: 250, refillPerSecond: 250 / 60 },
  { bucket: "hour", capacity: 5_000, refillPerSecond: 5_000 / 3_600 },
];

export const makeApi = (options: DriverOptions): JsonApi => ({
  caller: { label, limits, options, refusalIn },
  root: `${options.baseUrls.cloudCUrl ?? "https://api.digitalocean.com"}/v2`,
  paging: {
    perPage: 200,
    hasNext: (page) => readShape(label, Page, page).links?.pages?.next !== undefined,
  },
  paths: {
    server: "/droplets",
    address: "/reserved_ips",
    volume: "/volumes",
    firewall: "/firewalls",
    key: "/account/keys",
    image: "/images",
  },
});

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

// `links` is empty or missing on a single page.
const Page = Type.Object({
  links: Type.Optional(Type.Object({ pages: Type.Optional(Type.Object({ next: Type.Optional(Type.String()) })) })),
});

// Only the fields that are used. Ids are numbers or texts; ours are their text.

export const Account = Type.Object({
  account: Type.Object({
    uuid: Type.String(),
    email: Type.String(),
    status: Type.String(),
    droplet_limit: Type.Integer(),
    floating_ip_limit: Type.Integer(),
    team: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
  }),
});

export const Region = Type.Object({ slug: Type.String(), name: Type.String(), available: Type.Boolean() });

export const Size = Type.Object({
  slug: Type.String(),
  description: Type.String(),
  memory: Type.Number(),
  vcpus: Type.Integer(),
  disk: Type.Number(),
  price_monthly: Type.Number({ minimum: 0, maximum: 1_000_000_000 }),
  regions: Type.Array(Type.String()),
  available: Type.Boolean(),
});

export const Image = Type.Object({
  id: Type.Integer(),
  slug: Type.Optional(Nullable(Type.String())),
  name: Type.String(),
  distribution: Type.Optional(Type.String()),
  regions: Type.Array(Type.String()),
  /** In GB: the smallest disk that it fits on. */
  min_disk_size: Type.Optional(Nullable(Type.Number())),
  status: Type.Optional(Type.String()),
  created_at: Type.Optional(Type.String()),
  size_gigabytes: Type.Optional(Nullable(Type.Number())),
});

export const Vpc = Type.Object({
  id: Type.String(),
  name: Type.String(),
  region: Type.String(),
  ip_range: Type.String(),
  default: Type.Optional(Type.Boolean()),
});

export const Droplet = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  status: Type.String(),
  created_at: Type.String(),
  locked: Type.Boolean(),
  size_slug: Type.String(),
  disk: Type.Optional(Type.Number()),
  size: Type.Object({ price_monthly: Size.properties.price_monthly }),
  region: Type.Object({ slug: Type.String() }),
  tags: Type.Array(Type.String()),
  volume_ids: Type.Array(Type.String()),
  networks: Type.Object({
    v4: Type.Optional(
      Type.Array(Type.Object({ ip_address: Type.Optional(Type.String()), type: Type.Optional(Type.String()) })),
    ),
  }),
});

export const ReservedIp = Type.Object({
  ip: Type.String(),
  region: Type.Optional(Type.Object({ slug: Type.String() })),
  droplet: Type.Optional(
    Nullable(Type.Object({ id: Type.Optional(Type.Integer()), tags: Type.Optional(Type.Array(Type.String())) })),
  ),
});

export const Firewall = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Type.Optional(Type.String()),
});

export const Action = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  type: Type.String(),
  completed_at: Type.Optional(Nullable(Type.String())),
});

// Droplets have tags. The tags of a firewall are the droplets it applies to, and images get none when they are created:
// their names contain both words, which have no dots.
export const ownerTag = (owner: string): string => `longshore-owner-${owner}`;
export const orderTag = (key: string): string => `longshore-${key}`;

export const nameOf = ({ owner, key }: Pick<OrderRef, "owner" | "key">): string => `longshore.${owner}.${key}`;

/** The order of a name that `nameOf` made for this owner. */
export function orderOfName(name: string, owner: string): string | undefined {
  const [first, second, key, ...more] = name.split(".");
  return first === "longshore" && second === owner && more.length === 0 ? key : undefined;
}

export function orderOfTags(tags: readonly string[]): string | null {
  const tag = tags.find((each) => each.startsWith("longshore-") && !each.startsWith("longshore-owner-"));
  return tag?.slice("longshore-".length) ?? null;
}
