import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { listPages, parseJson } from "../call.ts";
import type { CloudAccess, CloudPrice, CloudPriceList } from "../driver.ts";
import { isDecimal, monthlyOf, netPrice } from "../prices.ts";
import { codeOf } from "../refusals.ts";
import { callPrices, type Ec2Api } from "./api.ts";
import { label } from "./errors.ts";

// The query API of the price list, with filters: the file of a region has hundreds of megabytes.

export const currency = "USD";
/** The same figure as in the provider's calculator. */
export const hoursPerMonth = 730;

/** Of a public IPv4 address: the same in all regions, static or not, attached or not. */
export const addressPrice = monthlyOf("0.005", hoursPerMonth, currency);

const Products = Type.Object({ PriceList: Type.Array(Type.String()), NextToken: Type.Optional(Type.String()) });

const Product = Type.Object({
  product: Type.Object({
    attributes: Type.Object({
      instanceType: Type.Optional(Type.String()),
      volumeApiName: Type.Optional(Type.String()),
    }),
  }),
  terms: Type.Object({
    OnDemand: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          priceDimensions: Type.Record(
            Type.String(),
            Type.Object({ unit: Type.String(), pricePerUnit: Type.Object({ USD: Type.Optional(Type.String()) }) }),
          ),
        }),
      ),
    ),
  }),
});

export async function listPrices(api: Ec2Api, access: CloudAccess, location: string): Promise<CloudPriceList> {
  try {
    const [servers, volumes, operations] = await Promise.all([
      listProducts(api, access, { ...serverFilter, regionCode: location }),
      listProducts(api, access, { productFamily: "Storage", regionCode: location }),
      listProducts(api, access, { productFamily: "System Operation", volumeApiName: "io2", regionCode: location }),
    ]);
    const prices = Object.fromEntries(
      servers.flatMap((product): [string, CloudPrice][] => {
        const { instanceType } = product.product.attributes;
        const hourly = unitPrice(product, "Hrs");
        if (instanceType === undefined || hourly === undefined) return [];
        return [[instanceType, monthlyOf(hourly, hoursPerMonth, currency)]];
      }),
    );
    return {
      location,
      prices,
      volumes: volumePrices(volumes, "GB-Mo"),
      operations: volumePrices(operations, "IOPS-Mo"),
      problem: null,
    };
  } catch (error) {
    if (!/^AccessDenied|^UnauthorizedOperation$/.test(codeOf(error))) throw error;
    const problem = "the access key may not read prices (pricing:GetProducts)";
    return { location, prices: {}, volumes: {}, problem };
  }
}

/** By volume type. Operations get cheaper from 32,000 on; ours are below, so that the highest price is theirs. */
function volumePrices(products: readonly Static<typeof Product>[], unit: string): Record<string, CloudPrice> {
  const prices: Record<string, CloudPrice> = {};
  for (const product of products) {
    const { volumeApiName: name } = product.product.attributes;
    const price = unitPrice(product, unit);
    if (name === undefined || price === undefined) continue;
    if (Number(price) >= Number(prices[name]?.net ?? 0)) prices[name] = netPrice(price, currency);
  }
  return prices;
}

// Without these there are dozens of rows for each type.
const serverFilter = {
  operatingSystem: "Linux",
  tenancy: "Shared",
  preInstalledSw: "NA",
  capacitystatus: "Used",
  operation: "RunInstances",
};

function listProducts(
  api: Ec2Api,
  access: CloudAccess,
  filter: Record<string, string>,
): Promise<Static<typeof Product>[]> {
  const Filters = Object.entries(filter).map(([Field, Value]) => ({ Type: "TERM_MATCH", Field, Value }));
  return listPages<Static<typeof Product>, string>(label, async (NextToken) => {
    const body = { ServiceCode: "AmazonEC2", FormatVersion: "aws_v1", MaxResults: 100, Filters, NextToken };
    const page = await callPrices(api, access, body, Products);
    // A product of another form does not hide the others.
    const items = page.PriceList.map((text) => parseJson(label, text)).filter((item) => Value.Check(Product, item));
    return { items, next: page.NextToken || undefined };
  });
}

function unitPrice({ terms }: Static<typeof Product>, unit: string): string | undefined {
  const dimensions = Object.values(terms.OnDemand ?? {}).flatMap((term) => Object.values(term.priceDimensions));
  const price = dimensions.find((each) => each.unit === unit)?.pricePerUnit.USD;
  return price !== undefined && isDecimal(price) && Number(price) > 0 ? price : undefined;
}
