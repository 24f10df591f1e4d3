import { type Static, Type } from "typebox";
import { dryRun, Plan } from "../../http/dry-run.ts";
import { Some, Sort, Text } from "../../http/lists.ts";
import { Page, PageQuery } from "../../http/pagination.ts";
import { described, Id, Nullable, named, OneOf, OneOfIntegers, Reply, Success, Timestamp } from "../../http/schemas.ts";
import { ServerSetup } from "./setup/schema.ts";

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

export const orderableSystems = ["ubuntu_26_04", "ubuntu_24_04", "ubuntu_22_04"] as const;
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
  /** Whether projects are live on it, and its protection was never switched on or off. */
  protects_live_projects: boolean;
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

export const natPortMeaning = "Has no effect: Longshore connects to `ssh_port`";
const typeNames: Record<keyof typeof serverTypes, string> = {
  app: "App",
  database: "Database",
  cache: "Cache",
  search: "Search",
  loadBalancer: "Load Balancer",
};
export const typeMeanings = Object.entries(typeNames)
  .map(([type, label]) => `${serverTypes[type as keyof typeof serverTypes]} ${label}`)
  .join(", ");

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
  protects_live_projects: Type.Boolean({
    description:
      "Whether projects are live on it and `delete_protection` was never given: the console and the command line refuse to delete it, " +
      "and DELETE does with `keep_live`",
  }),
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

export const DeleteQuery = Type.Object({
  confirm: Type.Optional(
    // An empty one does not count as omitted, so that a script whose variable is empty deletes nothing.
    Type.String({
      minLength: 0,
      description: "The server's name: when it is given and is another one, nothing is deleted",
    }),
  ),
  keep_live: Type.Optional(
    Type.Boolean({
      description: "Answers 422 also while `protects_live_projects` of the server is true; default: false",
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
