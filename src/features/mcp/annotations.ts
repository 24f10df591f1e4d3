import type { Caller } from "../../http/actor.ts";
import type { Route } from "../../http/route.ts";
import type { Narrowing } from "./connection.ts";
import { isReading, isWithin, nameOfRoute } from "./connection.ts";
import type { Tool } from "./tool.ts";

/** How clients decide whether to ask a person before they call a tool. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** The routes that reach beyond this installation and its servers: git hosts, DNS, clouds, and what a command reaches. */
export const reachingOut = [
  "POST /api/v1/projects/detect",
  "POST /api/v1/projects",
  "POST /api/v1/deployments",
  "POST /api/v1/deployments/:id/rerun",
  "POST /api/v1/deployments/:id/rollback",
  "GET /api/v1/projects/:id/check-ns",
  "POST /api/v1/servers",
  "POST /api/v1/projects/:id/commands",
];

/** From the routes that a tool sends requests to; one without routes of its own can send all of them. */
export function annotationsOf(tool: Tool, routes: readonly Route[]): Annotations {
  const names = [...tool.needs, ...tool.uses];
  const sent = names.length === 0 && tool.plan ? routes : routes.filter((route) => names.includes(nameOfRoute(route)));
  const writes = sent.filter((route) => !isReading(route));
  return {
    readOnlyHint: writes.length === 0,
    destructiveHint: tool.plan !== undefined || writes.some((route) => route.method === "DELETE"),
    idempotentHint: writes.every(({ method }) => method === "PUT" || method === "DELETE"),
    openWorldHint: sent.some((route) => reachingOut.includes(nameOfRoute(route))),
  };
}

/** The tools that a caller can ever use over a connection. */
export function toolsFor(
  tools: readonly Tool[],
  routes: readonly Route[],
  { caller, narrowing }: { caller: Caller; narrowing: Narrowing },
): Tool[] {
  const byName = new Map(routes.map((route) => [nameOfRoute(route), route]));
  return tools.filter((tool) => {
    const sendsAll = tool.needs.length === 0;
    if (narrowing.project !== undefined && !tool.isOfProject) return false;
    if (narrowing.isReadOnly && !sendsAll && !annotationsOf(tool, routes).readOnlyHint) return false;
    return tool.needs.every((name) => {
      const route = byName.get(name);
      return route !== undefined && isWithin(route.permission, caller);
    });
  });
}
