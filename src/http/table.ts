import { lazy } from "../lib/lazy.ts";
import { healthRoute } from "./health.ts";
import { openApiDocument, openApiRoute } from "./openapi.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import type { Route } from "./route.ts";

export interface RouteTable {
  /** The features' routes, and those of every application: health and the OpenAPI document. */
  routes: readonly Route[];
  /** The document for all routes; generated on the first request. */
  document: () => OpenApiDocument;
}

/** The whole API, from the routes of the features. */
export function routeTable(features: readonly Route[]): RouteTable {
  const document = lazy((): OpenApiDocument => openApiDocument(routes));
  const routes = [...features, healthRoute, openApiRoute(document)];
  return { routes, document };
}
