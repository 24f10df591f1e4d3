import { Readable } from "node:stream";
import { Type } from "typebox";
import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { showConnection } from "./connection.ts";
import { downloadDump, importDump, showImport } from "./imports/actions.ts";
import {
  adoptDatabase,
  changeDatabase,
  changePassword,
  checkAdoption,
  checkDatabase,
  requestDatabase,
  requestDeletion,
  showDatabase,
  showDatabases,
  showUnmanaged,
} from "./requests.ts";
import {
  AdoptionRequest,
  ConnectionQuery,
  ConnectionReply,
  DatabaseChanged,
  DatabaseCreated,
  DatabaseDeleted,
  DatabaseImportParams,
  DatabaseList,
  DatabaseParams,
  DatabaseReply,
  DatabaseRequest,
  DatabaseUpdate,
  DatabaseUserChanged,
  DatabaseUserList,
  DatabaseUserParams,
  DatabaseUserReply,
  DatabaseUserRequest,
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
const isMoving = "Its project is being moved to another server.";

const contractRoutes: Route[] = [
  route({
    method: "GET",
    path: databases,
    summary: "List a server's databases",
    description:
      "All of them, unless `page` or `per_page` is sent. Sizes and connections are as seen within the last minutes.",
    tag,
    permission: "server:read",
    params: IdParams,
    query: PageQuery,
    reply: DatabaseList,
    handle: async (ctx, { params, query }) => success(await showDatabases(ctx, params.id, query)),
  }),
  route({
    method: "POST",
    path: databases,
    summary: "Create a database with its user",
    description:
      "Answers before the engine has finished: `status` in the list turns from 0 to 1, or to 2 with the reason in `notes`. " +
      "The user is the name and the password one made at random where they are omitted.",
    tag,
    permission: "server:update",
    params: IdParams,
    body: DatabaseRequest,
    status: 201,
    reply: DatabaseCreated,
    errors: { refused: cannotAdd },
    examples: { body: { name: "shop", username: "shop", project_id: 7 } },
    check: checkDatabase,
    handle: async (ctx, { params, body }) => success(await requestDatabase(ctx, params.id, body)),
  }),
  route({
    method: "GET",
    path: database,
    summary: "Read a database with its password",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    reply: DatabaseReply,
    handle: async (ctx, { params }) => success({ data: await showDatabase(ctx, pathOf(params)) }),
  }),
  route({
    method: "DELETE",
    path: database,
    summary: "Delete a database with its users and all content",
    description:
      "Its connections are ended first. It is not listed from then on; its name is available again when the server has removed it.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    reply: DatabaseDeleted,
    errors: { refused: `It came with the server, or belongs to a project. ${isMoving}` },
    handle: async (ctx, { params }) => success(await requestDeletion(ctx, pathOf(params))),
  }),
];

const furtherRoutes: Route[] = [
  route({
    method: "PUT",
    path: database,
    summary: "Change the notes of a database, or the project it belongs to",
    description:
      "Omitted fields keep their values. A database that belongs to a project is removed with it; null detaches it.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    body: DatabaseUpdate,
    reply: DatabaseChanged,
    errors: {
      refused: `It came with the server and cannot belong to a project, or it could not be created and its notes are the reason. ${isMoving}`,
    },
    examples: { body: { notes: "Orders since 2024", project_id: 7 } },
    handle: async (ctx, { params, body }) => success(await changeDatabase(ctx, pathOf(params), body)),
  }),
  route({
    method: "POST",
    path: `${database}/password`,
    summary: "Change the password of a database's user",
    description:
      "One is made at random when it is omitted: read it with the database. `sync` shows when the server accepts it.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    body: PasswordRequest,
    reply: DatabaseChanged,
    errors: { refused: `It could not be created. ${isMoving}` },
    examples: { body: { password: "correct horse battery staple" } },
    handle: async (ctx, { params, body }) => success(await changePassword(ctx, pathOf(params), body)),
  }),
  route({
    method: "GET",
    path: `${database}/connection`,
    summary: "Read how to connect to a database",
    description:
      "Lines of a .env file for the framework of the project that it belongs to, or the one that is named. From another " +
      "server than the database's own only to a Database server.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    query: ConnectionQuery,
    reply: ConnectionReply,
    handle: async (ctx, { params, query }) => success({ data: await showConnection(ctx, pathOf(params), query) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers/:id/unmanaged-databases",
    summary: "List databases on a server that Longshore did not create",
    tag,
    permission: "server:read",
    params: IdParams,
    reply: UnmanagedDatabases,
    handle: async (ctx, { params }) => success(await showUnmanaged(ctx, params.id)),
  }),
  route({
    method: "POST",
    path: `${databases}/adopt`,
    summary: "Adopt a database that was found on a server",
    description: "It gets a new user with all rights to it. Existing users keep their rights and passwords.",
    tag,
    permission: "server:update",
    params: IdParams,
    body: AdoptionRequest,
    status: 201,
    reply: DatabaseCreated,
    errors: { refused: cannotAdd },
    examples: { body: { name: "old_shop", username: "shop" } },
    check: checkAdoption,
    handle: async (ctx, { params, body }) => success(await adoptDatabase(ctx, params.id, body)),
  }),
];

const userRoutes: Route[] = [
  route({
    method: "GET",
    path: `${database}/users`,
    summary: "List users that can read a database",
    tag,
    permission: "server:read",
    params: DatabaseParams,
    reply: DatabaseUserList,
    handle: async (ctx, { params }) => success({ data: await showUsers(ctx, pathOf(params)) }),
  }),
  route({
    method: "POST",
    path: `${database}/users`,
    summary: "Add a user that can read a database",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    body: DatabaseUserRequest,
    status: 201,
    reply: DatabaseUserChanged,
    errors: { refused: `It could not be created, or has too many users. ${isMoving}` },
    examples: { body: { username: "reports" } },
    check: checkUser,
    handle: async (ctx, { params, body }) => success(await createUser(ctx, pathOf(params), body)),
  }),
  route({
    method: "GET",
    path: `${database}/users/:user`,
    summary: "Read a user of a database with its password",
    tag,
    permission: "server:update",
    params: DatabaseUserParams,
    reply: DatabaseUserReply,
    handle: async (ctx, { params }) => success({ data: await showUser(ctx, pathOf(params), params.user) }),
  }),
  route({
    method: "DELETE",
    path: `${database}/users/:user`,
    summary: "Delete a user of a database",
    tag,
    permission: "server:update",
    params: DatabaseUserParams,
    reply: DatabaseDeleted,
    errors: { refused: isMoving },
    handle: async (ctx, { params }) => success(await deleteUser(ctx, pathOf(params), params.user)),
  }),
];

const dumpRoutes: Route[] = [
  route({
    method: "POST",
    path: `${database}/imports`,
    summary: "Load a dump into a database",
    description:
      "The body is the dump: SQL, compressed by gzip or not, or PostgreSQL's custom format. The answer comes when all of it is on " +
      "the server; `status` of the import turns to 1 when it was loaded, or to 2 with the reason. It is loaded with the rights of the " +
      "database's own user. The server needs twice its size of free disk space, and the upload may take two hours.",
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
    async handle(ctx, { params, query, bodyStream }) {
      const options = { emptiesFirst: query.empty_first === true, body: bodyStream ?? Readable.from([]) };
      return success(await importDump(ctx, pathOf(params), options));
    },
  }),
  route({
    method: "GET",
    path: `${database}/imports/:import`,
    summary: "Read the result of an import",
    tag,
    permission: "server:read",
    params: DatabaseImportParams,
    reply: ImportReply,
    handle: async (ctx, { params }) => success({ data: await showImport(ctx, pathOf(params), params.import) }),
  }),
  route({
    method: "GET",
    path: `${database}/dump`,
    summary: "Download a dump of a database",
    description:
      "As of one moment, while the database is used: SQL compressed by gzip of MariaDB, the custom format of PostgreSQL. An answer " +
      "that breaks off is not a whole dump.",
    tag,
    permission: "server:update",
    params: DatabaseParams,
    streams: "application/octet-stream",
    reply: Type.String({ format: "binary" }),
    errors: { refused: "The database does not exist yet." },
    handle: (ctx, { params }) => downloadDump(ctx, pathOf(params)),
  }),
];

export const databaseRoutes: Route[] = [...contractRoutes, ...furtherRoutes, ...userRoutes, ...dumpRoutes];
