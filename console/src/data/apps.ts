import { queryOptions, useMutation } from "@tanstack/react-query";
import type { App, AppSettings } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { invalidate, type Key, reading } from "./cache.ts";
import { useOrganization } from "./organization.ts";

/** The catalog, with what the server lacks for each application. */
export const serverApps = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "server", id }, "GET /api/v1/servers/{id}/apps", { params: { id } });

/** The projects on a server that are applications: the first hundred by name. */
export const appsOnServer = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { server_id: [id], source_type: ["app"], view: "full", sort: "name", per_page: 100 },
  });

/** How far the installation of an application is. Events of its project bring what follows. */
export const installSteps = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "project", id }, "GET /api/v1/projects/{id}/install-steps", { params: { id } });

/** An application without what is secret about it. */
export type AppFacts = Omit<App, "credentials" | "database">;

export const appFacts = (organization: OrganizationId, id: number) => {
  const queryKey: Key = [organization, "project", id, "app"];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<AppFacts> => {
      const query = { view: "summary" } as const;
      return (await request("GET /api/v1/projects/{id}/app", { organization, params: { id }, query, signal })).data;
    },
  });
};

export type AppSecrets = Pick<App, "credentials" | "database">;

/** What the installation set; the audit log records who reads it. The caller keeps it no longer than it is shown. */
export async function appSecrets(organization: OrganizationId, id: number): Promise<AppSecrets> {
  const { data } = await request("GET /api/v1/projects/{id}/app", { organization, params: { id } });
  return { credentials: data.credentials, database: data.database };
}

/** What can be done to the application now, and why not. */
export const appActions = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "project", id }, "GET /api/v1/projects/{id}/app/actions", { params: { id } });

/** Changes what is done automatically. Its answer has passwords, and is not kept. */
export function useAppSettings(id: number) {
  const organization = useOrganization();
  return useMutation({
    mutationFn: async (body: AppSettings) => {
      await request("PUT /api/v1/projects/{id}/app", { organization, params: { id }, body });
      await invalidate([organization, "project", id]);
    },
  });
}
