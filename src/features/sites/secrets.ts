import type { Context } from "../../context.ts";
import type { SecretFiles } from "../../engine/runs/bundle.ts";
import { findBasicAuth } from "../site-records/queries.ts";

/** The secrets of a run that publishes a project: the hash of its site's password. */
export const siteSecrets = async (ctx: Pick<Context, "pool" | "secrets">, projectId: number): Promise<SecretFiles> =>
  decryptSiteSecrets(ctx, await findBasicAuth(ctx.pool, projectId));

export const decryptSiteSecrets = ({ secrets }: Pick<Context, "secrets">, hash: Buffer | null): SecretFiles =>
  hash === null ? {} : { "basic-auth": secrets.decrypt(hash) };
