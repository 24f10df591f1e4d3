import type { OrganizationId } from "../../paths.ts";
import { paths } from "../../paths.ts";

/** A project that a database belongs to. */
export interface Owner {
  id: number;
  name: string;
}

/** Whose tab shows databases: a server's has all that are on it, a project's those that belong to the project. */
export interface Place {
  server: { id: number; name: string };
  project?: Owner;
  /** Whether the server has projects that a database could belong to. */
  hasProjects: boolean;
}

export const listAddress = (o: OrganizationId, { server, project }: Place): string =>
  project ? paths.project(o, project.id, "databases") : paths.server(o, server.id, "databases");

export const databaseAddress = (o: OrganizationId, { server, project }: Place, id: number, importId?: number): string =>
  paths.database(o, project ? { project: project.id } : { server: server.id }, id, importId);
