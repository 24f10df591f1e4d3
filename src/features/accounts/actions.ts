import { hash, randomInt } from "node:crypto";
import type { Pool } from "pg";
import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { permissions } from "../../http/actor.ts";
import type { RequestContext } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { digestPassword } from "../../lib/password.ts";
import {
  addMembership,
  createOrganization,
  deleteSessions,
  deleteToken,
  findOrganization,
  findOrganizationByName,
  findToken,
  findUser,
  findUserByEmail,
  insertToken,
  isMember,
  listForeignProjects,
  listForeignServers,
  listOrganizations,
  listTokens,
  type OrganizationRow,
  saveMembership,
  savePassword,
  saveUser,
  setPlan,
  setRole,
  type UserRow,
} from "./queries.ts";
import {
  allPermissions,
  type Me,
  type NewToken,
  type PlanName,
  plans,
  type Role,
  roles,
  type Token,
  type TokenRequest,
} from "./schema.ts";

// The account --------------------------------------------------------------------------------------------------------------

export async function me({ pool, actor }: RequestContext): Promise<Static<typeof Me>> {
  const [user, organizations] = await Promise.all([
    findUser(pool, actor.userId),
    listOrganizations(pool, actor.userId),
  ]);
  if (!user) throw notFound("The account");
  const { id, name, email, current_organization_id } = user;
  return success({ data: { id, name, email, current_organization_id, organizations } });
}

// Tokens -------------------------------------------------------------------------------------------------------------------

export async function listOwnTokens({ pool, actor }: RequestContext): Promise<Static<typeof Token>[]> {
  return listTokens(pool, actor.userId);
}

/** A token cannot make one that holds more than itself: a leaked narrow token stays narrow. */
export async function createToken(
  { pool, actor }: RequestContext,
  request: Static<typeof TokenRequest>,
): Promise<Static<typeof NewToken>> {
  if (!holds(actor.tokenPermissions, request.permissions)) {
    throw new AppError("forbidden", "A token cannot make a token with permissions that it does not hold itself.");
  }
  const organizationId = request.organization_id ?? null;
  if (organizationId !== null && !(await isMember(pool, actor.userId, organizationId))) {
    throw invalid({ organization_id: "The organization id must be that of one of your organizations." });
  }
  return issueToken(pool, {
    userId: actor.userId,
    organizationId,
    name: request.name,
    permissions: request.permissions,
    expiresAt: futureTime(request.expires_at),
  });
}

/** Works on the next request of every process. A narrow token may revoke itself and its equals, not a wider one. */
export async function revokeToken({ pool, actor }: RequestContext, id: number): Promise<void> {
  const token = await findToken(pool, actor.userId, id);
  if (!token) throw notFound("The token");
  if (id !== actor.tokenId && !holds(actor.tokenPermissions, token.permissions)) {
    throw new AppError("forbidden", "A token cannot revoke a token with permissions that it does not hold itself.");
  }
  await deleteToken(pool, actor.userId, id);
}

const holds = (own: readonly string[], others: readonly string[]): boolean =>
  own.includes(allPermissions) || others.every((permission) => own.includes(permission));

function futureTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) throw invalid({ expires_at: "The expiry must be an ISO 8601 time." });
  if (time.getTime() <= Date.now()) throw invalid({ expires_at: "The expiry must lie in the future." });
  return time.toISOString();
}

interface TokenOrder {
  userId: number;
  organizationId: number | null;
  name: string;
  permissions: readonly string[];
  expiresAt: string | null;
}

/** The value leaves here and is stored nowhere. */
async function issueToken(db: Db, order: TokenOrder): Promise<Static<typeof NewToken>> {
  const token = newSecret("lsh_");
  const stored = await insertToken(db, {
    ...order,
    permissions: [...new Set(order.permissions)],
    digest: digestOf(token),
    prefix: token.slice(0, 8),
  });
  return { ...stored, token };
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A prefix and 40 random base62 characters: 238 bits, so that a plain digest is enough to keep it by. */
export const newSecret = (prefix: string): string =>
  prefix + Array.from({ length: 40 }, () => base62.charAt(randomInt(base62.length))).join("");

/** What a secret of `newSecret` is stored and found by. */
export const digestOf = (token: string): Buffer => hash("sha256", token, "buffer");

// What `./longshore admin` does: the same tables, without an actor --------------------------------------------------------------

interface Installation {
  pool: Pool;
}

export interface AdminUser {
  email: string;
  name: string;
  password?: string | undefined;
  /** A name or an id. */
  organization?: string | undefined;
  role?: string | undefined;
  plan?: string | undefined;
}

/** Makes a user, and the organization when there is none of that name; done again, it changes what it is given. */
export async function adminUser(
  { pool }: Installation,
  input: AdminUser,
): Promise<{ user_id: number; organization_id: number }> {
  const email = checkedEmail(input.email);
  const name = checkedName("name", input.name);
  const role = input.role === undefined ? undefined : checkedRole(input.role);
  const plan = input.plan === undefined ? undefined : checkedPlan(input.plan);
  const passwordDigest = input.password === undefined ? null : await digestPassword(checkedPassword(input.password));
  return transaction(pool, async (tx) => {
    const organization = await findOrCreateOrganization(tx, input.organization ?? `${name}'s organization`, plan);
    if (plan) await setPlan(tx, organization.id, plan);
    const userId = await saveUser(tx, { email, name, organizationId: organization.id });
    if (passwordDigest) await setPassword(tx, userId, passwordDigest);
    await addMembership(tx, userId, organization.id, role ?? "Owner");
    if (role) await setRole(tx, userId, organization.id, role);
    return { user_id: userId, organization_id: organization.id };
  });
}

/** Who set it anew may have lost it to somebody: nobody stays signed in. */
async function setPassword(tx: Db, userId: number, digest: string): Promise<void> {
  await savePassword(tx, userId, digest);
  await deleteSessions(tx, userId);
}

export interface AdminToken {
  email: string;
  name: string;
  /** `*`, or names separated by commas. */
  permissions: string;
  organization?: string | undefined;
}

export async function adminToken(
  { pool }: Installation,
  input: AdminToken,
): Promise<{ token_id: number; token: string }> {
  const user = await userOf(pool, input.email);
  const name = checkedName("name", input.name);
  const permissions = checkedPermissions(input.permissions);
  const organization = input.organization === undefined ? undefined : await organizationOf(pool, input.organization);
  if (organization && !(await isMember(pool, user.id, organization.id))) {
    throw invalid({ organization: `${user.email} is not a member of ${organization.name}.` });
  }
  const order = { userId: user.id, organizationId: organization?.id ?? null, name, permissions, expiresAt: null };
  const { id, token } = await issueToken(pool, order);
  return { token_id: id, token };
}

export interface AdminMember {
  email: string;
  organization: string;
  role: string;
  /** Ids; with servers or projects given, also as empty lists, the membership reaches nothing else. */
  servers?: readonly number[] | undefined;
  projects?: readonly number[] | undefined;
}

/** Adds or changes a membership; without servers and projects it is unrestricted. */
export async function adminMember(
  { pool }: Installation,
  input: AdminMember,
): Promise<{ user_id: number; organization_id: number }> {
  const role = checkedRole(input.role);
  const user = await userOf(pool, input.email);
  const organization = await organizationOf(pool, input.organization);
  const { servers: serverIds = [], projects: projectIds = [] } = input;
  await refuseForeign(pool, organization, { serverIds, projectIds });
  const isRestricted = input.servers !== undefined || input.projects !== undefined;
  const restriction = isRestricted ? { serverIds, projectIds } : undefined;
  await saveMembership(pool, { userId: user.id, organizationId: organization.id, role, restriction });
  return { user_id: user.id, organization_id: organization.id };
}

export async function adminPlan(
  { pool }: Installation,
  input: { organization: string; plan: string },
): Promise<{ organization_id: number; plan: PlanName }> {
  const plan = checkedPlan(input.plan);
  const organization = await organizationOf(pool, input.organization);
  await setPlan(pool, organization.id, plan);
  return { organization_id: organization.id, plan };
}

async function refuseForeign(
  db: Db,
  organization: OrganizationRow,
  { serverIds, projectIds }: { serverIds: readonly number[]; projectIds: readonly number[] },
): Promise<void> {
  const servers = await listForeignServers(db, organization.id, serverIds);
  const projects = await listForeignProjects(db, organization.id, projectIds);
  const nowhere = (ids: number[]) => `${ids.join(", ")}: not of the organization ${organization.name}.`;
  if (servers.length > 0) throw invalid({ servers: nowhere(servers) });
  if (projects.length > 0) throw invalid({ projects: nowhere(projects) });
}

async function userOf(db: Db, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound(`A user with the email ${email}`);
  return user;
}

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

async function organizationOf(db: Db, nameOrId: string): Promise<OrganizationRow> {
  const found = isId(nameOrId)
    ? await findOrganization(db, Number(nameOrId))
    : await findOrganizationByName(db, nameOrId);
  if (!found) throw notFound(`The organization ${nameOrId}`);
  return found;
}

async function findOrCreateOrganization(
  db: Db,
  nameOrId: string,
  plan: PlanName | undefined,
): Promise<OrganizationRow> {
  if (isId(nameOrId)) return organizationOf(db, nameOrId);
  const name = checkedName("organization", nameOrId);
  return (await findOrganizationByName(db, name)) ?? (await createOrganization(db, name, plan));
}

function checkedEmail(email: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return email.toLowerCase();
  throw invalid({ email: `"${email}" is not an email address.` });
}

function checkedName(field: string, name: string): string {
  if (name.trim() !== "" && [...name].length <= 100) return name;
  throw invalid({ [field]: `The ${field} must have 1 to 100 characters.` });
}

function checkedPassword(password: string): string {
  if (password.length >= 8) return password;
  throw invalid({ password: "The password must have at least 8 characters." });
}

const checkedRole = (role: string): Role => oneOf("role", roles, role);
const checkedPlan = (plan: string): PlanName => oneOf("plan", plans, plan);

/** Takes any letter case, since this is typed by hand. */
function oneOf<const Word extends string>(field: string, words: readonly Word[], given: string): Word {
  const found = words.find((word) => word.toLowerCase() === given.toLowerCase());
  if (found) return found;
  throw invalid({ [field]: `The ${field} must be one of ${words.join(", ")}.` });
}

function checkedPermissions(list: string): string[] {
  const names = list.split(/[\s,]+/).filter((name) => name !== "");
  const known: readonly string[] = [allPermissions, ...permissions];
  const unknown = names.filter((name) => !known.includes(name));
  if (names.length === 0 || unknown.length > 0) {
    const subject = unknown.length > 0 ? `There is no permission ${unknown.join(", ")}.` : "Name a permission.";
    throw invalid({ permissions: `${subject} There are ${known.join(", ")}.` });
  }
  return names;
}
