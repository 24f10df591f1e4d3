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

/** The account that sends a request, and what its credential allows. */
export interface Caller {
  userId: number;
  userName: string;
  email: string;
  /** Null: a console session. */
  tokenId: number | null;
  /** Undefined: the account is not in the organization of the request, or in none. */
  organizationId: number | undefined;
  /** The token's own set, which may be `*`; used when a token creates or changes tokens. */
  tokenPermissions: readonly string[];
  /** When the token expires; null: never, or a session. Tokens that it creates expire no later. */
  tokenExpiresAt: string | null;
  /** Whether the token works in `organizationId` only; for it, the account's other organizations do not exist. */
  isBound: boolean;
  /** The permissions that are in both the token's set and the role's set; without an organization, the token's. */
  permissions: ReadonlySet<Permission>;
}

/** The caller, within one organization, for one request. */
export interface Actor extends Caller {
  organizationId: number;
  organizationName: string;
  role: string;
  plan: string;
  /** Undefined: everything in the organization. Otherwise the records that the membership is restricted to. */
  restriction: Reach | undefined;
}

export interface Reach {
  serverIds: readonly number[];
  /** The listed projects, and those that one of the servers serves as a further server. */
  projectIds: readonly number[];
  /** `serverIds`, and the servers of the projects: only the names of the latter may be shown. */
  visibleServerIds: readonly number[];
}

export const isInOrganization = (caller: Caller): caller is Actor => caller.organizationId !== undefined;

/** Holds every permission, including future ones. */
export const allPermissions = "*";

/**
 * Whether the credential stands for the account itself: a session, or a token with `*` that is bound to no organization.
 * Changing the account rather than an organization requires it, since no permission covers that.
 */
export const actsAsAccount = ({ tokenPermissions, isBound }: Pick<Actor, "tokenPermissions" | "isBound">): boolean =>
  tokenPermissions.includes(allPermissions) && !isBound;

export const can = (actor: Caller, permission: Permission): boolean => actor.permissions.has(permission);
