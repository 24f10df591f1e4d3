import type { Operations } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

type Creation = Operations["POST /api/v1/projects"]["body"];
type Found = Operations["POST /api/v1/projects/detect"]["reply"];

export type NewProject = Creation;
export type Detection = Found["data"];

/** The servers of the type that runs projects, whether they accept one now or not. */
export const appServers = (o: OrganizationId, q = "") =>
  reading({ organization: o, noun: "servers" }, "GET /api/v1/servers", {
    query: { server_type: [0], sort: "name", per_page: 100, ...(q !== "" && { q }) },
  });

/** What an account at a git host can read. */
export const hostRepositories = (o: OrganizationId, id: number, q: string) =>
  reading({ organization: o, noun: "git_hosts", id }, "GET /api/v1/source-providers/{id}/repositories", {
    params: { id },
    query: { per_page: 50, ...(q !== "" && { q }) },
  });

export const hostBranches = (o: OrganizationId, id: number, repository: string, q: string) =>
  reading({ organization: o, noun: "git_hosts", id }, "GET /api/v1/source-providers/{id}/branches", {
    params: { id },
    query: { repository, per_page: 50, ...(q !== "" && { q }) },
  });

export const availability = (o: OrganizationId, query: { name?: string; domain?: string }) =>
  reading({ organization: o, noun: "availability" }, "GET /api/v1/projects/availability", { query });
