import { type Static, Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import { Sync } from "../../engine/reconcile/target.ts";
import type { SqlEngine } from "../../host/databases/engine.ts";
import { pageCounts } from "../../http/pagination.ts";
import {
  Changed,
  described,
  Id,
  Joined,
  List,
  maxId,
  Nullable,
  named,
  OneOf,
  OneOfIntegers,
  Reply,
  Success,
  Timestamp,
} from "../../http/schemas.ts";

/** A database on its server. */
export const databaseKind: Kind = { kind: "database", subject: "database" };
/** Runs that load a dump. */
export const importKind: Kind = { kind: "database-import", subject: "database_import" };

export const databaseStatus = { creating: 0, exists: 1, failed: 2 } as const;
export type DatabaseStatus = 0 | 1 | 2;

/** Of each server. */
export const databasesPerServer = 1_000;
/** Of each database. */
export const usersPerDatabase = 20;

/** A row of `databases` as the API shows it, without the password. */
export interface DatabaseRow {
  id: number;
  server_id: number;
  project_id: number | null;
  database_type: SqlEngine;
  database_name: string;
  username: string;
  status: DatabaseStatus;
  created_by_user: boolean;
  is_adopted: boolean;
  notes: string | null;
  size_bytes: number | null;
  connections: number | null;
  character_set: string | null;
  collation_name: string | null;
  seen_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A further account of a database with read-only access. */
export interface DatabaseUserRow {
  id: number;
  database_id: number;
  username: string;
  status: DatabaseStatus;
  error: string | null;
  created_at: string;
}

const status = OneOfIntegers([0, 1, 2], { description: "0 being created, 1 exists, 2 could not be created" });
const text = Type.String();
const engine = OneOf(["mariadb", "postgresql"], { description: "The engine of the server" });
const owner = Nullable(described(Id, "The project that it is deleted and moved with; null: none"));

const Database = named(
  "Database",
  Type.Object({
    id: Id,
    server_id: described(Id, "Where it is"),
    project_id: owner,
    database_type: engine,
    database_name: described(text, "On the server"),
    username: described(text, "Its own user, with all rights on it and on nothing else"),
    status,
    created_by_user: Type.Boolean({ description: "false for the database that came with the server" }),
    is_adopted: Type.Boolean({ description: "Whether it was found on the server and adopted" }),
    notes: Nullable(Type.String({ description: "With status 2: why it could not be created" })),
    size_bytes: Nullable(Type.Integer({ description: "As last seen on the server" })),
    connections: Nullable(Type.Integer({ description: "As last seen on the server" })),
    character_set: Nullable(described(text, "As last seen on the server")),
    collation: Nullable(described(text, "As last seen on the server")),
    seen_at: Nullable(Timestamp),
    sync: Sync,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "A database on a server",
);

const ShownPassword = named(
  "DatabasePassword",
  Type.Object({ password: described(text, "Of the user named beside it") }),
);

const DatabaseWithPassword = named(
  "DatabaseWithPassword",
  Joined(Database, ShownPassword),
  "A database with the password of its own user",
);

const NewDatabase = named(
  "NewDatabase",
  Type.Object({
    id: Id,
    server_id: described(Id, "Where it is created"),
    project_id: owner,
    database_type: Database.properties.database_type,
    database_name: described(text, "On the server"),
    username: described(text, "Its own user"),
    status,
  }),
  "A database that is being created",
);

const database = described(Id, "The `id` of a database on the server");
export const DatabaseParams = Type.Object({ id: Id, database });
export const DatabaseUserParams = Type.Object({
  id: Id,
  database,
  user: described(Id, "The `id` of a user that reads it"),
});
export const DatabaseImportParams = Type.Object({ id: Id, database, import: described(Id, "The `id` of an import") });

export const DatabaseList = named(
  "DatabaseList",
  Success({
    engine: Nullable(OneOf(["mariadb", "postgresql"], { description: "null without a database engine" })),
    engine_version: Nullable(described(text, "As last seen on the server")),
    seen_at: Nullable({ ...Timestamp, description: "When the engine was last looked at" }),
    error: Nullable(Type.String({ description: "Why the last look at the engine failed" })),
    data: Type.Array(Database, { description: "The items of this page" }),
    current_page: Type.Integer({ description: "From 1" }),
    ...pageCounts,
  }),
);

export const DatabaseReply = named("DatabaseReply", Success({ data: DatabaseWithPassword }));
export const DatabaseChanged = Changed(Database);
export const DatabaseCreated = named("DatabaseCreated", Success({ message: text, data: NewDatabase }));

const AccountName = (title: string) =>
  Type.String({
    title,
    pattern: "^[a-z][a-z0-9_]{0,62}$",
    errorMessage: `The ${title} must have 1 to 63 characters: a lowercase letter, then lowercase letters, digits or underscores.`,
  });

// Control characters are rejected: passwords are typed, and written to settings files.
const Password = Type.String({
  minLength: 12,
  maxLength: 200,
  pattern: "^[^\\u0000-\\u001f\\u007f]*$",
  errorMessage: "The password must have 12 to 200 characters, none of them a control character.",
});

const generated = "12 to 200 characters; default: a generated one, which the record shows";

const emptyIsAbsent = <Schema extends ReturnType<typeof Type.String>>(schema: Schema, description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      anyOf: [schema, { const: "" }, { type: "null" }],
      description,
      errorMessage: (schema as { errorMessage?: string }).errorMessage,
    }),
  );

export const DatabaseRequest = named(
  "DatabaseRequest",
  Type.Object({
    name: described(AccountName("name"), "1 to 63 lowercase letters, digits and underscores; a letter first"),
    username: emptyIsAbsent(AccountName("username"), "Its own user, with the rules of the name; default: the name"),
    password: emptyIsAbsent(Password, generated),
    project_id: Type.Optional(owner),
  }),
);
export type DatabaseRequest = Static<typeof DatabaseRequest>;

export const DatabaseUpdate = named(
  "DatabaseUpdate",
  Type.Object({
    notes: Type.Optional(Nullable(Type.String({ maxLength: 10_000, description: "Free text for people" }))),
    project_id: Type.Optional(owner),
  }),
);
export type DatabaseUpdate = Static<typeof DatabaseUpdate>;

export const PasswordRequest = named(
  "DatabasePasswordRequest",
  Type.Object({ password: emptyIsAbsent(Password, generated) }),
);

// Adoption ---------------------------------------------------------------------------------------------------------------

const UnmanagedDatabase = named(
  "UnmanagedDatabase",
  Type.Object({
    name: text,
    size_bytes: Nullable(Type.Integer({ description: "As last seen on the server" })),
    character_set: Nullable(described(text, "As last seen on the server")),
    collation: Nullable(described(text, "As last seen on the server")),
    adoptable: Type.Boolean({ description: "Whether its name is one that Longshore accepts" }),
  }),
  "A database on the server that Longshore does not manage",
);

export const UnmanagedDatabases = named(
  "UnmanagedDatabaseList",
  Success({
    engine: Nullable(engine),
    seen_at: Nullable(Timestamp),
    data: Type.Array(UnmanagedDatabase, { description: "As last seen on the server" }),
  }),
);

export const AdoptionRequest = named("DatabaseAdoptionRequest", DatabaseRequest);

// Users that read --------------------------------------------------------------------------------------------------------

const DatabaseUser = named(
  "DatabaseUser",
  Type.Object({
    id: Id,
    database_id: described(Id, "What it reads"),
    username: described(text, "On the server"),
    access: OneOf(["read"], { description: "It can change nothing" }),
    status,
    error: Nullable(described(text, "With status 2: why it could not be created")),
    created_at: Timestamp,
  }),
  "A further user of a database, who can only read",
);

const DatabaseUserWithPassword = named(
  "DatabaseUserWithPassword",
  Joined(DatabaseUser, ShownPassword),
  "A user that reads a database, with its password",
);

export const DatabaseUserRequest = named(
  "DatabaseUserRequest",
  Type.Object({
    username: described(
      AccountName("username"),
      "Unique on the server: 1 to 63 lowercase letters, digits and underscores",
    ),
    password: emptyIsAbsent(Password, generated),
  }),
);
export type DatabaseUserRequest = Static<typeof DatabaseUserRequest>;

export const DatabaseUserList = List(DatabaseUser);
export const DatabaseUserReply = named("DatabaseUserReply", Success({ data: DatabaseUserWithPassword }));
export const DatabaseUserChanged = Changed(DatabaseUser);

// Connection settings ------------------------------------------------------------------------------------------------------

export const ConnectionQuery = Type.Object({
  framework: Type.Optional(
    Type.String({
      pattern: "^fw_([1-9]|10)$",
      errorMessage: "The framework must be one of fw_1 to fw_10.",
      example: "fw_1",
      description: "Whose names of variables to use: fw_1 to fw_10; default: the project's",
    }),
  ),
  server_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxId,
      description: "The server from which to connect; default: the database's own",
    }),
  ),
});
export type ConnectionQuery = Static<typeof ConnectionQuery>;

const DatabaseConnection = named(
  "DatabaseConnection",
  Type.Object({
    framework: Nullable(described(text, "Whose names of variables are used; null: general ones")),
    host: described(text, "127.0.0.1 on the database's own server"),
    port: Type.Integer({ description: "Of the engine" }),
    tls_required: Type.Boolean({ description: "Whether the engine refuses connections without TLS" }),
    environment_variables: Type.String({ description: "Lines for a .env file" }),
    warnings: Type.Array(text, { description: "Such as that the database is attached to no project" }),
  }),
  "How to connect to a database",
);
export const ConnectionReply = Reply(DatabaseConnection);

// Dumps --------------------------------------------------------------------------------------------------------------------

/** The largest accepted dump; the disk of the server may have less room. */
export const largestDump = 64 * 2 ** 30;
/** How long an upload may take. */
export const uploadMs = 2 * 3600_000;

export interface ImportRow {
  id: number;
  database_id: number;
  empties_first: boolean;
  size_bytes: number;
  status: 0 | 1 | 2 | 3;
  error: string | null;
  created_at: string;
  ended_at: string | null;
}

const DatabaseImport = named(
  "DatabaseImport",
  Type.Object({
    id: Id,
    database_id: described(Id, "What it is loaded into"),
    empties_first: Type.Boolean({ description: "Whether all content is removed before" }),
    size_bytes: Type.Integer({ description: "What was uploaded" }),
    status: OneOfIntegers([0, 1, 2, 3], { description: "0 being uploaded, 1 loaded, 2 failed, 3 being loaded" }),
    error: Nullable(Type.String({ description: "Why it failed, in a sentence" })),
    created_at: Timestamp,
    ended_at: Nullable(Timestamp),
  }),
  "A dump that is loaded into a database",
);

export const ImportQuery = Type.Object({
  empty_first: Type.Optional(Type.Boolean({ description: "Whether to remove all content before; default: false" })),
});
export const ImportAccepted = named("DatabaseImportAccepted", Success({ message: text, data: DatabaseImport }));
export const ImportReply = Reply(DatabaseImport);
