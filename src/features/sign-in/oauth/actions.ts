import type { Static } from "typebox";
import type { Config } from "../../../config.ts";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { insertAuditEntry } from "../../../http/queries.ts";
import type { CallerContext } from "../../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { deleteToken } from "../../accounts/queries.ts";
import { digestOf } from "../../accounts/tokens.ts";
import { bucketsOfAuthorization, countAttempt } from "../attempts.ts";
import {
  addWaiting,
  type CollectingContext,
  handOut,
  sessionDigest,
  showDevice,
} from "../device-authorizations/actions.ts";
import { findCollected, noteToken, takeByCode } from "../device-authorizations/queries.ts";
import { type Client, readClient, Unusable } from "./client-document.ts";
import { answerAddress, mayRedirect } from "./redirects.ts";
import { proposedBy, requestError, type Shown } from "./requests.ts";
import { type OAuthRequest, resourceOf, tokenPath } from "./schema.ts";

type Request = Static<typeof OAuthRequest>;

/** Throws 404 where it is off. */
export function checkIsOn({ config }: { config: Config }): FieldErrors {
  if (config.mcpOauth === "off") throw notFound("This address");
  return {};
}

/**
 * A program of another site opened the page: it waits for the person from now on, like one on a device. Nothing is sent to an address
 * that the document of the program does not list, and a refusal only when the person follows it.
 */
export async function requestAuthorization(ctx: CallerContext, request: Request) {
  await countAttempt(ctx.pool, bucketsOfAuthorization(ctx.actor.userId));
  const client = await identified(ctx, request);
  const { redirect_uri: redirectUri, code_challenge: challenge = "", state = null } = request;
  const refused = requestError(request, resourceOf(ctx.config));
  if (refused) {
    const { error, description } = refused;
    const answer = { error, error_description: description };
    const redirect_to = answerAddress(ctx.config, { redirectUri, state }, answer);
    return { program: null, refusal: { message: description, redirect_to } };
  }
  const userCode = await addWaiting(ctx.pool, {
    digest: null,
    clientName: client.name,
    client: { kind: "mcp", name: new URL(client.id).hostname.slice(0, 64), version: null },
    ip: ctx.ip,
    permissions: proposedBy(request.scope),
    oauth: { session: sessionDigest(ctx), clientId: client.id, redirectUri, state, challenge },
  });
  return { program: await showDevice(ctx, userCode), refusal: null };
}

/** Throws 422 for a program that cannot be identified. */
async function identified({ config }: CallerContext, request: Request): Promise<Client> {
  const client = await readClient(config, request.client_id).catch((error: unknown) => {
    if (error instanceof Unusable) throw invalid({ client_id: error.message });
    throw error;
  });
  if (mayRedirect(request.redirect_uri, client.redirectUris)) return client;
  throw invalid({ redirect_uri: "The document of the program does not list the address to which you would be sent." });
}

/** The token for a code. Undefined, and the end of the token, for a code that was used: others have read it. */
export async function collectByCode(ctx: CollectingContext, { code, ...shown }: Shown) {
  const digest = digestOf(code);
  return transaction(ctx.pool, async (tx) => {
    const chosen = await takeByCode(tx, { ...shown, digest });
    if (!chosen) return revokeCollected(tx, ctx, digest);
    const issued = await handOut(tx, ctx, chosen, `POST ${tokenPath}`);
    await noteToken(tx, chosen.id, issued.id);
    return issued;
  });
}

async function revokeCollected(tx: Db, ctx: CollectingContext, digest: Buffer): Promise<undefined> {
  const collected = await findCollected(tx, digest);
  if (!collected) return undefined;
  const { userId, email, organizationId, tokenId, client } = collected;
  await deleteToken(tx, userId, tokenId);
  await insertAuditEntry(tx, {
    ...{ organizationId, userId, userEmail: email, tokenId: null, ip: ctx.ip, fields: [], requestId: ctx.requestId },
    action: `POST ${tokenPath}`,
    summary: "Revoke a token whose code was used twice",
    subjects: [`token:${tokenId}`],
    client,
  });
}
