/** Every permission a token or a role can hold; each route declares what it needs. */
export const permissions = [
  "project:read",
  "project:create",
  "project:update",
  "project:delete",
  "deployment:create",
  "server:read",
  "server:create",
  "server:update",
  "server:delete",
  "server:transfer",
  "monitor:read",
  "monitor:manage",
  "organization:read",
  "organization:manage",
] as const;

export type Permission = (typeof permissions)[number];

/** The caller, inside one organization, for one request. */
export interface Actor {
  userId: number;
  userName: string;
  email: string;
  /** Null: a session of the console. */
  tokenId: number | null;
  organizationId: number;
  organizationName: string;
  role: string;
  plan: string;
  /** The token's own set, which may be `*`; for what a token does to tokens. */
  tokenPermissions: readonly string[];
  /** When the token ends; null: never, or a session. What it makes ends no later. */
  tokenExpiresAt: string | null;
  /** Whether the token works in `organizationId` only; the account's other organizations do not exist for it. */
  isBound: boolean;
  /** The permissions that are in both the token's set and the role's set. */
  permissions: ReadonlySet<Permission>;
  /** Undefined: everything in the organization. Otherwise the records to which the membership is restricted. */
  restriction: Reach | undefined;
}

export interface Reach {
  serverIds: readonly number[];
  projectIds: readonly number[];
  /** `serverIds`, and those of the servers that the projects are on: only the names of these may be seen. */
  visibleServerIds: readonly number[];
}

/** Holds every permission there is, now and later. */
export const allPermissions = "*";

/**
 * Whether the credential stands for the account itself: a session, or a token with `*` that is bound to no organization. What
 * changes the account rather than an organization needs it, since no permission covers that.
 */
export const actsAsAccount = ({ tokenPermissions, isBound }: Pick<Actor, "tokenPermissions" | "isBound">): boolean =>
  tokenPermissions.includes(allPermissions) && !isBound;

export const can = (actor: Actor, permission: Permission): boolean => actor.permissions.has(permission);
