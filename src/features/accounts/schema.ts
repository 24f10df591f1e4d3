import { Type } from "typebox";
import { allPermissions, type Permission, permissions } from "../../http/actor.ts";
import {
  described,
  Id,
  Joined,
  List,
  maxId,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Success,
  Timestamp,
} from "../../http/schemas.ts";

export const roles = ["Owner", "Admin", "Member", "Viewer"] as const;
export type Role = (typeof roles)[number];

/** The permissions of each role in its organization. A token and a restriction can only narrow them. */
export const rolePermissions: Record<Role, ReadonlySet<Permission>> = {
  Owner: new Set(permissions),
  Admin: new Set(permissions.filter((permission) => permission !== "server:transfer")),
  Member: new Set([
    "project:read",
    "project:create",
    "project:update",
    "project:delete",
    "deployment:create",
    "server:read",
    "server:update",
    "monitor:read",
    "monitor:manage",
    "organization:read",
  ]),
  Viewer: new Set(permissions.filter((permission) => permission.endsWith(":read"))),
};

export const plans = ["starter", "pro", "business"] as const;
export type PlanName = (typeof plans)[number];

export interface PlanLimits {
  /** Null: no limit. */
  servers: number | null;
  /** Active monitors per type; null: no limit. */
  monitorsOfType: number | null;
  monitorIntervalSeconds: number;
}

export const planLimits: Record<PlanName, PlanLimits> = {
  starter: { servers: 1, monitorsOfType: 5, monitorIntervalSeconds: 300 },
  pro: { servers: null, monitorsOfType: 50, monitorIntervalSeconds: 60 },
  business: { servers: null, monitorsOfType: null, monitorIntervalSeconds: 60 },
};

/** All permissions, including future ones; or some. */
export const TokenPermission = OneOf([allPermissions, ...permissions], { title: "permission" });

// Responses and requests -----------------------------------------------------------------------------------------------

/** Without what means something else in a mail's headers: several addresses, or a name with one. */
export const emailPattern = '^[^\\s@,;:<>()\\[\\]"\\\\\\x00-\\x1f\\x7f]+@[^\\s@,;:<>()"\\\\\\x00-\\x1f\\x7f]+$';

export const EmailAddress = Type.String({
  title: "email",
  maxLength: 254,
  pattern: emailPattern,
  errorMessage: "The email must be an email address.",
});

export const NewPassword = Type.String({ title: "password", minLength: 8, maxLength: 128 });

const Membership = named(
  "Membership",
  Type.Object({
    id: Id,
    name: Type.String(),
    role: OneOf(roles, { description: "What the account may do there" }),
    plan: OneOf(plans, { description: "Sets the limits" }),
  }),
  "An organization of the account",
);

const AllowedHere = named(
  "AllowedHere",
  Type.Object({
    id: Id,
    name: Type.String(),
    role: OneOf(roles, { description: "What the account may do there" }),
    permissions: Type.Array(OneOf(permissions), { description: "Those that both the role and the token have" }),
    restriction: Nullable(
      Type.Object(
        {
          server_ids: Type.Array(Id, { description: "Servers with all of their projects" }),
          project_ids: Type.Array(Id, { description: "Further projects" }),
        },
        {
          description:
            "Null: everything in the organization. Otherwise these servers with their projects, and these projects",
        },
      ),
    ),
    limits: Type.Object(
      {
        servers: Nullable(Type.Integer({ description: "Servers of the organization" })),
        monitors_of_type: Nullable(Type.Integer({ description: "Active ones of each type" })),
        monitor_interval_seconds: Type.Integer({ description: "The shortest interval of health checks" }),
      },
      { description: "Those of the organization's plan; null: no limit" },
    ),
  }),
  "The organization of this request, and what the caller may do there",
);

const Account = named(
  "Account",
  Type.Object({
    id: Id,
    name: Type.String(),
    email: Type.String({ description: "What the account signs in with" }),
    current_organization_id: Nullable(
      Type.Integer({ description: "Where requests run that name no organization; null: in none" }),
    ),
    organizations: Type.Array(Membership, { description: "Those that the account belongs to" }),
    organization: Nullable(AllowedHere),
    two_factor: Type.Boolean({ description: "Whether a second factor is asked for when the account signs in" }),
    passkeys: Type.Integer({ description: "How many passkeys the account has" }),
    sends_mail: Type.Boolean({
      description: "Whether the installation sends mail: notifications, invitations and links to a new password",
    }),
  }),
  "The account behind the token",
);

export const AccountRequest = named("AccountRequest", Type.Object({ name: described(Name, "What others see") }));

export const Me = Reply(Account);
export const AccountChanged = named("AccountChanged", Success({ message: Type.String(), data: Account }));

export const Token = named(
  "Token",
  Type.Object({
    id: Id,
    name: Type.String(),
    prefix: Type.String({ description: "The first 8 characters of the value, to recognize it by" }),
    permissions: Type.Array(Type.String(), {
      description: "What requests with it may do; `*`: all that the account may",
    }),
    organization_id: Nullable(Type.Integer({ description: "Null: the organization the account is currently in" })),
    is_bound: Type.Boolean({ description: "Whether it is refused outside of `organization_id`" }),
    expires_at: Nullable(Timestamp),
    last_used_at: Nullable(Timestamp),
    created_at: Timestamp,
  }),
  "A token, without its value",
);
export const TokenList = List(Token);

export const NewToken = named(
  "NewToken",
  Joined(Token, Type.Object({ token: Type.String({ description: "The value; it is shown here and never again" }) })),
  "A token with its value",
);
export const TokenCreated = named("TokenCreated", Success({ message: Type.String(), data: NewToken }));

export const Expiry = Type.Optional(
  Nullable(
    Type.String({
      title: "expiry",
      maxLength: 40,
      description: "ISO 8601; default: never, or when the token that makes this one expires",
    }),
  ),
);

export const TokenRequest = named(
  "TokenRequest",
  Type.Object({
    name: described(Name, "For people, to recognize it by"),
    permissions: Type.Array(TokenPermission, {
      minItems: 1,
      maxItems: permissions.length + 1,
      description: "What requests with it may do, within the role of the account; `*`: all of that",
    }),
    expires_at: Expiry,
    organization_id: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: maxId,
          description: "The organization of requests without X-Organization",
        }),
      ),
    ),
    is_bound: Type.Optional(
      Type.Boolean({ description: "Refuse the token outside of `organization_id`, whatever X-Organization names" }),
    ),
  }),
);

export const Session = named(
  "Session",
  Type.Object({
    id: Id,
    ip: Nullable(Type.String({ description: "Where it was opened" })),
    user_agent: Nullable(Type.String({ description: "What the browser that opened it calls itself" })),
    is_current: Type.Boolean({ description: "Whether this request has it" }),
    signed_in_at: Timestamp,
    last_used_at: Timestamp,
    expires_at: Timestamp,
  }),
  "A browser in which the account is signed in",
);
export const SessionList = List(Session);
export const SessionsEnded = named(
  "SessionsEnded",
  Success({ message: Type.String(), ended: Type.Integer({ description: "How many" }) }),
);
