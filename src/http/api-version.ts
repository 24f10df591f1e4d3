import { type TObject, Type } from "typebox";
import { newestVersion } from "../lib/newest-version.ts";
import { version } from "../lib/version.ts";
import { type Route, route } from "./route.ts";
import { named, Reply, success } from "./schemas.ts";

export const ApiVersion = named(
  "ApiVersion",
  Type.Object({
    version: Type.String({ description: "Of Longshore, such as `0.2.0`" }),
    newest_version: Type.Union([Type.String(), Type.Null()], {
      description:
        "The newest release, if that is newer. Null as well if it is not known: it is looked up only with `LONGSHORE_UPDATE_CHECK=on`",
    }),
    api: Type.Literal(1),
    features: Type.Array(Type.String(), {
      description: "The paths below `/api/v1` without their methods, and each filter of a list, such as `projects?q`",
    }),
  }),
  "What this installation can do",
);

/** `features` are those of the table that the service runs on. */
export const versionRoute = (routes: () => readonly Route[]): Route =>
  route({
    method: "GET",
    path: "/api/v1/version",
    summary: "Show the version and what it can do",
    description:
      "For clients that work with several versions: whether an endpoint or a filter exists is in `features`, without a " +
      "request that fails. `api` is the 1 of `/api/v1`, and changes with it only.",
    permission: "public",
    reply: Reply(ApiVersion),
    examples: {
      reply: success({
        data: {
          version: "0.2.0",
          newest_version: null,
          api: 1 as const,
          features: ["projects", "projects/{id}", "projects?q"],
        },
      }),
    },
    handle: () =>
      success({
        data: {
          version,
          newest_version: newestVersion() ?? null,
          api: 1 as const,
          features: featuresOf(routes()),
        },
      }),
  });

const pages = ["page", "per_page", "before"];

export function featuresOf(routes: readonly Route[]): string[] {
  const names = routes.flatMap(({ method, path, query }) => {
    const name = path.replace(/^\/api\/(?:v1\/)?/, "").replace(/:(\w+)/g, "{$1}");
    const filters = method === "GET" ? Object.keys((query as TObject | undefined)?.properties ?? {}) : [];
    return [name, ...filters.filter((filter) => !pages.includes(filter)).map((filter) => `${name}?${filter}`)];
  });
  return [...new Set(names)].sort();
}
