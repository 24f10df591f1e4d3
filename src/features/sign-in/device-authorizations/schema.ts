import { Type } from "typebox";
import { permissions } from "../../../http/actor.ts";
import { CallingProgram } from "../../../http/calling-program.ts";
import { Id, Name, Nullable, named, OneOf, Reply, Success, Timestamp } from "../../../http/schemas.ts";
import { Expiry, TokenPermission } from "../../accounts/schema.ts";

export const lifeSeconds = 600;
export const pollSeconds = 3;
/** Of the code that a program of another site exchanges for its token. */
export const codeSeconds = 60;

/** Consonants that look and sound unlike each other, so that no code reads as a word (RFC 8628, 6.1). */
export const userCodeAlphabet = "BCDFGHJKLMNPQRSTVWXZ";

export const UserCodeParams = Type.Object({
  userCode: Type.String({ pattern: "^[A-Za-z]{4}[- ]?[A-Za-z]{4}$", description: "What the program shows" }),
});

const Permissions = Type.Array(TokenPermission, {
  minItems: 1,
  maxItems: permissions.length + 1,
  description: "None that the role does not have there",
});

export const DeviceRequest = named(
  "DeviceRequest",
  Type.Object({
    client_name: Type.String({
      ...Name,
      description: "What the person recognizes: the program, and the device it runs on",
    }),
    permissions: Type.Optional(Type.Array(TokenPermission, { ...Permissions, description: "Proposed to the person" })),
  }),
);

export const DeviceCodes = Reply(
  named(
    "DeviceCodes",
    Type.Object({
      device_code: Type.String({ description: "For `POST /api/v1/device-authorizations/token`; to be kept secret" }),
      user_code: Type.String({ description: "For the person to compare or enter" }),
      verification_uri: Type.String({ description: "The page of the console that asks for the code" }),
      verification_uri_complete: Type.String({ description: "The same, with the code" }),
      expires_in: Type.Integer({ description: "Seconds" }),
      interval: Type.Integer({ description: "The least seconds between two questions for the token" }),
    }),
    "The codes of a program that waits for a token",
  ),
);

export const DeviceCode = named(
  "DeviceCode",
  Type.Object({
    device_code: Type.String({ minLength: 1, maxLength: 200, description: "Of `POST /api/v1/device-authorizations`" }),
  }),
);

export const DeviceToken = Reply(
  named(
    "DeviceToken",
    Type.Object({
      state: OneOf(["approved", "authorization_pending", "slow_down"], {
        description: "`slow_down`: the question came too early",
      }),
      interval: Type.Optional(
        Type.Integer({ description: "Unless approved: the seconds to wait before the next question" }),
      ),
      token: Type.Optional(Type.String({ description: "Shown here and never again" })),
      organization: Type.Optional(
        Type.Object({ id: Id, name: Type.String() }, { description: "Where the token works" }),
      ),
    }),
    "The token, or how long to wait for it",
  ),
);

const OAuthClient = named(
  "OAuthClient",
  Type.Object({
    client_id: Type.String({ description: "The address of the document that describes it" }),
    client_host: Type.String({ description: "Of that address: all that is known for sure about the program" }),
    redirect_host: Type.String({ description: "Where the browser takes the answer" }),
    is_local: Type.Boolean({ description: "That is the person's own computer, where any program may listen" }),
  }),
  "A program of another site, which opened the page; null for one on a device",
);

export const DeviceAuthorization = named(
  "DeviceAuthorization",
  Type.Object({
    user_code: Type.String({ description: "With its dash" }),
    client_name: Type.String({ description: "What the program calls itself: it may be any" }),
    client: CallingProgram,
    ip: Nullable(Type.String({ description: "Where the program's request came from" })),
    permissions: Nullable(Type.Array(Type.String(), { description: "What the program proposes" })),
    created_at: Timestamp,
    expires_at: Timestamp,
    oauth: Nullable(OAuthClient),
  }),
  "A program that waits for a person to give it a token",
);

export const DeviceAnswer = named(
  "DeviceAnswer",
  Success({
    message: Type.String(),
    redirect_to: Nullable(
      Type.String({ description: "Where the browser takes the answer; null for a program on a device" }),
    ),
  }),
);

export const Approval = named(
  "DeviceApproval",
  Type.Object({
    name: Type.String({ ...Name, description: "Of the token" }),
    permissions: Permissions,
    organization_id: Type.Integer({ ...Id, description: "The token is bound to it" }),
    expires_at: Expiry,
  }),
);
