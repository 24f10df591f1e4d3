import { Type } from "typebox";
import { Page } from "../../http/pagination.ts";
import { Id, Name, Nullable, OneOf, OneOfIntegers, Success } from "../../http/schemas.ts";

export const serverTypes = { app: 0, database: 1, cache: 2, search: 3, loadBalancer: 4 } as const;
export const serverStatus = { installing: 0, provisioning: 1, provisioned: 10 } as const;
export const environments = ["production", "staging", "dev"] as const;

const orderableSystems = ["ubuntu_26_04", "ubuntu_24_04", "ubuntu_22_04"] as const;
/** What a custom server may run besides: its own os-release decides what is installed. */
export const customSystems = [...orderableSystems, "debian_12", "debian_13"] as const;
export const providerTypes = ["cloud_a", "cloud_b", "cloud_c", "custom"] as const;
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
  server_status: 0 | 1 | 10;
  notes: string | null;
  queue_limit: number | null;
  monitoring_enabled: boolean;
  projects_count: number;
  created_at: string;
  updated_at: string;
}

const ServerTime = Type.String({ description: "UTC, `YYYY-MM-DD HH:MM:SS`" });

export const Server = Type.Object({
  id: Id,
  server_type: OneOfIntegers([0, 1, 2, 3, 4], { description: "0 App, 1 Database, 2 Cache, 3 Search, 4 Load Balancer" }),
  environment: Nullable(Type.String({ description: "production, staging or dev" })),
  is_pinned: Type.Boolean({ description: "Whether the calling user pinned it" }),
  name: Type.String(),
  public_ip: Nullable(Type.String()),
  private_ip: Nullable(Type.String()),
  ssh_port: Type.Integer(),
  nat_port: Nullable(Type.Integer()),
  timezone: Type.String(),
  operating_system: Nullable(Type.String()),
  connection_status: OneOfIntegers([0, 1], { description: "0 Disconnected, 1 Connected" }),
  connection_error: Nullable(Type.String({ description: "Why the last attempt to connect failed" })),
  server_status: OneOfIntegers([0, 1, 10], { description: "0 Installing, 1 Provisioning, 10 Provisioned" }),
  notes: Nullable(Type.String()),
  queue_limit: Nullable(Type.Integer({ description: "Deployments running on it at once at the most" })),
  monitoring_enabled: Type.Boolean(),
  projects_count: Type.Integer(),
  created_at: ServerTime,
  updated_at: ServerTime,
});

export const ServerPage = Page(Server);
export const ServerReply = Success({ data: Server });

export const ServerRequest = Type.Object({
  name: Type.Optional(Name),
  server_os: OneOf(customSystems, { title: "operating system" }),
  provider_type: Type.Optional(OneOf(providerTypes)),
  provider_id: Type.Optional(Id),
  server_type: Type.Optional(OneOfIntegers([0, 1, 2, 3, 4])),
  public_ip: Type.Optional(Type.String({ title: "public address" })),
  ssh_port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  timezone: Type.Optional(Type.String({ maxLength: 64 })),
  environment: Type.Optional(Nullable(OneOf(environments))),
  database_engine: Type.Optional(OneOf(databaseEngines)),
  notes: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
});

export const ServerCreated = Type.Object({
  status: Type.Literal("provisioning"),
  message: Type.String(),
  server_id: Id,
  public_key: Type.String({ description: "The key with which Longshore will log in to this server alone" }),
  connect_command: Type.String({ description: "Run it on the server as root: it lets Longshore in" }),
});

export const ServerChanged = Success({ message: Type.String(), server_id: Id });

export const SetupQuery = Type.Object({ include_steps: Type.Optional(Type.Boolean()) });

const stepFields = {
  key: Type.String(),
  label: Type.String(),
  phase: Type.String(),
  duration_ms: Nullable(Type.Integer()),
};

const SetupStep = Type.Object({
  ...stepFields,
  status: Type.String({ description: "pending, running, completed, failed, skipped or unreported" }),
  status_label: Type.String(),
  detail: Nullable(Type.String()),
  started_at: Nullable(Type.String()),
  finished_at: Nullable(Type.String()),
});

const count = Type.Integer();

export const SetupReply = Success({
  data: Type.Object({
    server_id: Id,
    recorded: Type.Boolean(),
    state: OneOf([
      "running",
      "completed",
      "completed_with_failures",
      "completed_with_gaps",
      "stalled",
      "failed",
      "not_recorded",
    ]),
    summary: Type.Object({
      total: count,
      pending: count,
      running: count,
      completed: count,
      failed: count,
      skipped: count,
      unreported: count,
    }),
    phases: Type.Array(
      Type.Object({
        phase: Type.String(),
        label: Type.String(),
        total: count,
        completed: count,
        failed: Type.Optional(count),
        duration_ms: count,
      }),
    ),
    attention: Type.Array(SetupStep),
    slowest: Type.Array(Type.Object(stepFields)),
    total_duration_ms: count,
    current_step: Nullable(Type.String()),
    error: Nullable(Type.String({ description: "Why the setup gave up, or why the server cannot be connected to" })),
    steps: Type.Optional(Type.Array(SetupStep)),
  }),
});
