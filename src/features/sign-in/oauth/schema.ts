import { Type } from "typebox";
import { type Config, installationUrl } from "../../../config.ts";
import { permissions } from "../../../http/actor.ts";
import { Nullable, named, Reply } from "../../../http/schemas.ts";
import { DeviceAuthorization } from "../device-authorizations/schema.ts";

// Programs of other sites, such as assistants in browsers, get a token for /mcp by OAuth 2.1. The authorization server is small and our
// own: better-auth's (@better-auth/oauth-provider 1.7.5, @better-auth/cimd 1.7.0-rc.4) has 390 KB and eight tables, issues tokens of its
// own, and its consent knows neither organization nor expiry, so that ours would have to follow after it.

/** What the tokens are for (RFC 8707). */
export const resourceOf = (config: Config): string => `${installationUrl(config)}/mcp`;

export const tokenPath = "/oauth/token";

/** Of the authorization server (RFC 8414). */
export const serverMetadata = (config: Config) => ({
  issuer: installationUrl(config),
  authorization_endpoint: `${installationUrl(config)}/authorize`,
  token_endpoint: `${installationUrl(config)}${tokenPath}`,
  scopes_supported: permissions,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code"],
  token_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});

const parameter = (description: string) => Type.Optional(Type.String({ maxLength: 2_000, description }));

export const OAuthRequest = named(
  "OAuthRequest",
  Type.Object({
    client_id: Type.String({ maxLength: 2_000, description: "The https address of the document of the program" }),
    redirect_uri: Type.String({ maxLength: 2_000, description: "One of those in the document" }),
    response_type: parameter("`code`"),
    code_challenge: parameter("Base64url of the SHA-256 of a secret of the program (PKCE)"),
    code_challenge_method: parameter("`S256`"),
    resource: parameter("The address of /mcp"),
    state: parameter("The program gets it back"),
    scope: parameter("The permissions that are proposed to the person; default: those to read"),
  }),
  "The parameters of the address `/authorize`, as OAuth 2.1 names them",
);

export const OAuthAuthorization = Reply(
  named(
    "OAuthAuthorization",
    Type.Object({
      program: Nullable(DeviceAuthorization),
      refusal: Nullable(
        Type.Object(
          {
            message: Type.String({ description: "What the program did wrong" }),
            redirect_to: Type.String({ description: "Where the browser takes the refusal" }),
          },
          { description: "Of a request that is not as OAuth 2.1 wants it; null when the program waits" },
        ),
      ),
    }),
    "The program that waits now, or why its request was refused",
  ),
);
