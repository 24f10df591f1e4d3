import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { type CloudCatalogue, CloudError } from "../../../providers/cloud/driver.ts";
import { refuseRestricted } from "../../organizations/actions.ts";
import { cloudTypes } from "../../servers/schema.ts";
import { catalogueAge, readCatalogue, readLocations } from "./catalogue.ts";
import { cloudForRequest } from "./connection.ts";
import { findProvider, insertProvider, listProviders } from "./queries.ts";
import type { ProviderRequest, ProviderRow } from "./schema.ts";

export const showProviders = async (ctx: RequestContext) =>
  (await listProviders(ctx.pool, ctx.actor)).map((provider) => providerRecord(ctx, provider));

/** A connection of the actor's organization; 404 otherwise. */
export async function getProvider(ctx: RequestContext, id: number): Promise<ProviderRow> {
  const provider = await findProvider(ctx.pool, ctx.actor, id);
  if (!provider) throw notFound("The provider connection");
  return provider;
}

const providerRecord = ({ clouds }: Context, { organization_id: _, ...provider }: ProviderRow) => ({
  ...provider,
  label: clouds(provider.provider_type).label,
});

// Connecting -------------------------------------------------------------------------------------------------------------

/** The permission to order and delete machines for the whole organization. */
export const connections = "connections to cloud providers";

/** The errors of the credentials before the provider is asked, by field. */
export function credentialErrors(ctx: RequestContext, body: Partly<ProviderRequest>): FieldErrors {
  const type = cloudTypes.find((each) => each === body.provider_type);
  if (!type || typeof body.credentials !== "object") return {};
  const given = body.credentials as Record<string, unknown>;
  const errors = ctx.clouds(type).credentialFields.flatMap(({ name, label, pattern, help }) => {
    const value = given[name];
    if (value === undefined || value === "") return [[`credentials.${name}`, `The ${label} is required.`]];
    return typeof value === "string" && pattern.test(value) ? [] : [[`credentials.${name}`, help]];
  });
  return Object.fromEntries(errors);
}

/** Connects an account at a provider, after the provider has accepted its credentials. */
export async function connectProvider(
  ctx: RequestContext,
  { name, provider_type: type, credentials }: ProviderRequest,
) {
  refuseRestricted(ctx, connections);
  const driver = ctx.clouds(type);
  const checked = driver.parseCredentials(credentials);
  const access = { credentials: checked, signal: ctx.signal };
  const { account } = await driver.checkCredentials(access).catch((error: unknown) => {
    if (error instanceof CloudError && error.field === "credentials") throw invalid({ credentials: error.message });
    throw error;
  });
  const provider = await transaction(ctx.pool, (tx) =>
    insertProvider(tx, {
      organizationId: ctx.actor.organizationId,
      name,
      providerType: type,
      credentials: ctx.secrets.encrypt(JSON.stringify(checked)),
      account,
    }),
  );
  return { message: `${driver.label} is connected as ${account}.`, data: providerRecord(ctx, provider) };
}

// Catalogue ----------------------------------------------------------------------------------------------------------------

/** Without a location, the locations with something to order; with one, its catalogue. */
export async function showOptions(ctx: RequestContext, id: number, { location }: { location?: string }) {
  const cloud = await cloudForRequest(ctx, await getProvider(ctx, id));
  if (!location) return { location: null, locations: await readLocations(ctx, cloud) };
  const reading = { location, maxAgeMs: catalogueAge.options, field: "location" };
  const { serverTypes, images, networks, omitted, skipped = [] } = (await readCatalogue(ctx, cloud, reading)).catalogue;
  return {
    location,
    server_types: serverTypes.map(({ memoryGb, diskGb, monthlyPrice, ...type }) => ({
      ...type,
      memory_gb: memoryGb,
      disk_gb: diskGb,
      monthly_price_net: monthlyPrice.net,
      monthly_price_gross: monthlyPrice.gross,
      currency: monthlyPrice.currency,
    })),
    images: images.map(({ serverOs, ...image }) => ({ ...image, server_os: serverOs })),
    omitted_types: omitted,
    skipped_items: skipped,
    ...(cloud.driver.networkIsSubnet
      ? { networks: networks.map((network) => ({ ...networkOf(network), subnets: network.subnets.map(subnetOf) })) }
      : { private_networks: networks.map(networkOf) }),
  };
}

const networkOf = ({ id, name, cidr, isDefault }: CloudCatalogue["networks"][number]) => ({
  id,
  name,
  cidr,
  is_default: isDefault,
});

const subnetOf = ({ id, name, cidr, zone, isPublic }: CloudCatalogue["networks"][number]["subnets"][number]) => ({
  id,
  name,
  cidr,
  zone,
  is_public: isPublic,
});
