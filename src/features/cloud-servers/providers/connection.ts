import type { Config } from "../../../config.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../lib/errors.ts";
import type { CloudAccess, CloudDriver, SkippedItem } from "../../../providers/cloud/driver.ts";
import { driverFor } from "../../../providers/cloud/drivers.ts";
import type { CloudType } from "../../servers/schema.ts";
import { callLimitsOf } from "./call-limits.ts";
import { findCredentials, findProviderForWork } from "./queries.ts";
import type { ProviderRow } from "./schema.ts";

/** A connection in use: the provider's API, and the arguments of every call. */
export interface Cloud {
  provider: ProviderRow;
  driver: CloudDriver;
  access: CloudAccess;
}

// A person waits for the response of a request. A job can wait until the provider's limits allow a call.
const requestPatienceMs = 10_000;
const jobPatienceMs = 60_000;

/** For a request; the caller has checked that the provider is in reach. */
export const cloudForRequest = (
  ctx: Context & { signal: AbortSignal },
  provider: ProviderRow,
  patienceMs = requestPatienceMs,
): Promise<Cloud> => open(ctx, provider, { patienceMs, signal: ctx.signal });

/** For a job. Throws a permanent error if the connection was deleted. */
export async function cloudForWork(ctx: Context, providerId: number | null, signal?: AbortSignal): Promise<Cloud> {
  const provider = providerId === null ? undefined : await findProviderForWork(ctx.pool, providerId);
  if (!provider) throw disconnected();
  return open(ctx, provider, { patienceMs: jobPatienceMs, signal });
}

const disconnected = () => new AppError("refused", "The connection to the provider was deleted.", { permanent: true });

async function open(
  ctx: Context,
  provider: ProviderRow,
  { patienceMs, signal }: { patienceMs: number; signal: AbortSignal | undefined },
): Promise<Cloud> {
  const found = await findCredentials(ctx.pool, provider.id);
  if (!found) throw disconnected();
  const credentials = JSON.parse(ctx.secrets.decrypt(found.credentials)) as Record<string, string>;
  const callLimits = callLimitsOf(ctx, provider, { patienceMs, signal });
  const onSkipped = (item: SkippedItem) =>
    ctx.log.warn({ providerId: provider.id, ...item }, "an entry of a provider's list could not be read");
  return {
    provider,
    driver: ctx.clouds(provider.provider_type),
    access: { credentials, callLimits, signal, onSkipped },
  };
}

/** The drivers of an installation, for its context. */
export const cloudDrivers =
  ({ cloudAUrl, cloudBUrl, cloudBPricesUrl, cloudBSsmUrl, cloudCUrl }: Config): Context["clouds"] =>
  (type) =>
    driverFor(type, { baseUrls: { cloudAUrl, cloudBUrl, cloudBPricesUrl, cloudBSsmUrl, cloudCUrl } });

/** How a provider is named in sentences: the user's name for the connection, and the vendor. */
export const nameOf = (ctx: Pick<Context, "clouds">, provider: { name: string; provider_type: CloudType }): string =>
  `${provider.name} (${ctx.clouds(provider.provider_type).label})`;
