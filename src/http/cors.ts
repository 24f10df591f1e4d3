import type { FastifyRequest } from "fastify";

// Pages send tokens in a header that they set themselves, never in cookies: so CORS allows no credentials, and an
// origin that is not configured just gets no permission.

export const crossOriginHeaders = (origin: string): Record<string, string> => ({
  "Access-Control-Allow-Origin": origin,
  "Access-Control-Expose-Headers":
    "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, X-Longshore-Version, " +
    "WWW-Authenticate",
  Vary: "Origin",
});

export const isPreflight = (request: FastifyRequest): boolean =>
  request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;

export const preflightHeaders: Record<string, string> = {
  "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Accept, X-Organization, Idempotency-Key, X-Request-Id, Last-Event-ID, X-Longshore-Client, " +
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name",
  "Access-Control-Max-Age": "600",
};
