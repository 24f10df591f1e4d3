import { lazy } from "../lib/lazy.ts";
import { versionRoute } from "./api-version.ts";
import { healthRoute } from "./health.ts";
import { openApiDocument, openApiRoute } from "./openapi.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import type { Route } from "./route.ts";

export interface RouteTable {
  /** The features' routes, and those of every application: health, the version and the OpenAPI document. */
  routes: readonly Route[];
  /** The document for all routes; generated on the first request. */
  document: () => OpenApiDocument;
}

/** The whole API, from the routes of the features; `described` are in the document only. */
export function routeTable(features: readonly Route[], described: readonly Route[] = []): RouteTable {
  const document = lazy((): OpenApiDocument => openApiDocument([...routes, ...described]));
  const routes: readonly Route[] = [...features, healthRoute, versionRoute(() => routes), openApiRoute(document)];
  return { routes, document };
}
