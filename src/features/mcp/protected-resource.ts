import type { FastifyInstance } from "fastify";
import { installationUrl } from "../../config.ts";
import type { Context } from "../../context.ts";
import { unauthenticated } from "../../http/authenticate.ts";
import type { AppError } from "../../lib/errors.ts";
import { resourceOf } from "../sign-in/oauth/schema.ts";

// How a client learns where it gets a token (RFC 9728).

const wellKnown = "/.well-known/oauth-protected-resource";

export function mountResourceMetadata(app: FastifyInstance, { config }: Context): void {
  if (config.mcpOauth === "off") return;
  const resource = resourceOf(config);
  const metadata = {
    resource,
    authorization_servers: [installationUrl(config)],
    bearer_methods_supported: ["header"],
    resource_name: "Longshore",
  };
  for (const url of [wellKnown, `${wellKnown}/mcp`]) app.get(url, async () => metadata);
}

/** 401; where OAuth is on, with the address of the metadata. */
export const withoutToken = ({ config }: Pick<Context, "config">): AppError =>
  unauthenticated(
    config.mcpOauth === "on" ? `resource_metadata="${installationUrl(config)}${wellKnown}/mcp"` : undefined,
  );
