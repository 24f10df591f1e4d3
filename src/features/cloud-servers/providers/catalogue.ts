import type { Context } from "../../../context.ts";
import { bookkeeping } from "../../../db/transaction.ts";
import { awaitChange } from "../../../engine/wait.ts";
import { AppError, invalid, messageOf } from "../../../lib/errors.ts";
import {
  type CloudCatalogue,
  CloudError,
  type CloudLocation,
  type CloudPriceList,
} from "../../../providers/cloud/driver.ts";
import { type Cloud, nameOf } from "./connection.ts";
import {
  type CatalogueKey,
  cataloguesChannel,
  claimRefresh,
  findCatalogue,
  releaseRefresh,
  storeCatalogue,
} from "./queries.ts";

// The catalogue of a provider changes seldom and costs many calls to read. It is cached in the database: one process reads it at
// a time, and the others wait for its result.

const minute = 60_000;
const hour = 60 * minute;

/** The maximum age of a cached catalogue. */
export const catalogueAge = { options: hour, orders: 5 * minute, prices: 24 * hour };

// A refresh that takes longer was interrupted.
const refreshSeconds = 60;

export const readLocations = (ctx: Context, cloud: Cloud): Promise<CloudLocation[]> =>
  readPart(ctx, cloud, { part: "locations", location: "", maxAgeMs: catalogueAge.options }, () =>
    cloud.driver.listLocations(cloud.access),
  );

/** The catalogue of a location. Throws 422 on `field` if there is no such location. */
export async function readCatalogue(
  ctx: Context,
  cloud: Cloud,
  { location, maxAgeMs, field }: { location: string; maxAgeMs: number; field: string },
): Promise<{ catalogue: CloudCatalogue; prices: CloudPriceList | undefined }> {
  const locations = await readLocations(ctx, cloud);
  if (!locations.some(({ id }) => id === location)) {
    throw invalid({ [field]: `${nameOf(ctx, cloud.provider)} has no location ${location}.` });
  }
  const reading = cloud.driver.hasSeparatePrices
    ? readPart(ctx, cloud, { part: "prices", location, maxAgeMs: catalogueAge.prices }, () =>
        cloud.driver.listPrices(cloud.access, location),
      )
    : undefined;
  const [catalogue, prices] = await Promise.all([
    readPart(ctx, cloud, { part: "catalogue", location, maxAgeMs }, () =>
      cloud.driver.readCatalogue(cloud.access, location, reading),
    ),
    reading,
  ]);
  return { catalogue, prices };
}

interface Part extends Omit<CatalogueKey, "providerId"> {
  maxAgeMs: number;
}

async function readPart<Body>(
  ctx: Context,
  cloud: Cloud,
  { maxAgeMs, ...part }: Part,
  read: () => Promise<Body>,
): Promise<Body> {
  const key = { providerId: cloud.provider.id, ...part };
  const watched = {
    listener: ctx.listener,
    channel: cataloguesChannel,
    payload: String(key.providerId),
    look: async () => (await findStored<Body>(ctx, key, maxAgeMs)) ?? (await refresh(key)),
    isSettled: (body: { body: Body } | undefined) => body !== undefined,
  };
  const found = await awaitChange(watched, { timeoutMs: refreshSeconds * 1_000 });
  if (!found) throw unreadable(ctx, cloud, new Error("It did not answer in time."));
  return found.body;

  async function refresh(key: CatalogueKey): Promise<{ body: Body } | undefined> {
    if (!(await bookkeeping(ctx.pool, (tx) => claimRefresh(tx, key, refreshSeconds)))) return undefined;
    // Another process may have stored it between the look and the claim.
    const stored = await findStored<Body>(ctx, key, maxAgeMs);
    if (stored) {
      await bookkeeping(ctx.pool, (tx) => releaseRefresh(tx, key));
      return stored;
    }
    try {
      const body = await read();
      await bookkeeping(ctx.pool, (tx) => storeCatalogue(tx, key, body));
      return { body };
    } catch (error) {
      await bookkeeping(ctx.pool, (tx) => releaseRefresh(tx, key));
      throw unreadable(ctx, cloud, error);
    }
  }
}

async function findStored<Body>(
  ctx: Context,
  key: CatalogueKey,
  maxAgeMs: number,
): Promise<{ body: Body } | undefined> {
  const found = await findCatalogue(ctx.pool, key);
  if (!found || found.age_ms === null || found.age_ms > maxAgeMs) return undefined;
  return { body: found.body as Body };
}

/** 422 that names the provider, for any failure to read its catalogue; a bug stays a bug. */
function unreadable(ctx: Context, { provider }: Cloud, error: unknown): unknown {
  if (!(error instanceof AppError || error instanceof CloudError)) return error;
  return new AppError("refused", `The catalogue of ${nameOf(ctx, provider)} could not be read: ${messageOf(error)}`, {
    cause: error,
  });
}
