import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { clientOf } from "../../../http/clients.ts";
import { bucketsOfCode, countAttempt } from "../attempts.ts";
import { collectByCode } from "./actions.ts";
import { type OAuthError, readExchange } from "./requests.ts";
import { resourceOf, serverMetadata, tokenPath } from "./schema.ts";

const bodyLimit = 16_384;

/** What programs of other sites request themselves, in the form of OAuth 2.1. The person's part is in routes.ts, and in the console. */
export function mountOAuth(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.mcpOauth === "off") return;
  const resource = resourceOf(ctx.config);
  app.get("/.well-known/oauth-authorization-server", async () => serverMetadata(ctx.config));
  app.route({
    method: "POST",
    url: tokenPath,
    bodyLimit,
    config: { keepsRawBody: true },
    handler: async (request, reply) => {
      const { id: requestId, ip, rawBody } = request;
      await countAttempt(ctx.pool, bucketsOfCode(clientOf(ctx.config, request)));
      const refuse = ({ error, description }: OAuthError) =>
        reply.code(400).send({ error, error_description: description });
      const shown = readExchange(rawBody?.toString("utf8") ?? "", resource);
      if ("error" in shown) return refuse(shown);
      const issued = await collectByCode({ pool: ctx.pool, requestId, ip }, shown);
      if (!issued) return refuse(badCode);
      const { token, permissions, expires_at } = issued;
      return {
        access_token: token,
        token_type: "Bearer",
        scope: permissions.join(" "),
        ...(expires_at === null ? {} : { expires_in: secondsUntil(expires_at) }),
      };
    },
  });
}

const badCode: OAuthError = {
  error: "invalid_grant",
  description: "The code is unknown, has expired, was used, or is for another program, address or code_verifier.",
};

const secondsUntil = (time: string): number => Math.max(0, Math.floor((Date.parse(time) - Date.now()) / 1_000));
