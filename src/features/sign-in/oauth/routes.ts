import { type Route, route, withStatus } from "../../../http/route.ts";
import { success } from "../../../http/schemas.ts";
import { checkIsOn, requestAuthorization } from "./actions.ts";
import { oauthReply, oauthRequest } from "./examples.ts";
import { OAuthAuthorization, OAuthRequest } from "./schema.ts";

export const oauthRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/api/v1/oauth-authorizations",
    summary: "Let a program of another site ask for a token",
    description:
      "For the page `/authorize` of the console, which such a program opens. The document of the program is read at its " +
      "`client_id`, from which `redirect_uri` has to come; then the program waits for this session to approve or deny it with " +
      "`/api/v1/device-authorizations/{userCode}`, whose answer has the address where the browser takes it. 200 with " +
      "`refusal` when the program asks for something else than OAuth 2.1 with PKCE for /mcp.\n\n" +
      "404 unless `LONGSHORE_MCP_OAUTH` is on. A person may ask ten times a minute.",
    tag: "device-authorizations",
    permission: "session",
    withoutOrganization: true,
    body: OAuthRequest,
    status: 201,
    otherStatuses: [200],
    reply: OAuthAuthorization,
    errors: {
      not_found: "`LONGSHORE_MCP_OAUTH` is off.",
      rate_limited: "There were more than ten requests of the person within a minute.",
    },
    examples: { body: oauthRequest, reply: success({ data: oauthReply }) },
    check: checkIsOn,
    handle: async (ctx, { body }) => {
      const data = await requestAuthorization(ctx, body);
      return withStatus(data.refusal ? 200 : 201, success({ data }));
    },
  }),
];
