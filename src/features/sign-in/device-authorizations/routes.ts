import { type Route, route, withStatus } from "../../../http/route.ts";
import { Reply, success } from "../../../http/schemas.ts";
import {
  approveDevice,
  checkApproval,
  checkUserCode,
  collectToken,
  denyDevice,
  requestDevice,
  showDevice,
} from "./actions.ts";
import { approval, deviceAuthorization, deviceCode, deviceCodes, deviceRequest, deviceToken } from "./examples.ts";
import {
  Approval,
  DeviceAnswer,
  DeviceAuthorization,
  DeviceCode,
  DeviceCodes,
  DeviceRequest,
  DeviceToken,
  UserCodeParams,
} from "./schema.ts";

const unknown = "No program waits under this code: it was answered, or has expired.";
const guesses = "There were too many wrong codes, or too many requests in this minute.";

export const deviceAuthorizationRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/api/v1/device-authorizations",
    summary: "Ask for a token on behalf of a person",
    description:
      "For a program without a browser, in the manner of RFC 8628. It shows `user_code` and `verification_uri`, where a person " +
      "who is signed in compares them, and chooses what the token may do; meanwhile the program asks for the token with " +
      "`device_code`, which it keeps secret.\n\n" +
      "The codes are valid for ten minutes. An address may ask ten times a minute.",
    permission: "public",
    body: DeviceRequest,
    status: 201,
    reply: DeviceCodes,
    errors: { rate_limited: "There were more than ten requests from this address within a minute." },
    examples: { body: deviceRequest, reply: success({ data: deviceCodes }) },
    handle: async (ctx, { body }) => success({ data: await requestDevice(ctx, body) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/device-authorizations/token",
    summary: "Collect the token that a person approved",
    description:
      "202 with `authorization_pending` until the person has answered. A question that comes before `interval` has passed " +
      "gets `slow_down`, and a longer interval. The token is in one answer and nowhere else: a program that loses it asks for another one. It " +
      "works in `organization` only.",
    permission: "public",
    showsSecret: true,
    body: DeviceCode,
    otherStatuses: [202],
    reply: DeviceToken,
    errors: {
      forbidden: "The person denied it.",
      gone: "The code has expired, or its token was handed out.",
    },
    examples: { body: deviceCode, reply: success({ data: deviceToken }) },
    handle: async (ctx, { body }) => {
      const data = await collectToken(ctx, body.device_code);
      return withStatus(data.state === "approved" ? 200 : 202, success({ data }));
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/device-authorizations/:userCode",
    summary: "Show a program that waits for a token",
    description:
      "What it calls itself, and where and when it asked, for the person to recognize. The code may be written with or " +
      "without its dash, in any case. Ten wrong codes in 15 minutes are answered; then 429.",
    permission: "session",
    withoutOrganization: true,
    params: UserCodeParams,
    reply: Reply(DeviceAuthorization),
    errors: { not_found: unknown, rate_limited: guesses },
    examples: { reply: success({ data: deviceAuthorization }) },
    check: checkUserCode,
    handle: async (ctx, { params }) => success({ data: await showDevice(ctx, params.userCode) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/device-authorizations/:userCode/approve",
    summary: "Approve a program that waits for a token",
    description:
      "The program gets a token of the account with this name, these permissions and this expiry, bound to the organization. The " +
      "permissions may differ from those that it proposes, and cannot be more than the role has there: `*` is for Owners. The " +
      "audit log of the organization has the approval, and later the token.",
    permission: "session",
    withoutOrganization: true,
    showsSecret: true,
    params: UserCodeParams,
    body: Approval,
    reply: DeviceAnswer,
    errors: {
      forbidden: "A permission is not one of the role's in the organization.",
      not_found: unknown,
      rate_limited: guesses,
    },
    examples: { body: approval, reply: success({ message: "The program gets its token now.", redirect_to: null }) },
    check: checkApproval,
    handle: async (ctx, { params, body }) => {
      const redirect_to = await approveDevice(ctx, params.userCode, body);
      return success({ message: "The program gets its token now.", redirect_to });
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/device-authorizations/:userCode/deny",
    summary: "Deny a program that waits for a token",
    description: "The program is answered 403, and the code can no longer be approved.",
    permission: "session",
    withoutOrganization: true,
    params: UserCodeParams,
    reply: DeviceAnswer,
    errors: { not_found: unknown, rate_limited: guesses },
    examples: { reply: success({ message: "The program was denied.", redirect_to: null }) },
    check: checkUserCode,
    handle: async (ctx, { params }) => {
      const redirect_to = await denyDevice(ctx, params.userCode);
      return success({ message: "The program was denied.", redirect_to });
    },
  }),
];
