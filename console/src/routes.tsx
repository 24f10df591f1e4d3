import { createBrowserRouter, type RouteObject } from "react-router";
import { PageError } from "./pages/root/page-error.tsx";
import { Root } from "./pages/root/root.tsx";

// Every address of the console and the page behind it. A page is a folder under pages/ whose page.tsx exports `Component` and,
// where the first paint needs data, a `loader`.
const project: RouteObject = {
  path: "projects/:project",
  lazy: () => import("./pages/project/page.tsx"),
  children: [
    { index: true, lazy: () => import("./pages/project/overview/page.tsx") },
    { path: "domains", lazy: () => import("./pages/project/domains/page.tsx") },
    { path: "environment", lazy: () => import("./pages/project/environment/page.tsx") },
  ],
};

const organization: RouteObject = {
  path: "/o/:organization",
  children: [project],
};

const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: PageError,
    HydrateFallback: () => null,
    children: [organization, { path: "*", lazy: () => import("./pages/not-found/page.tsx") }],
  },
];

export const router = createBrowserRouter(routes);
