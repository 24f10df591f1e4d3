import { type Static, Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import {
  described,
  Id,
  Joined,
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
import { wwwRedirects } from "../site-records/schema.ts";

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
    key: described(text, "Its name in `inputs`"),
    label: described(text, "For display"),
    type: OneOf(["text", "email", "password"], { description: "How a form asks for it" }),
    required: Type.Boolean({ description: "Whether an answer is needed; others have a default" }),
    generated: Type.Boolean({ description: "Whether an empty answer is generated" }),
  }),
  "A question that an installation asks",
);

const CatalogApp = named(
  "CatalogApp",
  Type.Object({
    slug: described(text, "What `app_slug` takes"),
    name: described(text, "For display"),
    category: described(text, "For display"),
    summary: described(text, "What it is for, in a sentence"),
    layout: Type.String({ description: "Layout of its files in the project's directory" }),
    available: Type.Boolean({ description: "Whether this server can host it" }),
    unavailable_reasons: Type.Array(text, { description: "Why it cannot, a sentence each" }),
    inputs: Type.Array(AppInput, { description: "The questions of its installation" }),
  }),
  "An application that can be installed",
);
export const AppList = List(CatalogApp);

export const InstallRequest = named(
  "AppInstallRequest",
  Type.Object({
    name: described(Name, "For people; unique in the organization"),
    domain: Type.String({
      maxLength: 300,
      description: "The primary domain, which should point to the server already",
    }),
    server_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      title: "server",
      description: "An App server on which it is `available`",
    }),
    app_slug: Type.String({
      minLength: 1,
      maxLength: 50,
      title: "application",
      description: "A `slug` of the catalog",
    }),
    inputs: Type.Optional(
      Nullable(
        Type.Record(Type.String({ maxLength: 100 }), Nullable(Type.String({ maxLength: 1_000 })), {
          maxProperties: 50,
          description: "Answers to its questions by `key`; what is omitted or empty is its default, or generated",
        }),
      ),
    ),
    www_redirect: Type.Optional(OneOfIntegers([0, 1, 2], { description: `${wwwRedirects}; default: 0` })),
  }),
);
export type InstallRequest = Static<typeof InstallRequest>;

const AppInstallation = named(
  "AppInstallation",
  Type.Object({
    id: Id,
    server_id: described(Id, "Where it is installed"),
    name: text,
    app_slug: described(text, "The application of the catalog"),
    domain: described(text, "The primary domain"),
    installation_status: OneOfIntegers([0], { description: "0 running" }),
  }),
  "A project whose application is being installed",
);
export const Installing = named("AppInstallAccepted", Success({ message: text, data: AppInstallation }));

const AppInstallStep = named(
  "AppInstallStep",
  Type.Object({
    key: described(text, "Names the step"),
    label: described(text, "For display"),
    position: Type.Integer({ description: "From 1, in the order of the steps" }),
    status: OneOf(["pending", "running", "completed", "failed", "skipped"], {
      description: "skipped: it was not needed",
    }),
    detail: Nullable(Type.String({ description: "Result of the step, or why it stopped" })),
    duration_ms: Type.Integer({ description: "0 before it begins; grows while it runs" }),
  }),
  "A step of an installation",
);

const AppInstallProgress = named(
  "AppInstallProgress",
  Type.Object({
    installation_status: OneOfIntegers([0, 1, 2], { description: "0 running, 1 up, 2 a step failed" }),
    app_slug: Nullable(described(text, "null for the project of a repository")),
    app_version: Nullable(described(text, "The installed version; null until it is up")),
    steps: Type.Array(AppInstallStep, { description: "In their order; none for the project of a repository" }),
  }),
  "How far the installation of an application is",
);
export const InstallSteps = Reply(AppInstallProgress);

const engines = ["mariadb", "postgresql"] as const;

const AppDatabase = named(
  "AppDatabase",
  Type.Object({
    engine: OneOf(engines, { description: "The engine of the server" }),
    name: described(text, "The database"),
    username: described(text, "The user that the application has"),
    password: described(text, "Of that user"),
    host: described(text, "Where the application connects to"),
  }),
  "The database of an application; null: it has none",
);

const AppCredential = named(
  "AppCredential",
  Type.Object({
    label: described(text, "For display"),
    value: described(text, "As the installation set it"),
    secret: Type.Boolean({ description: "Whether to hide it until it is asked for" }),
  }),
  "What its administrator needs, such as a password",
);

const AppUpdate = named(
  "AppUpdate",
  Type.Object({
    state: OneOf(["running", "succeeded", "failed"], { description: "How far it is" }),
    version: described(text, "What it updates to"),
    error: Nullable(Type.String({ description: "The reason; the former version serves again" })),
    ended_at: Nullable(Timestamp),
  }),
  "An update of an installed application",
);

const AppFacts = Type.Object({
  app_slug: described(text, "The application of the catalog"),
  app_name: described(text, "For display"),
  app_version: Nullable(described(text, "As read after the last install or update; null before")),
  admin_url: described(text, "Where its administrator signs in"),
  updatable: Type.Boolean({ description: "Whether it can be updated in place" }),
  engine: Nullable(OneOf(engines, { description: "That of its database; null: it has none" })),
  automatic_updates: OneOf(automaticUpdates, { description: "minor: within the line of versions that is installed" }),
  update_available: Nullable(Type.String({ description: "The newest version that it can be updated to" })),
  update_is_security: Type.Boolean({ description: "Whether the update closes a security hole" }),
  last_update: Nullable(AppUpdate),
});

const AppSecrets = Type.Object({
  credentials: Type.Record(text, AppCredential, { description: "What the installation set, by name" }),
  database: Nullable(AppDatabase),
});

const App = named("App", Joined(AppFacts, AppSecrets), "The installed application of a project");
export const AppReply = Reply(App);

export const AppQuery = Type.Object({
  view: Type.Optional(
    OneOf(["full", "summary"], { description: "summary: without `credentials` and `database`, which are secret" }),
  ),
});

/** As it is documented, or a summary of it: the serializer requires what both have. */
export const AppOrSummary = Object.assign(
  Reply(Type.Object({ ...AppFacts.properties, ...Type.Partial(AppSecrets).properties })),
  {
    documentedAs: AppReply,
  },
);

export const AppSettings = named(
  "AppSettings",
  Type.Object({
    automatic_updates: OneOf(automaticUpdates, {
      description: "minor: updates within the installed line of versions are installed when they are found; off: none",
    }),
  }),
);
