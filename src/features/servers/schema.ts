import { isIP } from "node:net";
import { type Static, Type } from "typebox";
import { stepStatuses } from "../../engine/runs/queries.ts";
import { dryRun, Plan } from "../../http/dry-run.ts";
import { Some, Sort, Text } from "../../http/lists.ts";
import { LogQuery, LogSearchQuery, LogStreamQuery } from "../../http/logs.ts";
import { Page, PageQuery } from "../../http/pagination.ts";
import {
  described,
  Id,
  Joined,
  maxId,
  Name,
  Nullable,
  named,
  OneOf,
  OneOfIntegers,
  Reply,
  Success,
  Switch,
  Timestamp,
} from "../../http/schemas.ts";
import { isPrivateAddress, unmapped } from "../../lib/addresses.ts";
import { isTimezone } from "../../lib/timezone.ts";

export const serverTypes = { app: 0, database: 1, cache: 2, search: 3, loadBalancer: 4 } as const;
export const serverStatus = { installing: 0, provisioning: 1, provisioned: 10 } as const;
/** Where a server is: at first not connected to, then being set up or its setup gave up; then set up, and connected to or not. */
export const serverStates = ["installing", "provisioning", "ready", "unreachable"] as const;
export type ServerState = (typeof serverStates)[number];
/** The first connection to a server needs attention when it was not made for so long. */
export const patienceMinutes = 10;

export const connectionProblems = ["unreachable", "key_refused", "host_key_changed"] as const;
export type ConnectionProblem = (typeof connectionProblems)[number];
export const environments = ["production", "staging", "dev"] as const;

const orderableSystems = ["ubuntu_26_04", "ubuntu_24_04", "ubuntu_22_04"] as const;
/** Custom servers may run further systems: their os-release decides what is installed. */
export const customSystems = [...orderableSystems, "debian_12", "debian_13"] as const;
export const cloudTypes = ["cloud_a", "cloud_b", "cloud_c"] as const;
export type CloudType = (typeof cloudTypes)[number];
export const providerTypes = [...cloudTypes, "custom"] as const;
export type ProviderType = (typeof providerTypes)[number];
export const databaseEngines = ["mariadb", "postgresql", "none"] as const;
export type DatabaseEngine = (typeof databaseEngines)[number];

/** A row of `servers` as the API shows it. */
export interface ServerRow {
  id: number;
  organization_id: number;
  name: string;
  server_type: 0 | 1 | 2 | 3 | 4;
  environment: (typeof environments)[number] | null;
  is_pinned: boolean;
  public_ip: string | null;
  private_ip: string | null;
  ssh_port: number;
  nat_port: number | null;
  timezone: string;
  operating_system: string | null;
  connection_status: 0 | 1;
  connection_error: string | null;
  connection_problem: ConnectionProblem | null;
  ssh_public_key: string;
  server_status: 0 | 1 | 10;
  notes: string | null;
  queue_limit: number | null;
  monitoring_enabled: boolean;
  database_engine: DatabaseEngine;
  /** The name in /etc/os-release at the last setup, such as `debian 12`. */
  distribution: string | null;
  setup_version: string | null;
  provider_type: ProviderType;
  /** null for custom servers, and if the connection belongs to another organization. */
  provider_id: number | null;
  delete_protection: boolean;
  monthly_price_net: string | null;
  monthly_price_gross: string | null;
  price_currency: string | null;
  projects_count: number;
  is_this_machine: boolean;
  created_at: string;
  updated_at: string;
}

const Share = (what: string) =>
  Nullable(
    Type.Object(
      {
        total_bytes: Type.Integer({ description: "Of all of it" }),
        available_bytes: Type.Integer({ description: "Of what is left" }),
      },
      { description: what },
    ),
  );

// Usage of host/system/usage.ts, as each part was last said; null: it was not said in a form that can be true.
const usage = {
  load: Nullable(
    Type.Object(
      {
        one_minute: Type.Number({ description: "The average of the last minute" }),
        five_minutes: Type.Number({ description: "That of five minutes" }),
        fifteen_minutes: Type.Number({ description: "That of fifteen minutes" }),
        cores: Type.Integer({ description: "How many processes can run at once" }),
      },
      { description: "Processes that run or wait, on average; more than `cores` means that some wait" },
    ),
  ),
  memory: Share("Without swap; `available_bytes` is what programs can still get"),
  disk: Share("Of the file system with the projects"),
};
const ServerUsage = named(
  "ServerUsage",
  Type.Object({ ...usage, measured_at: described(Timestamp, "When the server said it") }),
  "How busy a server is",
);

const ServerTime = Type.String({
  description: "UTC, `YYYY-MM-DD HH:MM:SS`",
  pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$",
});

const natPortMeaning = "Has no effect: Longshore connects to `ssh_port`";
const typeNames: Record<keyof typeof serverTypes, string> = {
  app: "App",
  database: "Database",
  cache: "Cache",
  search: "Search",
  loadBalancer: "Load Balancer",
};
const typeMeanings = Object.entries(typeNames)
  .map(([type, label]) => `${serverTypes[type as keyof typeof serverTypes]} ${label}`)
  .join(", ");

const setupStates = [
  "running",
  "completed",
  "completed_with_failures",
  "completed_with_gaps",
  "stalled",
  "failed",
  "not_recorded",
] as const;
export type SetupState = (typeof setupStates)[number];
const SetupState = OneOf(setupStates, {
  description:
    "completed_with_failures: steps failed; completed_with_gaps: some never reported; stalled: the end was never reported; " +
    "failed: it gave up; not_recorded: there was none",
});

const ServerSetup = named(
  "ServerSetup",
  Type.Object({
    state: SetupState,
    attention_count: Type.Integer({ description: "How many entries `attention` of the setup record has" }),
  }),
  "How the newest setup of a server went, or how far it is",
);

const wholeServer = {
  id: Id,
  server_type: OneOfIntegers([0, 1, 2, 3, 4], { description: typeMeanings }),
  environment: Nullable(OneOf(environments, { description: "A label; null: none" })),
  is_pinned: Type.Boolean({ description: "Whether the calling user pinned it" }),
  name: Type.String(),
  public_ip: Nullable(Type.String({ description: "null until an ordered machine has one" })),
  private_ip: Nullable(
    Type.String({ description: "For the organization's other servers; null: they use the public one" }),
  ),
  ssh_port: Type.Integer({ description: "Where Longshore connects to" }),
  nat_port: Nullable(Type.Integer({ description: natPortMeaning })),
  timezone: Type.String({ description: "Of its clock and of scheduled jobs, such as Europe/Berlin" }),
  operating_system: Nullable(
    Type.String({
      description: "As found on the server; before the first connection as chosen when it was registered",
    }),
  ),
  connection_status: OneOfIntegers([0, 1], { description: "0 Disconnected, 1 Connected" }),
  connection_error: Nullable(
    Type.String({
      description: "What happened at the last attempt to connect that failed; null: connected, or none has ended yet",
    }),
  ),
  connection_problem: Nullable(
    OneOf(connectionProblems, {
      description:
        "Which kind of failure `connection_error` is. unreachable: no SSH server answered, or the connection broke; " +
        "key_refused: `connect_command` was not run on it yet, or root may not sign in with a key; host_key_changed: " +
        "another machine answers, or it was reinstalled. Null: connected, not attempted yet, or it waits for something else",
    }),
  ),
  connect_command: Nullable(
    Type.String({
      description: "What to run on a custom server as root, so that Longshore can connect; null while it is connected",
    }),
  ),
  server_status: OneOfIntegers([0, 1, 10], { description: "0 Installing, 1 Provisioning, 10 Provisioned" }),
  state: OneOf(serverStates, {
    description:
      "installing: not connected to yet; provisioning: its setup runs, or gave up; ready: set up and connected; unreachable: " +
      "set up, and the last check did not reach it",
  }),
  last_seen_at: Nullable({ ...Timestamp, description: "When Longshore was last connected to it" }),
  setup: ServerSetup,
  usage: Nullable(ServerUsage),
  accepts_projects: Type.Boolean({ description: "Whether projects can be created on it, and moved to it" }),
  reason: Nullable(Type.String({ description: "Why it accepts no projects" })),
  notes: Nullable(Type.String({ description: "Free text for people" })),
  queue_limit: Nullable(Type.Integer({ description: "How many deployments may run on it at once; null: no limit" })),
  monitoring_enabled: Type.Boolean({ description: "Always true: monitoring of a server cannot be switched off" }),
  setup_version: Nullable(
    Type.String({
      description: "Identifies the steps of the last setup that reached its end; null before that",
    }),
  ),
  setup_is_outdated: Type.Boolean({
    description: "Whether a setup by this version of Longshore would do something else",
  }),
  provider_type: OneOf(providerTypes, { description: "Where it was ordered; custom: your own machine" }),
  provider_id: Nullable(
    Type.Integer({ description: "The connection that it was ordered with; null for custom servers" }),
  ),
  delete_protection: Type.Boolean({ description: "DELETE answers 422 while it is on" }),
  monthly_price_net: Nullable(
    Type.String({ description: "The provider's monthly price of an ordered server, without VAT" }),
  ),
  monthly_price_gross: Nullable(Type.String({ description: "With VAT; equal to net on cloud_b and cloud_c" })),
  price_currency: Nullable(Type.String({ description: "EUR or USD; null without a price" })),
  projects_count: Type.Integer({ description: "Projects on it, those behind a load balancer included" }),
  is_this_machine: Type.Boolean({ description: "Whether Longshore itself runs on it" }),
  created_at: ServerTime,
  updated_at: ServerTime,
};

export const WholeServer = named(
  "WholeServer",
  Type.Object(wholeServer),
  "A server that the caller reaches with all of its projects",
);

/** A server that is shown only because the membership lists a project on it. */
export const NamedServer = named(
  "NamedServer",
  Type.Object({ id: Id, name: Type.String() }),
  "A server of which the caller reaches a project only",
);

const { id, name, ...hidden } = wholeServer;

/** One flat object for the serializer, since a union would cost it a validation of every item. */
export const Server = named(
  "Server",
  Type.Unsafe<Static<typeof WholeServer> | Static<typeof NamedServer>>({
    ...Type.Object({ id, name, ...Type.Partial(Type.Object(hidden)).properties }),
    documentedAs: {
      type: undefined,
      required: undefined,
      properties: undefined,
      description: "A server; only id and name when the caller reaches no more than a project on it.",
      anyOf: [WholeServer, NamedServer],
    },
  }),
);

export const ServerListQuery = Type.Object({
  ...PageQuery.properties,
  q: Text("name or address"),
  server_type: Type.Optional(
    Type.Array(OneOfIntegers([0, 1, 2, 3, 4]), { maxItems: 5, description: `${typeMeanings}; several between commas` }),
  ),
  state: Some(serverStates, "Only those in this state"),
  provider_type: Some(providerTypes, "Only those of this provider"),
  sort: Sort(["id", "name", "created_at", "last_seen_at", "load", "memory", "disk"], "id"),
});

export const ServerPage = Page(Server);
export const ServerReply = Reply(Server);

// Requests ---------------------------------------------------------------------------------------------------------------

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
    delete_protection: Type.Optional(described(Switch, "Whether DELETE answers 422")),
  }),
);
export type ServerUpdate = Static<typeof ServerUpdate>;

export const TransferRequest = named(
  "ServerTransferRequest",
  Type.Object({ organization_id: described(Id, "The destination, of which the caller has to be an Owner") }),
);
export const ServerTransferred = named(
  "ServerTransferred",
  Success({ message: Type.String(), server_id: Id, organization_id: described(Id, "Where it is now") }),
);

export const ServerPinned = named(
  "ServerPinned",
  Success({ is_pinned: Type.Boolean({ description: "Whether the caller has it pinned now" }) }),
);

const created = { status: Type.Literal("provisioning"), message: Type.String(), server_id: Id };
const waysIn = {
  public_key: Type.String({ description: "The key with which Longshore will log in to this server alone" }),
  connect_command: Type.String({ description: "Run it on the server as root, so that Longshore can sign in" }),
};

/** One flat object for the serializer. */
export const ServerCreated = named(
  "ServerCreated",
  Object.assign(Type.Object({ ...created, ...Type.Partial(Type.Object(waysIn)).properties }), {
    documentedAs: {
      type: undefined,
      required: undefined,
      properties: undefined,
      anyOf: [
        named("CustomServerCreated", Type.Object({ ...created, ...waysIn })),
        named("OrderedServerCreated", Type.Object(created)),
      ],
    },
  }),
);

export const ServerDeleted = named(
  "ServerDeleted",
  Success({ message: Type.String(), server_id: Id, plan: Type.Optional(Plan) }),
);

export const ServerChanged = named("ServerChanged", Success({ message: Type.String(), server_id: Id }));

const ofRun = {
  run_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxId, description: "An `id` of the list of setups; default: the newest" }),
  ),
};

export const DeleteQuery = Type.Object({
  confirm: Type.Optional(
    // An empty one does not count as omitted, so that a script whose variable is empty deletes nothing.
    Type.String({
      minLength: 0,
      description: "The server's name: when it is given and is another one, nothing is deleted",
    }),
  ),
  dry_run: dryRun,
});
export const CreateQuery = Type.Object({ dry_run: dryRun });

export const RebootQuery = Type.Object({
  confirm: Type.Optional(
    Type.String({
      minLength: 0,
      description: "The server's name: without it, the machine that Longshore runs on is not rebooted",
    }),
  ),
});

export const ThisMachine = named(
  "ThisMachine",
  Type.Object({
    is_offered: Type.Boolean({ description: "Whether `POST /servers` with `this_machine` would add it" }),
    reason: Nullable(Type.String({ description: "Why it is not offered" })),
    public_ip: Nullable(
      Type.String({ description: "The address that it would have; null: it is not offered, or none can be read" }),
    ),
    server_os: Nullable(
      OneOf(customSystems, { description: "What runs on it; null: it is not offered, or that is not supported" }),
    ),
  }),
  "The machine that Longshore runs on",
);
export const ThisMachineReply = Reply(ThisMachine);

export const SetupQuery = Type.Object({
  include_steps: Type.Optional(Type.Boolean({ description: "Adds `steps`, each with its state" })),
  ...ofRun,
});
export const SetupLogQuery = Type.Object({ ...LogQuery.properties, ...ofRun });
export const SetupLogStreamQuery = Type.Object({ ...LogStreamQuery.properties, ...ofRun });
export const SetupLogSearchQuery = Type.Object({ ...LogSearchQuery.properties, ...ofRun });

const SetupStepDuration = named(
  "SetupStepDuration",
  Type.Object({
    key: Type.String({ description: "Names the step, and stays the same in further versions" }),
    label: Type.String({ description: "For display" }),
    phase: Type.String({ description: "The `phase` that it belongs to" }),
    duration_ms: Nullable(Type.Integer({ description: "null before it has begun" })),
  }),
  "A step of a setup",
);

const SetupStep = named(
  "SetupStep",
  Joined(
    SetupStepDuration,
    Type.Object({
      status: OneOf(stepStatuses, { description: "Its state; skipped: it was not needed" }),
      status_label: Type.String({ description: "The state, for display" }),
      detail: Nullable(Type.String({ description: "What it produced, or why it failed" })),
      started_at: Nullable(Timestamp),
      finished_at: Nullable(Timestamp),
    }),
  ),
);

const count = Type.Integer({ description: "How many steps" });
const milliseconds = Type.Integer({ description: "Milliseconds from the beginning to the end, or until now" });

const SetupSummary = named(
  "SetupSummary",
  Type.Object({
    total: count,
    pending: count,
    running: count,
    completed: count,
    failed: count,
    skipped: count,
    unreported: count,
  }),
  "The number of steps in each state",
);

const SetupRun = named(
  "SetupRun",
  Type.Object({
    id: Id,
    state: SetupState,
    setup_version: Nullable(Type.String({ description: "null before it is planned" })),
    summary: SetupSummary,
    total_duration_ms: milliseconds,
    error: Nullable(Type.String({ description: "Why the setup gave up" })),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
  }),
  "One run of the setup of a server",
);
export const SetupRunPage = Page(SetupRun);

const SetupPhase = named(
  "SetupPhase",
  Type.Object({
    phase: Type.String({ description: "Names the phase" }),
    label: Type.String({ description: "For display" }),
    total: count,
    completed: count,
    failed: Type.Optional(described(count, "How many steps; omitted when none has failed")),
    duration_ms: milliseconds,
  }),
  "Steps of a setup that belong together",
);

const Setup = named(
  "Setup",
  Type.Object({
    server_id: Id,
    run_id: Nullable(described(Id, "The `id` in the list of setups; null: there was none")),
    recorded: Type.Boolean({ description: "Whether there was a setup" }),
    state: SetupState,
    summary: SetupSummary,
    phases: Type.Array(SetupPhase, { description: "In the order in which they run" }),
    attention: Type.Array(SetupStep, { description: "Steps that failed or never reported" }),
    slowest: Type.Array(SetupStepDuration, { description: "The five slowest steps" }),
    total_duration_ms: milliseconds,
    current_step: Nullable(Type.String({ description: "The label of the step that runs, or where it stopped" })),
    error: Nullable(Type.String({ description: "Why the setup gave up, or why the server cannot be connected to" })),
    steps: Type.Optional(Type.Array(SetupStep, { description: "All of them, with `include_steps`" })),
  }),
  "The setup of a server",
);
export const SetupReply = Reply(Setup);
