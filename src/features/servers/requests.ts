import { isIP } from "node:net";
import { type Static, Type } from "typebox";
import { described, Id, maxId, Name, Nullable, named, OneOf, OneOfIntegers, Switch } from "../../http/schemas.ts";
import { isPrivateAddress, unmapped } from "../../lib/addresses.ts";
import { isTimezone } from "../../lib/timezone.ts";
import {
  type CloudType,
  customSystems,
  databaseEngines,
  environments,
  natPortMeaning,
  orderableSystems,
  type ProviderType,
  providerTypes,
  typeMeanings,
} from "./schema.ts";

// What creates a server, and what changes its record.

// A zone (`fe80::1%eth0`) means nothing on another machine. An IPv4 address in the form of an IPv6 address would be a second
// spelling of it, and addresses are unique.
const isAddress = (text: unknown): boolean =>
  typeof text === "string" && isIP(text) !== 0 && !text.includes("%") && isIP(unmapped(text)) === isIP(text);

const Address = (label: string) =>
  Type.Refine(
    Type.String({ title: label, errorMessage: `The ${label} must be an IPv4 or IPv6 address.` }),
    isAddress,
    () => "no address",
  );

const Timezone = Type.Refine(
  Type.String({ errorMessage: "The timezone must be a name of the time zone database, such as Europe/Berlin." }),
  isTimezone,
  () => "no time zone",
);

const Port = (title: string) => Type.Integer({ minimum: 1, maximum: 65_535, title });
const Notes = Nullable(Type.String({ maxLength: 10_000, description: "Free text for people" }));
const ServerName = described(Name, "For people; need not be unique");
const Environment = Nullable(OneOf(environments, { description: "A label; null: none" }));

const common = {
  name: Type.Optional(described(Name, "For people; default: server- and six hexadecimal digits")),
  server_type: Type.Optional(OneOfIntegers([0, 1, 2, 3, 4], { description: `${typeMeanings}; default: 0` })),
  timezone: Type.Optional(
    described(Timezone, "Of its clock and of scheduled jobs, such as Europe/Berlin; default: UTC"),
  ),
  environment: Type.Optional(Environment),
  database_engine: Type.Optional(
    OneOf(databaseEngines, { description: "Default: mariadb on App and Database servers, none on others" }),
  ),
  notes: Type.Optional(Notes),
};

const ofCloud = <const Cloud extends CloudType>(cloud: Cloud) => ({
  ...common,
  server_os: OneOf(orderableSystems, { title: "operating system", description: "Decides the image that is ordered" }),
  provider_type: Type.Literal(cloud, { description: "Where it is ordered" }),
  provider_id: described(Id, "A connection of this type (`GET /server-providers`)"),
  snapshot_id: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: maxId,
        description: "Ordered from this snapshot instead of an image; its disk, architecture and region have to fit",
      }),
    ),
  ),
});

const Required = (title: string, description: string) =>
  Type.String({ title, minLength: 1, maxLength: 200, description });

const CustomServer = named(
  "CustomServerRequest",
  Type.Object({
    ...common,
    server_os: OneOf(customSystems, { title: "operating system", description: "What runs on the machine" }),
    provider_type: Type.Optional(Type.Literal("custom", { description: "Your own machine; the default" })),
    public_ip: described(Address("public address"), "IPv4 or IPv6, of no other server"),
    ssh_port: Type.Optional(described(Port("SSH port"), "Where its SSH server listens; default: 22")),
  }),
);

const { server_type: _, ...commonOfMachine } = common;

/** The request to add the machine that Longshore runs on. */
export const ThisMachineServer = named(
  "ThisMachineServerRequest",
  Type.Object({
    ...commonOfMachine,
    this_machine: Type.Literal(true, {
      description: "The machine that Longshore runs on, if `GET /this-machine` offers it",
    }),
    server_type: Type.Optional(OneOfIntegers([0], { description: "It can only be an App server" })),
    // No constant: a request with another one is for this machine all the same, and wrong.
    provider_type: Type.Optional(OneOf(["custom"], { description: "It cannot be ordered" })),
    server_os: Type.Optional(
      OneOf(customSystems, { title: "operating system", description: "Default: what runs on the machine" }),
    ),
    public_ip: Type.Optional(
      described(
        Address("public address"),
        "Where domains have to point, of no other server. Default: that of `GET /this-machine`. Longshore connects to 127.0.0.1",
      ),
    ),
  }),
);

const CloudAServer = named(
  "CloudAServerRequest",
  Type.Object({
    ...ofCloud("cloud_a"),
    cloud_a_location: Required("location", "The `id` of a location of the options"),
    cloud_a_server_type: Required("server type", "The `name` of a server type of the options for the location"),
    cloud_a_network: Type.Optional(
      Type.Unsafe<number | string | null>({
        anyOf: [Id, { type: "string", pattern: "^[1-9][0-9]{0,15}$" }, { type: "null" }],
        description: "The `id` of a private network of the options; default: none",
        errorMessage: "The network must be the id of a private network.",
      }),
    ),
  }),
);

const CloudBServer = named(
  "CloudBServerRequest",
  Type.Object({
    ...ofCloud("cloud_b"),
    cloud_b_region: Required("region", "The `id` of a location of the options"),
    cloud_b_instance_type: Required("instance type", "The `name` of a server type of the options for the region"),
    cloud_b_subnet_id: Required("subnet", "The `id` of a subnet of the options; decides the availability zone"),
    cloud_b_volume_size: Type.Integer({
      title: "volume size",
      minimum: 20,
      maximum: 65_536,
      description: "GB; gp2 has at most 16384",
    }),
    cloud_b_volume_type: Type.Optional(
      OneOf(["gp3", "gp2", "io2"], { title: "volume type", description: "Default: gp3" }),
    ),
    cloud_b_use_static_ip: Type.Optional(
      Type.Boolean({
        title: "static address switch",
        description: "Whether it gets an address of its own that stays; default: true",
      }),
    ),
  }),
);

const CloudCServer = named(
  "CloudCServerRequest",
  Type.Object({
    ...ofCloud("cloud_c"),
    cloud_c_region: Required("region", "The `id` of a location of the options"),
    cloud_c_size: Required("size", "The `name` of a server type of the options for the region"),
    cloud_c_vpc_uuid: Type.Optional(
      Nullable(
        Type.String({
          pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
          description: "A private network of the region; default: the region's own",
          errorMessage: "The VPC must be named by its UUID.",
        }),
      ),
    ),
    cloud_c_use_firewall: Type.Optional(
      Type.Boolean({
        title: "firewall switch",
        description: "Whether a firewall allows the ports 22, 80 and 443 only, and all outbound; default: true",
      }),
    ),
    cloud_c_use_reserved_ip: Type.Optional(
      Type.Boolean({
        title: "reserved address switch",
        description: "Whether it gets a reserved address, by which it is managed; default: false",
      }),
    ),
  }),
);

export type CustomServer = Static<typeof CustomServer>;
export type ThisMachineServer = Static<typeof ThisMachineServer>;
export type CloudServer = Static<typeof CloudAServer> | Static<typeof CloudBServer> | Static<typeof CloudCServer>;

/** The requests to create a server, by provider type. */
export const serverRequests = {
  custom: CustomServer,
  cloud_a: CloudAServer,
  cloud_b: CloudBServer,
  cloud_c: CloudCServer,
} as const satisfies Record<ProviderType, unknown>;

/** Checks a request with an invalid provider type: the fields that every server has. */
export const UnknownServer = Type.Object({
  ...common,
  server_os: OneOf(customSystems, { title: "operating system" }),
  provider_type: OneOf(providerTypes),
});

/** Read by validation.ts, which derives the required fields from the provider type: all errors are reported at once. */
export const ServerRequest = named(
  "ServerRequest",
  Type.Unsafe<unknown>({
    documentedAs: {
      type: "object",
      anyOf: [ThisMachineServer, ...Object.values(serverRequests)],
    },
  }),
);

const emptyIsNull = (schema: object, options: { errorMessage: string; description?: string }) =>
  Type.Optional(Type.Unsafe<number | "" | null>({ anyOf: [schema, { const: "" }, { type: "null" }], ...options }));

export const ServerUpdate = named(
  "ServerUpdate",
  Type.Object({
    name: Type.Optional(ServerName),
    public_ip: Type.Optional(described(Address("public address"), "IPv4 or IPv6, of no other server")),
    private_ip: Type.Optional(
      Type.Refine(
        Type.Unsafe<string | null>({
          type: ["string", "null"],
          description: "IPv4 or IPv6 of a private network, for the organization's other servers; null or empty: none",
          errorMessage: "The private address must be an IPv4 or IPv6 address of a private network, or empty.",
        }),
        (text) => text === null || text === "" || (isAddress(text) && isPrivateAddress(text)),
        () => "no address",
      ),
    ),
    ssh_port: Type.Optional(described(Port("SSH port"), "Where Longshore connects to")),
    nat_port: emptyIsNull(Port("NAT port"), {
      errorMessage: "The NAT port must be a port from 1 to 65535, or empty.",
      description: natPortMeaning,
    }),
    timezone: Type.Optional(described(Timezone, "Of its clock and of scheduled jobs, such as Europe/Berlin")),
    notes: Type.Optional(Notes),
    queue_limit: emptyIsNull(
      { type: "integer", minimum: 1, maximum: 10_000 },
      {
        errorMessage: "The queue limit must be a whole number from 1 to 10000, or empty for no limit.",
        description: "How many deployments may run on it at once; null or empty: no limit",
      },
    ),
    environment: Type.Optional(Environment),
    delete_protection: Type.Optional(
      described(Switch, "Whether DELETE answers 422; once given, live projects alone protect no more"),
    ),
  }),
);
export type ServerUpdate = Static<typeof ServerUpdate>;
