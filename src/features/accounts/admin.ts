import type { Pool } from "pg";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { allPermissions, permissions } from "../../http/actor.ts";
import { insertAccountEntries } from "../../http/queries.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { digestPassword } from "../../lib/password.ts";
import { commandLine } from "../../lib/program.ts";
import { version } from "../../lib/version.ts";
import {
  addMembership,
  createOrganization,
  deleteSessions,
  findOrganization,
  findOrganizationByName,
  findUserByEmail,
  isMember,
  listForeignProjects,
  listForeignServers,
  type OrganizationRow,
  saveMembership,
  savePassword,
  saveUser,
  setPlan,
  setRole,
  type UserRow,
} from "./queries.ts";
import { emailPattern, type PlanName, plans, type Role, roles } from "./schema.ts";
import { issueToken } from "./tokens.ts";

// The commands of `./longshore admin`: they write the same tables, without an actor.

interface Installation {
  pool: Pool;
}

export interface AdminUser {
  email: string;
  /** Needed for a new user. */
  name?: string | undefined;
  password?: string | undefined;
  /** A name or an id; made if no such name exists. Default: the current one of the user, or a new one. */
  organization?: string | undefined;
  role?: string | undefined;
  plan?: string | undefined;
  /** The plan of a new organization, unless it is the first of the installation. Default: `business`. */
  defaultPlan?: PlanName | undefined;
}

/** Creates a user. For an existing user it changes the fields that are given. */
export async function adminUser(
  { pool }: Installation,
  input: AdminUser,
): Promise<{ user_id: number; organization_id: number }> {
  if (!new RegExp(emailPattern).test(input.email) || input.email.length > 254) {
    throw invalid({ email: `"${input.email}" is not an email address.` });
  }
  const email = input.email.toLowerCase();
  const role = input.role === undefined ? undefined : checkedRole(input.role);
  const plan = input.plan === undefined ? undefined : checkedPlan(input.plan);
  if (input.password !== undefined && input.password.length < 8) {
    throw invalid({ password: "The password must have at least 8 characters." });
  }
  const passwordDigest = input.password === undefined ? null : await digestPassword(input.password);
  return transaction(pool, async (tx) => {
    const known = await findUserByEmail(tx, email);
    const name = nameOf(known, input);
    const organization = await findOrCreateOrganization(tx, await organizationOfUser(tx, known, { ...input, name }), {
      plan,
      defaultPlan: input.defaultPlan,
    });
    if (plan) await setPlan(tx, organization.id, plan);
    const userId = await saveUser(tx, { email, name, organizationId: organization.id });
    await addMembership(tx, userId, organization.id, role ?? "Owner");
    if (role) await setRole(tx, userId, organization.id, role);
    if (passwordDigest) {
      await savePassword(tx, userId, passwordDigest);
      // The old password may be in someone else's hands.
      await deleteSessions(tx, userId);
      const entry = { action: commandLine("admin user"), summary: "Set the password on the command line" };
      const client = { kind: "cli" as const, name: "longshore admin", version };
      await insertAccountEntries(tx, { userId, ...entry, ip: null, requestId: "admin", client });
    }
    return { user_id: userId, organization_id: organization.id };
  });
}

function nameOf(known: UserRow | undefined, { email, name = known?.name }: AdminUser): string {
  if (name !== undefined) return checkedName("name", name);
  throw invalid({ name: `There is no user ${email}: give the new one a name with --name.` });
}

/** The name or id of an organization. */
async function organizationOfUser(
  tx: Db,
  known: UserRow | undefined,
  { name, organization }: { name: string; organization?: string | undefined },
): Promise<string> {
  if (organization !== undefined) return organization;
  const current = known?.current_organization_id ?? null;
  const isThere = known && current !== null && (await isMember(tx, known.id, current));
  return isThere ? String(current) : `${name}'s organization`;
}

export interface AdminToken {
  email: string;
  name: string;
  /** `*`, or names separated by commas. */
  permissions: string;
  organization?: string | undefined;
  /** The token works in this organization only. */
  bound?: boolean | undefined;
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
  const isBound = input.bound ?? false;
  if (isBound && !organization) throw invalid({ organization: "Name the organization that the token is bound to." });
  const place = { organizationId: organization?.id ?? null, isBound };
  const { id, token } = await issueToken(pool, { userId: user.id, ...place, name, permissions, expiresAt: null });
  return { token_id: id, token };
}

export interface AdminMember {
  email: string;
  organization: string;
  role: string;
  /** Ids. If servers or projects are given, even as empty lists, the membership reaches nothing else. */
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
  const foreignServers = await listForeignServers(pool, organization.id, serverIds);
  const foreignProjects = await listForeignProjects(pool, organization.id, projectIds);
  const nowhere = (ids: number[]) => `${ids.join(", ")}: not of the organization ${organization.name}.`;
  if (foreignServers.length > 0) throw invalid({ servers: nowhere(foreignServers) });
  if (foreignProjects.length > 0) throw invalid({ projects: nowhere(foreignProjects) });
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
  plans: { plan: PlanName | undefined; defaultPlan: PlanName | undefined },
): Promise<OrganizationRow> {
  if (isId(nameOrId)) return organizationOf(db, nameOrId);
  const name = checkedName("organization", nameOrId);
  return (await findOrganizationByName(db, name)) ?? (await createOrganization(db, name, plans));
}

function checkedName(field: string, name: string): string {
  if (name.trim() !== "" && [...name].length <= 100) return name;
  throw invalid({ [field]: `The ${field} must have 1 to 100 characters.` });
}

const checkedRole = (role: string): Role => parseChoice("role", roles, role);
const checkedPlan = (plan: string): PlanName => parseChoice("plan", plans, plan);

/** Ignores case, since this is typed by hand. */
function parseChoice<const Word extends string>(field: string, words: readonly Word[], given: string): Word {
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
