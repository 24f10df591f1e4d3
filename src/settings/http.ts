import { resolve } from "node:path";
import { isNetwork } from "../lib/addresses.ts";
import type { Settings } from "./setting.ts";
import { integer, isOrigin, list, oneOf } from "./values.ts";

/** How it answers over HTTP. */
export const httpSettings = {
  rateLimit: {
    env: "LONGSHORE_RATE_LIMIT",
    ...integer(1, 1_000_000_000),
    default: "120",
    about: "API requests a minute for each user, over all tokens and all processes.",
  },
  sessionRateLimit: {
    env: "LONGSHORE_SESSION_RATE_LIMIT",
    ...integer(1, 1_000_000_000),
    default: "600",
    about: "API requests a minute for each user who is signed in, over all sessions and all processes.",
  },
  mcpRateLimit: {
    env: "LONGSHORE_MCP_RATE_LIMIT",
    ...integer(1, 1_000_000_000),
    default: "120",
    about: "Requests a minute to /mcp for each user, over all tokens and all processes.",
  },
  mcpOauth: {
    env: "LONGSHORE_MCP_OAUTH",
    ...oneOf(["off", "on"]),
    default: "off",
    about:
      "`on` lets assistants in browsers ask for a token of /mcp by OAuth: each person who is signed in decides whether an assistant gets one, and what it may do. Longshore then reads the document that an assistant names as its id, at public addresses and those of `LONGSHORE_MONITOR_ALLOW`. Set `LONGSHORE_PUBLIC_URL`.",
  },
  consoleDirectory: {
    env: "LONGSHORE_CONSOLE",
    type: "a directory, or off",
    about:
      "The directory with the web console as `longshore console build` makes it in a checkout. Without it, the one that belongs to this program. `off` serves the API only.",
    parse: (text): string => (text === "off" ? text : resolve(text)),
  },
  drainSeconds: {
    env: "LONGSHORE_DRAIN_SECONDS",
    ...integer(0, 600),
    default: "0",
    about:
      "For so long after SIGTERM requests are still answered, while `GET /api/v1/health` is 503: a load balancer has time to choose other processes.",
  },
  connectionsPerAddress: {
    env: "LONGSHORE_CONNECTIONS_PER_ADDRESS",
    ...integer(1, 1_000_000),
    default: "256",
    about:
      "How many connections one public address may have open at once, an IPv6 network of 64 bits counting as one. Addresses of `LONGSHORE_TRUSTED_PROXIES` and private ones are not counted.",
  },
  corsOrigins: {
    env: "LONGSHORE_CORS_ORIGINS",
    ...list("origins such as https://console.example.com", isOrigin),
    default: "",
    about: "Web origins whose pages may call the API.",
  },
  trustedProxies: {
    env: "LONGSHORE_TRUSTED_PROXIES",
    ...list("addresses or networks such as 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "The proxies in front of this process, whose X-Forwarded-For is trusted for where a request came from. From any other sender it is ignored. Behind a proxy that is not named here, Longshore applies the limit on sign-in attempts for each address to all clients together, since it cannot distinguish them; only browsers used before are not affected by the attempts of others.",
  },
  metricsPort: {
    env: "LONGSHORE_METRICS_PORT",
    ...integer(0, 65_535),
    about: "Serves Prometheus metrics on this port of the same address; off when not set.",
  },
} as const satisfies Settings;
