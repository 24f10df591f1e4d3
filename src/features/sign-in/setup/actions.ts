import { timingSafeEqual } from "node:crypto";
import type { Static } from "typebox";
import { mailServerOf } from "../../../config.ts";
import type { Context } from "../../../context.ts";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { callingProgram } from "../../../http/calling-program.ts";
import { insertAuditEntry } from "../../../http/queries.ts";
import type { PublicContext } from "../../../http/route.ts";
import { AppError, invalid } from "../../../lib/errors.ts";
import { digestPassword } from "../../../lib/password.ts";
import { commandLine } from "../../../lib/program.ts";
import { addMembership, createOrganization, hasUsers, insertUser, savePassword } from "../../accounts/queries.ts";
import { openSession } from "../../accounts/sessions.ts";
import { digestOf, randomText } from "../../accounts/tokens.ts";
import { passwordCommand } from "../mailed-links/schema.ts";
import { redeemCode, saveCode, takeAttempt } from "./queries.ts";
import { codeHours, type SetupRequest, type SetupState } from "./schema.ts";

const codeLength = 32;

/**
 * Makes the code with which the first account is made, in place of the one before, for the person who starts the installation: it is
 * stored as a digest only. Undefined when there is an account.
 */
export async function makeSetupCode({ pool }: Pick<Context, "pool">): Promise<string | undefined> {
  const code = randomText(codeLength);
  return (await saveCode(pool, digestOf(code))) ? code : undefined;
}

/** The page of the console that takes the code. What is after the `#` is in no request, and so in no log of a proxy. */
export const setupPage = (url: string, code: string): string => `${url}/setup#${code}`;

export const showSetup = async ({ pool, config }: PublicContext): Promise<Static<typeof SetupState>["data"]> => ({
  needed: !(await hasUsers(pool)),
  password_command: mailServerOf(config) ? null : passwordCommand,
});

/** Makes the first account, as Owner of the first organization, and signs it in. Of several at once, one is carried out. */
export async function setUp(ctx: PublicContext, request: Static<typeof SetupRequest>) {
  if (await hasUsers(ctx.pool)) throw isSetUp();
  const digest = await takeAttempt(ctx.pool);
  if (!digest) throw noCode();
  if (!timingSafeEqual(digestOf(request.code.trim()), digest)) throw wrongCode();
  const passwordDigest = await digestPassword(request.password);
  return transaction(ctx.pool, async (tx) => {
    if (!(await redeemCode(tx, digest)) || (await hasUsers(tx))) throw isSetUp();
    return insertFirstAccount(tx, ctx, { ...request, email: request.email.toLowerCase(), passwordDigest });
  });
}

type FirstAccount = Pick<Static<typeof SetupRequest>, "name" | "email" | "organization"> & { passwordDigest: string };

async function insertFirstAccount(
  tx: Db,
  ctx: PublicContext,
  { name, email, organization, passwordDigest }: FirstAccount,
) {
  const { id: organizationId } = await createOrganization(tx, organization, { defaultPlan: ctx.config.defaultPlan });
  const userId = await insertUser(tx, { email, name, organizationId });
  if (userId === undefined) throw isSetUp();
  await addMembership(tx, userId, organizationId, "Owner");
  await savePassword(tx, userId, passwordDigest);
  // The request had no actor before, so its audit entry is written here.
  await insertAuditEntry(tx, {
    ...{ organizationId, userId, userEmail: email, tokenId: null, ip: ctx.ip, fields: [], requestId: ctx.requestId },
    action: "POST /api/v1/setup",
    summary: "Set up the installation with its first account",
    subjects: [`organization:${organizationId}`, `user:${userId}`],
    client: callingProgram(ctx.headers, true),
  });
  const cookie = await openSession(tx, ctx, userId);
  return { account: { user_id: userId, organization_id: organizationId }, cookie };
}

const isSetUp = (): AppError => new AppError("gone", "This installation is set up: sign in.");

const another = `Print another one where Longshore runs: ${commandLine("admin setup-code")}`;

const noCode = (): AppError =>
  new AppError(
    "forbidden",
    `No code is valid: there were too many wrong ones, or it is older than ${codeHours} hours. ${another}`,
  );

const wrongCode = (): AppError =>
  invalid({ code: `This is not the newest code that the start of Longshore printed. ${another}` });
