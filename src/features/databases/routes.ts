import { Readable } from "node:stream";
import { Type } from "typebox";
import { PageQuery, pageOf, paginated } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import {
  adoptDatabase,
  changeDatabase,
  changePassword,
  checkAdoption,
  checkDatabase,
  requestDatabase,
  requestDeletion,
  showAllDatabases,
  showDatabase,
  showDatabases,
  showUnmanaged,
} from "./actions.ts";
import { showConnection } from "./connection.ts";
import {
  adoptedDatabase,
  adoptionRequest,
  connection,
  database as databaseExample,
  databaseImport,
  databaseList,
  databaseRequest,
  databaseUpdate,
  databaseWithPassword,
  newDatabase,
  passwordRequest,
  unmanagedDatabases,
  user,
  userRequest,
  userWithPassword,
} from "./examples.ts";
import { downloadDump, importDump, showImport } from "./imports/actions.ts";
import {
  AdoptionRequest,
  ConnectionQuery,
  ConnectionReply,
  DatabaseChanged,
  DatabaseCreated,
  DatabaseDeleted,
  DatabaseImportParams,
  DatabaseList,
  DatabaseListQuery,
  DatabasePage,
  DatabaseParams,
  DatabaseReply,
  DatabaseRequest,
  DatabaseUpdate,
  DatabaseUserChanged,
  DatabaseUserList,
  DatabaseUserParams,
  DatabaseUserReply,
  DatabaseUserRequest,
  DeleteQuery,
  ImportAccepted,
  ImportQuery,
  ImportReply,
  largestDump,
  PasswordRequest,
  UnmanagedDatabases,
  uploadMs,
} from "./schema.ts";
import { checkUser, createUser, deleteUser, showUser, showUsers } from "./users/actions.ts";

const databases = "/api/v1/servers/:id/databases";
const database = `${databases}/:database`;
const tag = "databases";

const pathOf = (params: { id: number; database: number }) => ({ serverId: params.id, databaseId: params.database });

const cannotAdd =
  "The server has no database engine, its setup has not ended, it has too many databases, or the project is being moved.";
const awaitsSetup = "It comes with the server, whose setup has not made it yet.";
const isMoving = "Its project is being moved to another server.";

const contractRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/databases",
    summary: "List the databases on all servers",
    description:
      "On all servers that are in your reach with everything on them, in the order of their ids, 25 on a page. Each is as " +
      "in the list of its server, with `server_name`. With `sort`, those whose size is not known are last.",
    permission: "server:read",
    query: DatabaseListQuery,
    reply: DatabasePage,
    examples: { reply: paginated(pageOf({}, 25), 1, [{ ...databaseExample, server_name: "web-1" }]) },
    handle: (ctx, { query }) => showAllDatabases(ctx, query),
  }),
  route({
    method: "GET",
    path: databases,
    summary: "List a server's databases",
    description:
      "All of them, unless `page` or `per_page` is sent, so that a client that waits for a database finds it. A " +
      "deleted one is not listed. `engine` is null for a server without a database engine.\n\n" +
      "Sizes and connections are as seen within the last minutes, at `seen_at`. `sync` of each shows since when the " +
      "server lacks it, why, and when that is retried.",
    tag,
    permission: "server:read",
    params: IdParams,
    query: PageQuery,
    reply: DatabaseList,
    examples: { reply: success(databaseList) },
    handle: async (ctx, { params, query }) => success(await showDatabases(ctx, params.id, query)),
  }),
  route({
    method: "POST",
    path: databases,
    summary: "Create a database with its user",
    description:
      "Answers before the engine has finished: `status` in the list turns from 0 to 1, or to 2 with the reason in " +
      "`notes`. It stays 0 while the server is unreachable. The user is the name and the password one made at random " +
      "where they are omitted or empty.\n\n" +
      "* Name and username are unique on the server; each user has rights to its own database only. Names that either " +
      "engine reserves are refused on both, and so are usernames such as `root`, `postgres`, `public` and those that " +
      "begin with `pg_`.\n" +
      "* A name that the engine has without Longshore having created it gets 422. The request waits at most 3 seconds " +
      "for the server to check that; if it takes longer, the database gets status 2.\n" +
      "* With status 2 nothing is retried: delete the record, and create the database again. A database of the same " +
      "name that is not Longshore's is left alone.\n" +
      "* With `project_id`, a project on this server, it is moved and removed with the project. A project that is " +
      "being moved gets no further ones. A server has at most 1,000 databases.",
    tag,
    permission: "server:update",
    params: IdParams,
    body: DatabaseRequest,
    status: 201,
    reply: DatabaseCreated,
    errors: { refused: cannotAdd },
    examples: {
      body: databaseRequest,
      reply: success({ message: "The database shop is being created.", data: newDatabase }),
    },
    check: checkDatabase,
    handle: async (ctx, { params, body }) => success(await requestDatabase(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: database,
    summary: "Read a database with its password",
    description:
      "With the record's fields as in the list. `password` is that of the database's own user; users that read have " +
      "their own. `…/connection` has the same as settings of a framework.",
    tag,
    permission: "server:update",
    isAudited: true,
    params: DatabaseParams,
    reply: DatabaseReply,
    examples: { reply: success({ data: databaseWithPassword }) },
    handle: async (ctx, { params }) => success({ data: await showDatabase(ctx, pathOf(params)) }),
  }),
  route({
    method: "DELETE",
    path: database,
    summary: "Delete a database with its users and all content",
    description:
      "It is not listed from then on. The server ends its connections and removes it with its users, as soon as it is " +
      "reachable; until then its name is taken (422). The database that came with the server cannot be deleted, nor " +
      "one that belongs to a project: detach it first. With `dry_run` nothing is deleted, and `plan.lost` has what would be.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    query: DeleteQuery,
    reply: DatabaseDeleted,
    errors: { refused: `It came with the server, or belongs to a project. ${isMoving}` },
    examples: { reply: success({ message: "The database shop is being deleted with all its content." }) },
    handle: async (ctx, { params, query }) => success(await requestDeletion(ctx, pathOf(params), query.dry_run)),
  }),
];

const furtherRoutes: Route[] = [
  route({
    method: "PUT",
    path: database,
    record: database,
    summary: "Change the notes of a database, or the project it belongs to",
    description:
      "Omitted fields keep their values. `notes` is a text of yours, except with status 2, when it is the reason and " +
      "cannot be changed. A database that belongs to a project is moved and removed with it; `project_id: null` " +
      "detaches it. The server's own database cannot belong to a project, since it could not be removed with it.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    body: DatabaseUpdate,
    reply: DatabaseChanged,
    errors: {
      refused: `It came with the server and cannot belong to a project, or it could not be created and its notes are the reason. ${isMoving}`,
    },
    examples: {
      body: databaseUpdate,
      reply: success({ message: "The database was updated.", data: { ...databaseExample, ...databaseUpdate } }),
    },
    handle: async (ctx, { params, body }) => success(await changeDatabase(ctx, pathOf(params), body)),
  }),
  route({
    method: "POST",
    path: `${database}/password`,
    summary: "Change the password of a database's user",
    description:
      "One is made at random when it is omitted or empty: read it with the database. A password has 12 to 200 " +
      "characters, none of them a control character. `sync` shows when the server accepts it; until then the former " +
      "one works. Settings of projects are not changed: enter it in their environment variables.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    body: PasswordRequest,
    reply: DatabaseChanged,
    errors: { refused: `It could not be created. ${awaitsSetup} ${isMoving}` },
    examples: {
      body: passwordRequest,
      reply: success({ message: "The password is being changed.", data: databaseExample }),
    },
    handle: async (ctx, { params, body }) => success(await changePassword(ctx, pathOf(params), body)),
  }),
  route({
    method: "GET",
    path: `${database}/connection`,
    summary: "Read how to connect to a database",
    description:
      "`environment_variables` has lines of a .env file for `framework`; default: that of the project that the " +
      "database belongs to, and `DATABASE_URL` without one. `server_id` is the server that connects; default: the " +
      "database's own. Only a Database server lets other servers connect: by its private address where both have one, " +
      "otherwise with TLS (`tls_required`).",
    tag,
    permission: "server:update",
    isAudited: true,
    params: DatabaseParams,
    query: ConnectionQuery,
    reply: ConnectionReply,
    errors: { refused: awaitsSetup },
    examples: { reply: success({ data: connection }) },
    handle: async (ctx, { params, query }) => success({ data: await showConnection(ctx, pathOf(params), query) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/unmanaged-databases",
    summary: "List databases on a server that Longshore did not create",
    description:
      "As last seen by the check of the engine, about once a minute; `seen_at` is null before the first. Those that " +
      "the engine itself needs are left out. `adoptable` is false for a name that Longshore does not accept.",
    tag,
    permission: "server:read",
    params: IdParams,
    reply: UnmanagedDatabases,
    examples: { reply: success(unmanagedDatabases) },
    handle: async (ctx, { params }) => success(await showUnmanaged(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: `${databases}/adopt`,
    summary: "Adopt a database that was found on a server",
    description:
      "It gets a new user with all rights to it, whose name and password follow the rules of a new database. Existing " +
      "users keep their rights and passwords. `status` in the list turns from 0 to 1 when the server has made the " +
      "user, or to 2 with the reason in `notes`. A name that is not on the server gets 422.",
    tag,
    permission: "server:update",
    params: IdParams,
    body: AdoptionRequest,
    status: 201,
    reply: DatabaseCreated,
    errors: { refused: cannotAdd },
    examples: {
      body: adoptionRequest,
      reply: success({ message: "The database old_shop is being adopted.", data: adoptedDatabase }),
    },
    check: checkAdoption,
    handle: async (ctx, { params, body }) => success(await adoptDatabase(ctx, params.id, body)),
  }),
];

const userRoutes: Route[] = [
  route({
    method: "GET",
    path: `${database}/users`,
    summary: "List users that can read a database",
    description:
      "All of them, besides the database's own user. `status` is 0 while one is being created, 1 when it exists, and 2 " +
      "with the reason in `error`.",
    tag,
    permission: "server:read",
    params: DatabaseParams,
    reply: DatabaseUserList,
    examples: { reply: success({ data: [user] }) },
    handle: async (ctx, { params }) => success({ data: await showUsers(ctx, pathOf(params)) }),
  }),
  route({
    method: "POST",
    path: `${database}/users`,
    summary: "Add a user that can read a database",
    description:
      "It can read everything in the database, also tables that come later, and nothing else on the server. The " +
      "password is made at random where it is omitted or empty: read it with the user. The answer does not wait for " +
      "the server: `status` in the list turns from 0 to 1, or to 2 with the reason. A username is unique on the " +
      "server, and a database has at most 20 such users.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    body: DatabaseUserRequest,
    status: 201,
    reply: DatabaseUserChanged,
    errors: { refused: `It could not be created, or has too many users. ${awaitsSetup} ${isMoving}` },
    examples: {
      body: userRequest,
      reply: success({ message: "The user reports is being created.", data: { ...user, status: 0 } }),
    },
    check: checkUser,
    handle: async (ctx, { params, body }) => success(await createUser(ctx, pathOf(params), body)),
  }),
  route({
    method: "GET",
    path: `${database}/users/:user`,
    summary: "Read a user of a database with its password",
    description:
      "One of the users that read the database. The password of its own user is in the record of the database.",
    tag,
    permission: "server:update",
    isAudited: true,
    params: DatabaseUserParams,
    reply: DatabaseUserReply,
    examples: { reply: success({ data: userWithPassword }) },
    handle: async (ctx, { params }) => success({ data: await showUser(ctx, pathOf(params), params.user) }),
  }),
  route({
    method: "DELETE",
    path: `${database}/users/:user`,
    summary: "Delete a user of a database",
    description: "It is not listed from then on, and the server ends its access as soon as it is reachable.",
    tag,
    permission: "server:update",
    params: DatabaseUserParams,
    reply: Acknowledgement,
    errors: { refused: isMoving },
    examples: { reply: success({ message: "The user is being deleted." }) },
    handle: async (ctx, { params }) => success(await deleteUser(ctx, pathOf(params), params.user)),
  }),
];

const dumpRoutes: Route[] = [
  route({
    method: "POST",
    path: `${database}/imports`,
    summary: "Load a dump into a database",
    description:
      "The body is the dump: SQL of this or another server, or PostgreSQL's custom or tar format, plain or packed by " +
      "gzip, bzip2, xz, zstd or zip. The answer comes when all of it is on the server; `status` of the import turns " +
      "from 3 to 1 when it was loaded, or to 2 with the reason.\n\n" +
      "* It is loaded with the rights of the database's own user. Owners, privileges, definers, other databases and " +
      "settings of the server are left out of SQL, and collations of MySQL 8 become MariaDB's; data stays as it is. " +
      "PostgreSQL loads all of a dump or nothing; MariaDB keeps what came before the statement that failed.\n" +
      "* `empty_first=true` removes all content of the database before, unless the file is recognized as no dump " +
      "for it.\n" +
      "* The server needs twice its size of free disk space. The upload may take two hours, and has at most 64 GiB. An " +
      "`Idempotency-Key` has no effect on it.\n" +
      "* One dump is loaded into a database at a time (422), and two are transferred to or from a server at a time " +
      "(503).",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    query: ImportQuery,
    streamBody: true,
    bodyLimit: largestDump,
    bodyTimeoutMs: uploadMs,
    status: 202,
    reply: ImportAccepted,
    errors: {
      body_too_large: "The dump is larger than 64 GiB.",
      unsupported_media_type: "The body is not sent as application/octet-stream.",
      refused: `The database does not exist yet, another dump is being loaded, or the disk has no room. ${isMoving}`,
    },
    examples: { reply: success({ message: "The dump is being loaded.", data: databaseImport }) },
    async handle(ctx, { params, query, bodyStream }) {
      const options = { emptiesFirst: query.empty_first === true, body: bodyStream ?? Readable.from([]) };
      return success(await importDump(ctx, pathOf(params), options));
    },
  }),
  route({
    method: "GET",
    path: `${database}/imports/:import`,
    summary: "Read the result of an import",
    description:
      "`status` is 0 while the dump is being uploaded, 3 while it is being loaded, and then 1, or 2 with the engine's " +
      "error in `error`.",
    tag,
    permission: "server:read",
    params: DatabaseImportParams,
    reply: ImportReply,
    examples: { reply: success({ data: { ...databaseImport, status: 1, ended_at: "2026-03-01T10:20:41.654321Z" } }) },
    handle: async (ctx, { params }) => success({ data: await showImport(ctx, pathOf(params), params.import) }),
  }),
  route({
    method: "GET",
    path: `${database}/dump`,
    summary: "Download a dump of a database",
    description:
      "As of one moment, while the database is used: SQL compressed by gzip of MariaDB, the custom format of " +
      "PostgreSQL. It has everything that the database's own user can read. An answer that breaks off is not a whole " +
      "dump. Two dumps are transferred to or from a server at a time; another one gets 503.",
    tag,
    permission: "server:update",
    isAudited: true,
    params: DatabaseParams,
    streams: "application/octet-stream",
    reply: Type.String({ format: "binary" }),
    errors: { refused: "The database does not exist yet." },
    handle: (ctx, { params }) => downloadDump(ctx, pathOf(params)),
  }),
];

export const databaseRoutes: Route[] = [...contractRoutes, ...furtherRoutes, ...userRoutes, ...dumpRoutes];
