import type { Pool, PoolClient } from "pg";
import { transaction } from "../../../db/transaction.ts";
import { insertAccountEntries } from "../../../http/queries.ts";
import { AppError, notFound } from "../../../lib/errors.ts";
import { commandLine } from "../../../lib/program.ts";
import { version } from "../../../lib/version.ts";
import { deleteSessions, findUserByEmail, type UserRow } from "../queries.ts";
import {
  type AccountRow,
  deleteAccount,
  deleteFactors,
  deleteIssuedToken,
  type IssuedTokenRow,
  listAccounts,
  listIssuedTokens,
  listOrphans,
  lockOrganizationsOf,
  saveBlocked,
  saveUnblocked,
} from "./queries.ts";

// The operator's verbs on all accounts of the installation, whatever organization they are in (`longshore admin`).

interface Installation {
  pool: Pool;
}

export const adminUsers = async ({ pool }: Installation): Promise<{ users: AccountRow[] }> => ({
  users: await listAccounts(pool),
});

export async function adminTokens(
  { pool }: Installation,
  { email }: { email?: string | undefined },
): Promise<{ tokens: IssuedTokenRow[] }> {
  const user = email === undefined ? undefined : await userOf(pool, email);
  return { tokens: await listIssuedTokens(pool, user?.id) };
}

/** Ends the account's sessions and keeps it from everything until it is unblocked; what it has stays. */
export const blockUser = (installation: Installation, email: string): Promise<{ user_id: number }> =>
  changeUser(installation, email, {
    action: "longshore admin block-user",
    summary: "Blocked on the command line",
    change: async (tx, { id }) => {
      await saveBlocked(tx, id);
      await deleteSessions(tx, id);
    },
  });

export const unblockUser = (installation: Installation, email: string): Promise<{ user_id: number }> =>
  changeUser(installation, email, {
    action: "longshore admin unblock-user",
    summary: "Unblocked on the command line",
    change: async (tx, { id }) => void (await saveUnblocked(tx, id)),
  });

/** For a person who lost the device: the password is left, or a link that the operator prints. */
export const resetFactors = (installation: Installation, email: string): Promise<{ user_id: number }> =>
  changeUser(installation, email, {
    action: "longshore admin reset-factors",
    summary: "Removed the second factor and all passkeys on the command line",
    change: async (tx, { id }) => {
      await deleteFactors(tx, id);
      // The device may be in someone else's hands.
      await deleteSessions(tx, id);
    },
  });

/** Deletes the account with its memberships, tokens and keys; refused while something would be left without an Owner. */
export const removeUser = (installation: Installation, email: string): Promise<{ user_id: number }> =>
  changeUser(installation, email, {
    action: "longshore admin remove-user",
    summary: "Removed on the command line",
    change: async (tx, { id }) => {
      await lockOrganizationsOf(tx, id);
      const orphans = await listOrphans(tx, id);
      if (orphans.length > 0) throw new AppError("refused", refusalOf(orphans));
      await deleteAccount(tx, id);
    },
  });

const refusalOf = (orphans: readonly { name: string }[]): string =>
  `Without ${orphans.length > 1 ? "the account, these organizations have" : "the account, this organization has"} ` +
  `no Owner: ${orphans.map(({ name }) => name).join(", ")}. Make another one first: ${commandLine("admin member --role Owner …")}`;

export async function revokeToken({ pool }: Installation, id: number): Promise<{ token_id: number; name: string }> {
  return transaction(pool, async (tx) => {
    const deleted = await deleteIssuedToken(tx, id);
    if (!deleted) throw notFound(`A token with the id ${id}`);
    const summary = `Revoked the token “${deleted.name}” on the command line`;
    await record(tx, deleted.userId, { action: "longshore admin revoke-token", summary });
    return { token_id: id, name: deleted.name };
  });
}

interface Change {
  action: string;
  summary: string;
  change: (tx: PoolClient, user: UserRow) => Promise<void>;
}

/** The entry comes first: a deleted account has no organization whose audit log could have it. */
async function changeUser(
  { pool }: Installation,
  email: string,
  { change, ...entry }: Change,
): Promise<{ user_id: number }> {
  return transaction(pool, async (tx) => {
    const user = await userOf(tx, email);
    await record(tx, user.id, entry);
    await change(tx, user);
    return { user_id: user.id };
  });
}

const record = (tx: PoolClient, userId: number, entry: { action: string; summary: string }): Promise<void> =>
  insertAccountEntries(tx, {
    ...{ userId, ...entry, ip: null, requestId: "admin" },
    client: { kind: "cli", name: "longshore admin", version },
  });

async function userOf(db: Pool | PoolClient, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound(`A user with the email ${email}`);
  return user;
}
