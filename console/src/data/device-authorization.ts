import { queryOptions } from "@tanstack/react-query";
import type { OAuthRequest } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import { reading } from "./cache.ts";

/** A program that waits for a token under this code. */
export const deviceAuthorization = (userCode: string) =>
  reading(
    { organization: null, noun: "device_authorization", id: userCode },
    "GET /api/v1/device-authorizations/{userCode}",
    { params: { userCode } },
  );

/** Lets the program that opened the page with this query wait for a token. It is asked for once, when the page opens. */
export const oauthAuthorization = (search: string) =>
  queryOptions({
    queryKey: [null, "oauth_authorization", search],
    queryFn: () => request("POST /api/v1/oauth-authorizations", { body: oauthRequestIn(new URLSearchParams(search)) }),
    staleTime: "static",
    gcTime: 0,
  });

/** What the program left out is missed by the API. */
const oauthRequestIn = (search: URLSearchParams): OAuthRequest => ({
  client_id: search.get("client_id") ?? "",
  redirect_uri: search.get("redirect_uri") ?? "",
  ...Object.fromEntries(optional.filter((name) => search.has(name)).map((name) => [name, search.get(name)])),
});

const optional = ["response_type", "code_challenge", "code_challenge_method", "resource", "state", "scope"];
