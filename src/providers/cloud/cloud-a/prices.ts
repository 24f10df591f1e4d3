import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { type CloudAccess, CloudError, type CloudPrice } from "../driver.ts";
import { callJson, type JsonApi } from "../json-api.ts";
import { isDecimal, priceOf } from "../prices.ts";
import { AddressPrices, ImagePrice, Pricing } from "./api.ts";

export const currency = "EUR";

type NetAndGross = { net: string; gross: string };

/** undefined when the texts are no decimals. */
export const readPrice = (price: NetAndGross | undefined): CloudPrice | undefined =>
  price && isDecimal(price.net) && isDecimal(price.gross) ? priceOf(price.net, price.gross, currency) : undefined;

export interface Prices {
  /** Of an IPv4 address, by location. */
  address: Record<string, CloudPrice>;
  /** Of a GB of an image; undefined: unknown. */
  image: NetAndGross | undefined;
}

/** The prices that do not come with the server types. What cannot be read is missing: it hides no catalogue. */
export async function listPrices(api: JsonApi, access: CloudAccess): Promise<Prices> {
  try {
    const { pricing } = await callJson(api, access, { path: "/pricing" }, Pricing);
    const image = readAs(ImagePrice, pricing.image)?.price_per_gb_month;
    return { address: addressPrices(pricing.primary_ips ?? []), image: readPrice(image) && image };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return { address: {}, image: undefined };
  }
}

function addressPrices(given: readonly unknown[]): Record<string, CloudPrice> {
  const ofIpv4 = given.flatMap((each) => readAs(AddressPrices, each) ?? []).filter(({ type }) => type === "ipv4");
  const byLocation = ofIpv4.flatMap(({ prices }) =>
    prices.flatMap(({ location, price_monthly }): [string, CloudPrice][] => {
      const price = readPrice(price_monthly);
      return price ? [[location, price]] : [];
    }),
  );
  return Object.fromEntries(byLocation);
}

const readAs = <Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | undefined =>
  Value.Check(schema, value) ? (value as Static<Schema>) : undefined;

export const priceOfImage = ({ image }: Prices, sizeGb: number | null): CloudPrice | null => {
  if (!image || sizeGb === null) return null;
  const times = (price: string) => (Number(price) * sizeGb).toFixed(4);
  return priceOf(times(image.net), times(image.gross), currency);
};
