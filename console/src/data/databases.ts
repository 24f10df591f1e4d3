import type { Database, DatabaseImport, DatabaseUser, UnmanagedDatabase } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type { Database, DatabaseImport, DatabaseUser, UnmanagedDatabase };

/** A database in the addresses of the API. */
export interface DatabaseRef {
  id: number;
  server_id: number;
}

/** In the paths of the API. */
export const paramsOf = ({ id, server_id }: DatabaseRef) => ({ id: server_id, database: id });

/** All databases of a server, up to 1,000, with what is known of its engine. The list has no passwords; a record read alone has. */
export const serverDatabases = (o: OrganizationId, serverId: number) =>
  reading({ organization: o, noun: "databases", id: serverId }, "GET /api/v1/servers/{id}/databases", {
    params: { id: serverId },
  });

/** Those that Longshore did not make. */
export const unmanagedDatabases = (o: OrganizationId, serverId: number) =>
  reading({ organization: o, noun: "databases", id: serverId }, "GET /api/v1/servers/{id}/unmanaged-databases", {
    params: { id: serverId },
  });

/** What can be done to the database now, and why not. */
export const databaseActions = (o: OrganizationId, ref: DatabaseRef) =>
  reading({ organization: o, noun: "database", id: ref.id }, "GET /api/v1/servers/{id}/databases/{database}/actions", {
    params: paramsOf(ref),
  });

/** Those who read it, besides its own user. */
export const databaseUsers = (o: OrganizationId, ref: DatabaseRef) =>
  reading({ organization: o, noun: "database", id: ref.id }, "GET /api/v1/servers/{id}/databases/{database}/users", {
    params: paramsOf(ref),
  });

/** A dump that is loaded, and how that ended. */
export const databaseImport = (o: OrganizationId, ref: DatabaseRef, importId: number) =>
  reading(
    { organization: o, noun: "database", id: ref.id },
    "GET /api/v1/servers/{id}/databases/{database}/imports/{import}",
    { params: { ...paramsOf(ref), import: importId } },
  );

/**
 * Secrets leave the cache when nothing shows them any more. Until then they are read once, whatever changes: each read is in the
 * audit log, as one by the person who looks at them.
 */
const secret = { gcTime: 0, staleTime: "static" as const };

/** Lines for a .env file, with the password. */
export const databaseConnection = (
  o: OrganizationId,
  ref: DatabaseRef,
  query: { framework?: string; server_id?: number },
) => ({
  ...reading(
    { organization: o, noun: "database", id: ref.id },
    "GET /api/v1/servers/{id}/databases/{database}/connection",
    { params: paramsOf(ref), query },
  ),
  ...secret,
});

/** The database with the password of its own user. */
export const databasePassword = (o: OrganizationId, ref: DatabaseRef) => ({
  ...reading({ organization: o, noun: "database", id: ref.id }, "GET /api/v1/servers/{id}/databases/{database}", {
    params: paramsOf(ref),
  }),
  ...secret,
});

/** The password of one of those who read it. */
export const databaseUserPassword = (o: OrganizationId, ref: DatabaseRef, user: number) => ({
  ...reading(
    { organization: o, noun: "database", id: ref.id },
    "GET /api/v1/servers/{id}/databases/{database}/users/{user}",
    { params: { ...paramsOf(ref), user } },
  ),
  ...secret,
});
