import { type Static, Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import {
  Id,
  List,
  Name,
  Nullable,
  named,
  OneOf,
  OneOfIntegers,
  Reply,
  Success,
  Timestamp,
} from "../../http/schemas.ts";

/** The installation of an application: its workflow and its runs. */
export const appInstallKind: Kind = { kind: "app-install", subject: "project" };
export const appUpdateKind: Kind = { kind: "app-update", subject: "project" };
/** The address that a running application was started with. */
export const appAddressKind: Kind = { kind: "app-address", subject: "project" };

export const automaticUpdates = ["off", "minor"] as const;

/** A row of `app_installations`. */
export interface InstallationRow {
  project_id: number;
  /** Encrypted JSON. */
  answers: Buffer;
  database_id: number | null;
  last_release: number;
  automatic_updates: (typeof automaticUpdates)[number];
  update_available: string | null;
  update_is_security: boolean;
  announced_version: string | null;
  /** The address its process was started with, for an application with `keepsAddress`; null: not known. */
  address: string | null;
  update_state: "running" | "succeeded" | "failed" | null;
  update_version: string | null;
  update_release: number | null;
  update_error: string | null;
  update_ended_at: string | null;
}

const text = Type.String();

const AppInput = named(
  "AppInput",
  Type.Object({
    key: text,
    label: text,
    type: OneOf(["text", "email", "password"]),
    required: Type.Boolean(),
    generated: Type.Boolean({ description: "Whether an empty answer is generated" }),
  }),
  "A question that an installation asks",
);

const CatalogApp = named(
  "CatalogApp",
  Type.Object({
    slug: text,
    name: text,
    category: text,
    summary: text,
    layout: Type.String({ description: "Layout of its files in the project's directory" }),
    available: Type.Boolean(),
    unavailable_reasons: Type.Array(text),
    inputs: Type.Array(AppInput),
  }),
  "An application that can be installed",
);
export const AppList = List(CatalogApp);

export const InstallRequest = named(
  "AppInstallRequest",
  Type.Object({
    name: Name,
    domain: Type.String({ maxLength: 300 }),
    server_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, title: "server" }),
    app_slug: Type.String({ minLength: 1, maxLength: 50, title: "application" }),
    inputs: Type.Optional(
      Nullable(
        Type.Record(Type.String({ maxLength: 100 }), Nullable(Type.String({ maxLength: 1_000 })), {
          maxProperties: 50,
        }),
      ),
    ),
    www_redirect: Type.Optional(OneOfIntegers([0, 1, 2])),
  }),
);
export type InstallRequest = Static<typeof InstallRequest>;

const AppInstallation = named(
  "AppInstallation",
  Type.Object({
    id: Id,
    server_id: Id,
    name: text,
    app_slug: text,
    domain: text,
    installation_status: OneOfIntegers([0]),
  }),
  "A project whose application is being installed",
);
export const Installing = named("AppInstallAccepted", Success({ message: text, data: AppInstallation }));

const AppInstallStep = named(
  "AppInstallStep",
  Type.Object({
    key: text,
    label: text,
    position: Type.Integer(),
    status: OneOf(["pending", "running", "completed", "failed", "skipped"]),
    detail: Nullable(Type.String({ description: "Result of the step, or why it stopped" })),
    duration_ms: Type.Integer(),
  }),
);

const AppInstallProgress = named(
  "AppInstallProgress",
  Type.Object({
    installation_status: OneOfIntegers([0, 1, 2], { description: "0 running, 1 up, 2 a step failed" }),
    app_slug: Nullable(text),
    app_version: Nullable(text),
    steps: Type.Array(AppInstallStep),
  }),
  "How far the installation of an application is",
);
export const InstallSteps = Reply(AppInstallProgress);

const AppDatabase = named(
  "AppDatabase",
  Type.Object({
    engine: OneOf(["mariadb", "postgresql"]),
    name: text,
    username: text,
    password: text,
    host: text,
  }),
);

const AppCredential = named(
  "AppCredential",
  Type.Object({ label: text, value: text, secret: Type.Boolean() }),
  "What its administrator needs, such as a password",
);

const AppUpdate = named(
  "AppUpdate",
  Type.Object({
    state: OneOf(["running", "succeeded", "failed"]),
    version: text,
    error: Nullable(Type.String({ description: "The reason; the former version serves again" })),
    ended_at: Nullable(Timestamp),
  }),
  "An update of an installed application",
);

const App = named(
  "App",
  Type.Object({
    app_slug: text,
    app_name: text,
    app_version: Nullable(text),
    admin_url: text,
    updatable: Type.Boolean({ description: "Whether it can be updated in place" }),
    credentials: Type.Record(text, AppCredential),
    database: Nullable(AppDatabase),
    automatic_updates: OneOf(automaticUpdates, { description: "minor: within the line of versions that is installed" }),
    update_available: Nullable(Type.String({ description: "The newest version that it can be updated to" })),
    update_is_security: Type.Boolean(),
    last_update: Nullable(AppUpdate),
  }),
  "The installed application of a project",
);
export const AppReply = Reply(App);

export const AppSettings = named("AppSettings", Type.Object({ automatic_updates: OneOf(automaticUpdates) }));
