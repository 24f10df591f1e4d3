import type { App } from "./app.ts";
import { app as cms } from "./catalog/app_cms/app.ts";
import { app as databaseAdministration } from "./catalog/app_dbadmin/app.ts";
import { app as directus } from "./catalog/directus/app.ts";
import { app as ghost } from "./catalog/ghost/app.ts";
import { app as matomo } from "./catalog/matomo/app.ts";
import { app as n8n } from "./catalog/n8n/app.ts";
import { app as nextcloud } from "./catalog/nextcloud/app.ts";
import { app as nodeRed } from "./catalog/node-red/app.ts";

/** Every application of the catalog, in the order in which they are listed. */
export const catalog: readonly App[] = [cms, databaseAdministration, directus, ghost, n8n, nodeRed, nextcloud, matomo];

export const findApp = (slug: string | null): App | undefined => catalog.find((app) => app.slug === slug);

export function getApp(slug: string | null): App {
  const app = findApp(slug);
  if (!app) throw new Error(`The catalog has no application ${slug}`);
  return app;
}
