import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { matchRoutes, type RouteObject } from "react-router";

// The console's own table of routes, so that a new page is walked without a change of a test. Node cannot load what is made
// for browsers, and the table needs none of it: each other file of the console is replaced by its names.

const isTable = (url: string): boolean => url.endsWith("/console/src/routes.tsx");

const hooks = registerHooks({
  load(url, context, next) {
    if (!url.includes("/console/src/")) return next(url, context);
    const text = readFileSync(new URL(url), "utf8");
    if (isTable(url)) return { format: "module-typescript", source: text, shortCircuit: true };
    const names = [...text.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
    const source = names.map((name) => `export const ${name} = null;`).join("\n");
    return { format: "module", source, shortCircuit: true };
  },
});
const { routes } = (await import("../../src/routes.tsx")) as { routes: RouteObject[] };
hooks.deregister();

/** The pattern of the page that an address leads to: `/o/:organization/projects/:project/domains`. */
export function patternOf(address: string): string | undefined {
  const { pathname } = new URL(address, "http://localhost");
  const branch = matchRoutes(routes, pathname);
  const pattern = branch ? join(branch.map(({ route }) => route.path ?? "")) : undefined;
  return pattern?.endsWith("*") ? undefined : pattern;
}

/** The patterns of all pages. */
export const patterns: readonly string[] = [...new Set(pagesBelow(routes, ""))];

function pagesBelow(table: readonly RouteObject[], above: string): string[] {
  return table.flatMap(({ path = "", children }) => {
    const pattern = join([above, path]);
    return children ? pagesBelow(children, pattern) : path === "*" ? [] : [pattern];
  });
}

function join(parts: readonly string[]): string {
  return `/${parts
    .flatMap((part) => part.split("/"))
    .filter(Boolean)
    .join("/")}`;
}
