import { matchRoutes, type RouteObject } from "react-router";
import { NotFound } from "./pages/not-found/not-found.tsx";
import { PageError, PageErrorInShell } from "./pages/root/page-error.tsx";
import { Root } from "./pages/root/root.tsx";
import { openOrganization } from "./pages/shell/loader.ts";

// Every address of the console and the page behind it. A page is a folder under pages/ whose page.tsx exports `Component` and,
// where the first paint needs data, a `loader`.
const project: RouteObject = {
  path: "projects/:project",
  lazy: () => import("./pages/project/page.tsx"),
  children: [
    { index: true, lazy: () => import("./pages/project/overview/page.tsx") },
    { path: "deployments", lazy: () => import("./pages/project/deployments/page.tsx") },
    { path: "domains", lazy: () => import("./pages/project/domains/page.tsx") },
    { path: "environment", lazy: () => import("./pages/project/environment/page.tsx") },
    { path: "jobs", lazy: () => import("./pages/project/jobs/page.tsx") },
    { path: "databases", lazy: () => import("./pages/project/databases/page.tsx") },
    { path: "databases/:database", lazy: () => import("./pages/project/database/page.tsx") },
    { path: "logs", lazy: () => import("./pages/project/logs/page.tsx") },
    { path: "commands", lazy: () => import("./pages/project/commands/page.tsx") },
    { path: "monitors", lazy: () => import("./pages/project/monitors/page.tsx") },
    { path: "settings", lazy: () => import("./pages/project/settings/page.tsx") },
  ],
};

const server: RouteObject = {
  path: "servers/:server",
  lazy: () => import("./pages/server/page.tsx"),
  children: [
    { index: true, lazy: () => import("./pages/server/overview/page.tsx") },
    { path: "setup", lazy: () => import("./pages/server/setup/page.tsx") },
    { path: "services", lazy: () => import("./pages/server/services/page.tsx") },
    { path: "projects", lazy: () => import("./pages/server/projects/page.tsx") },
    { path: "apps", lazy: () => import("./pages/server/apps/page.tsx") },
    { path: "databases", lazy: () => import("./pages/server/databases/page.tsx") },
    { path: "databases/:database", lazy: () => import("./pages/server/database/page.tsx") },
    { path: "settings", lazy: () => import("./pages/server/settings/page.tsx") },
  ],
};

const settings: RouteObject = {
  path: "settings",
  lazy: () => import("./pages/settings/page.tsx"),
  children: [
    { index: true, lazy: () => import("./pages/settings/organization/page.tsx") },
    { path: "members", lazy: () => import("./pages/settings/members/page.tsx") },
    { path: "tokens", lazy: () => import("./pages/settings/tokens/page.tsx") },
    { path: "channels", lazy: () => import("./pages/settings/channels/page.tsx") },
    { path: "channels/:channel", lazy: () => import("./pages/settings/channel/page.tsx") },
    { path: "git-hosts", lazy: () => import("./pages/settings/git-hosts/page.tsx") },
    { path: "providers", lazy: () => import("./pages/settings/providers/page.tsx") },
    { path: "ssh-keys", lazy: () => import("./pages/settings/ssh-keys/page.tsx") },
  ],
};

const pages: RouteObject[] = [
  { index: true, lazy: () => import("./pages/overview/page.tsx") },
  { path: "projects", lazy: () => import("./pages/projects/page.tsx") },
  { path: "projects/new", lazy: () => import("./pages/new-project/page.tsx") },
  project,
  { path: "deployments", lazy: () => import("./pages/deployments/page.tsx") },
  { path: "deployments/:id", lazy: () => import("./pages/deployment/page.tsx") },
  { path: "servers", lazy: () => import("./pages/servers/page.tsx") },
  { path: "servers/new", lazy: () => import("./pages/new-server/page.tsx") },
  server,
  { path: "monitors/status-pages", lazy: () => import("./pages/status-pages/page.tsx") },
  { path: "monitors/status-pages/:id", lazy: () => import("./pages/status-page/page.tsx") },
  { path: "monitors/windows", lazy: () => import("./pages/maintenance-windows/page.tsx") },
  { path: "monitors", lazy: () => import("./pages/monitors/page.tsx") },
  { path: "monitors/new", lazy: () => import("./pages/new-monitor/page.tsx") },
  { path: "monitors/import", lazy: () => import("./pages/import-monitors/page.tsx") },
  { path: "monitors/:id", lazy: () => import("./pages/monitor/page.tsx") },
  { path: "activity", lazy: () => import("./pages/activity/page.tsx") },
  settings,
  { path: "*", Component: NotFound },
];

const organization: RouteObject = {
  path: "/o/:organization",
  loader: openOrganization,
  lazy: () => import("./pages/shell/page.tsx"),
  children: [{ ErrorBoundary: PageErrorInShell, children: pages }],
};

/** Those that are for people who are not signed in, or in no organization. */
const access: RouteObject[] = [
  { path: "/", lazy: () => import("./pages/start/page.tsx") },
  { path: "/setup", lazy: () => import("./pages/setup/page.tsx") },
  { path: "/sign-in", lazy: () => import("./pages/sign-in/page.tsx") },
  { path: "/forgot-password", lazy: () => import("./pages/forgot-password/page.tsx") },
  { path: "/reset-password", lazy: () => import("./pages/reset-password/page.tsx") },
  { path: "/confirm-email", lazy: () => import("./pages/confirm-email/page.tsx") },
  { path: "/invitations/:token", lazy: () => import("./pages/invitation/page.tsx") },
  { path: "/authorize", lazy: () => import("./pages/authorize/page.tsx") },
  { path: "/device", lazy: () => import("./pages/device/page.tsx") },
  { path: "/account", lazy: () => import("./pages/account/page.tsx") },
];

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: PageError,
    HydrateFallback: () => null,
    children: [...access, organization, { path: "*", lazy: () => import("./pages/not-found/page.tsx") }],
  },
];

/** Loads the code of the page at an address, which one is likely to open next. */
export function loadPage(pathname: string): void {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    // What cannot be loaded now is loaded when the page is opened.
    if (typeof route.lazy === "function") route.lazy().catch(() => {});
  }
}
