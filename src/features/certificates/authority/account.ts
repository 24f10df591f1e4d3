import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Context } from "../../../context.ts";
import { AppError, messageOf } from "../../../lib/errors.ts";
import { AcmeClient } from "../../../providers/acme/client.ts";
import { claimAccount, findAccount, setAccountUrl } from "./queries.ts";

/** The authority that issues, with this installation's account. */
export interface Authority {
  directory: string;
  /**
   * A client that can order: creates the account if there is none. Rejects with an AcmeError if the authority cannot be reached.
   */
  client(): Promise<AcmeClient>;
  /** The authority no longer has the account: the next client creates it again. */
  forget(): Promise<void>;
}

/** One per process, so that orders reuse connections and nonces. */
export function openAuthority(ctx: Pick<Context, "config" | "pool" | "secrets">): Authority {
  const { acmeDirectory: directory } = ctx.config;
  let opened: Promise<AcmeClient> | undefined;
  const client = () => {
    opened ??= openClient(ctx).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const forget = async () => {
    opened = undefined;
    await setAccountUrl(ctx.pool, directory, null);
  };
  return { directory, client, forget };
}

async function openClient({
  config,
  pool,
  secrets,
}: Pick<Context, "config" | "pool" | "secrets">): Promise<AcmeClient> {
  const { acmeDirectory: directoryUrl, acmeTrustFile, acmeExternalKeyId: keyId, acmeExternalKey: key } = config;
  const trusted = acmeTrustFile === undefined ? undefined : await readTrusted(acmeTrustFile);
  const known = await findAccount(pool, directoryUrl);
  const account = known ?? (await claimAccount(pool, directoryUrl, secrets.encrypt(newAccountKey())));
  const accountUrl = account.url ?? undefined;
  const accountKey = secrets.decrypt(account.private_key);
  const client = new AcmeClient({ directoryUrl, accountKey, accountUrl, trusted });
  if (!accountUrl) {
    const external = keyId && key ? { keyId, key } : undefined;
    await setAccountUrl(pool, directoryUrl, await client.register(config.acmeContact ?? config.acmeEmail, external));
  }
  return client;
}

const newAccountKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }) as string;

async function readTrusted(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const reason = `LONGSHORE_ACME_TRUST_FILE cannot be read: ${messageOf(cause)}`;
    throw new AppError("configuration", reason, { cause });
  }
}
