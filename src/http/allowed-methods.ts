import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import { AppError } from "../lib/errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The schema of the path's parameters. */
    params?: TSchema;
  }
}

/** The methods of a path, sorted; none for a path without a route. */
export type MethodsOf = (path: string) => string[];

/** Collects the routes that are added from now on, also those that are not in the table. */
export function collectMethods(app: FastifyInstance): MethodsOf {
  const entries: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method, config }) => {
    entries.push({ pattern: patternOf(url, config?.params), methods: [method].flat() });
  });
  return (path) => {
    const matching = entries.filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort();
  };
}

export const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

/** Names the allowed methods, and the address that has this one, if only the number of a noun differs: `/project/1`. */
export function methodNotAllowed(method: string, path: string, methodsOf: MethodsOf): AppError {
  const allowed = methodsOf(path).join(", ");
  const other = inOtherNumbers(path).find((each) => methodsOf(each).includes(method));
  const hint = other === undefined ? "" : ` Or send ${method} ${other}.`;
  return new AppError("method_not_allowed", `${method} is not possible here. Use ${allowed}.${hint}`, {
    headers: { Allow: allowed },
  });
}

/** The path with one of its nouns in the singular or in the plural. */
const inOtherNumbers = (path: string): string[] => {
  const segments = path.split("/");
  return segments.flatMap((segment, at) =>
    /^[a-z-]{2,60}$/.test(segment)
      ? [segments.with(at, segment.endsWith("s") ? segment.slice(0, -1) : `${segment}s`).join("/")]
      : [],
  );
};

/** An integer path parameter matches digits only, so that /servers/abc stays an unknown address. */
function patternOf(url: string, params: TSchema | undefined): RegExp {
  const segments = url.split("/").map((segment) => {
    if (!segment.startsWith(":")) return segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return isInteger(params, segment.slice(1)) ? "[1-9]\\d{0,15}" : "[^/]+";
  });
  return new RegExp(`^${segments.join("/")}$`);
}

function isInteger(params: TSchema | undefined, name: string): boolean {
  const properties = (params as { properties?: Record<string, { type?: unknown }> } | undefined)?.properties;
  return properties?.[name]?.type === "integer";
}
