import { healthRoute } from "./health.ts";
import { type OpenApiDocument, openApiDocument, openApiRoute } from "./openapi.ts";
import type { Route } from "./route.ts";

export interface RouteTable {
  /** The features' routes, and those that come with every application: health and the OpenAPI document. */
  routes: readonly Route[];
  /** The document of all of them; made when first asked for. */
  document: () => OpenApiDocument;
}

/** The whole API from the routes of the features. */
export function routeTable(features: readonly Route[]): RouteTable {
  let made: OpenApiDocument | undefined;
  const document = (): OpenApiDocument => {
    made ??= openApiDocument(routes);
    return made;
  };
  const routes = [...features, healthRoute, openApiRoute(document)];
  return { routes, document };
}
