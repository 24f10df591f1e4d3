import type { Static } from "typebox";
import { oauthAuthorization } from "../device-authorizations/examples.ts";
import type { OAuthAuthorization, OAuthRequest } from "./schema.ts";

// Examples in the documentation of the API.

export const oauthRequest: Static<typeof OAuthRequest> = {
  client_id: "https://assistant.example.net/oauth/client.json",
  redirect_uri: "https://assistant.example.net/oauth/callback",
  response_type: "code",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  resource: "https://deploy.example.com/mcp",
  state: "af0ifjsldkj",
};

export const oauthReply: Static<typeof OAuthAuthorization>["data"] = { program: oauthAuthorization, refusal: null };
