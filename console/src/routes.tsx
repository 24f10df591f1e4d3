import { createBrowserRouter, type RouteObject } from "react-router";
import { PageError } from "./pages/root/page-error.tsx";
import { Root } from "./pages/root/root.tsx";

// Every address of the console and the page behind it. A page is a folder under pages/ whose page.tsx exports `Component` and,
// where the first paint needs data, a `loader`.
const organization: RouteObject = {
  path: "/o/:organization",
  children: [],
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
