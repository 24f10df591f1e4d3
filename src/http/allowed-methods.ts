import type { TSchema } from "typebox";
import type { Route } from "./route.ts";

/** The methods of a path; empty for a path without a route. */
export function methodsOf(routes: readonly Route[]): (path: string) => string[] {
  const entries = routes.map((route) => ({ pattern: patternOf(route), method: route.method }));
  return (path) => {
    const methods = new Set<string>(entries.filter((entry) => entry.pattern.test(path)).map((entry) => entry.method));
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods].sort();
  };
}

/** An integer path parameter matches digits only, so that /servers/abc stays an unknown address. */
function patternOf(route: Route): RegExp {
  const segments = route.path.split("/").map((segment) => {
    if (!segment.startsWith(":")) return segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return isInteger(route.params, segment.slice(1)) ? "[1-9]\\d{0,15}" : "[^/]+";
  });
  return new RegExp(`^${segments.join("/")}$`);
}

export function isInteger(params: TSchema | undefined, name: string): boolean {
  const properties = (params as { properties?: Record<string, { type?: unknown }> } | undefined)?.properties;
  return properties?.[name]?.type === "integer";
}
