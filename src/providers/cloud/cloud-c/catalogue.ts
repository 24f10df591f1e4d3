import { type Static, Type } from "typebox";
import { checkAgainst, type OwnImage, refuse } from "../check.ts";
import type {
  CloudAccess,
  CloudCatalogue,
  CloudDriver,
  CloudImage,
  CloudLocation,
  CloudNetwork,
  CloudServerType,
  CloudSystem,
  OrderRequest,
} from "../driver.ts";
import { callJson, findResource, type JsonApi, listJson } from "../json-api.ts";
import { decimalOfNumber, netPrice } from "../prices.ts";
import { codeOf } from "../refusals.ts";
import { omittedOf, recordSkipped } from "../skipped.ts";
import { Account, Image, Region, Size, Vpc } from "./api.ts";
import { label } from "./errors.ts";

export const currency = "USD";

const images: Record<string, CloudSystem> = {
  "ubuntu-26-04-x64": "ubuntu_26_04",
  "ubuntu-24-04-x64": "ubuntu_24_04",
  "ubuntu-22-04-x64": "ubuntu_22_04",
};

// The API does not return the country; the letters of a region are those of its city.
const countries: Record<string, string> = {
  ams: "NL",
  atl: "US",
  blr: "IN",
  fra: "DE",
  lon: "GB",
  nyc: "US",
  ric: "US",
  sfo: "US",
  sgp: "SG",
  syd: "AU",
  tor: "CA",
};

const readRegions = (api: JsonApi, access: CloudAccess) =>
  listJson(api, access, { call: { path: "/regions" }, name: "regions", item: Region, reading: "some" });

export async function listLocations(api: JsonApi, access: CloudAccess): Promise<CloudLocation[]> {
  const regions = await readRegions(api, access);
  return regions
    .filter(({ available }) => available)
    .map(({ slug, name }) => ({ id: slug, name, country: countries[slug.slice(0, 3)] ?? null }));
}

export async function readCatalogue(api: JsonApi, given: CloudAccess, location: string): Promise<CloudCatalogue> {
  const { access, skipped } = recordSkipped(given);
  const [regions, sizes, distributions, vpcs] = await Promise.all([
    readRegions(api, access),
    listJson(api, access, { call: { path: "/sizes" }, name: "sizes", item: Size, reading: "some" }),
    listJson(api, access, { call: { path: "/images", query: { type: "distribution" } }, name: "images", item: Image }),
    listJson(api, access, { call: { path: "/vpcs" }, name: "vpcs", item: Vpc }),
  ]);
  if (!regions.some(({ slug, available }) => slug === location && available)) {
    throw refuse("location", `${label} has no region ${location} at present.`);
  }
  const there = sizes.filter(({ regions }) => regions.includes(location));
  const soldOut = there.filter(({ available }) => !available);
  return {
    location,
    // Sizes with graphics processors need special images.
    serverTypes: there.filter(({ available, slug }) => available && !slug.startsWith("gpu-")).map(typeOf),
    omitted: [
      ...omittedOf(skipped, "sizes"),
      ...soldOut.map(({ slug }) => ({ name: slug, reason: "there is no capacity at present" })),
    ],
    images: distributions.filter(({ regions: places }) => places.includes(location)).flatMap(imageOf),
    networks: vpcs.filter(({ region }) => region === location).map(networkOf),
    skipped,
  };
}

const typeOf = ({ slug, description, vcpus, memory, disk, price_monthly }: Static<typeof Size>): CloudServerType => ({
  name: slug,
  description,
  cores: vcpus,
  memoryGb: memory / 1024,
  diskGb: disk,
  architecture: "x86",
  monthlyPrice: netPrice(decimalOfNumber(price_monthly), currency),
});

function imageOf({ slug, name, distribution, status }: Static<typeof Image>): CloudImage[] {
  const serverOs = images[slug ?? ""];
  if (serverOs === undefined || !slug || (status !== undefined && status !== "available")) return [];
  return [{ id: slug, name: `${distribution ?? "Ubuntu"} ${name}`, serverOs, architecture: "x86" }];
}

const networkOf = ({ id, name, ip_range, default: isDefault }: Static<typeof Vpc>): CloudNetwork => ({
  id,
  name,
  cidr: ip_range,
  isDefault: isDefault ?? false,
  subnets: [],
});

export const checkOrder =
  (api: JsonApi): CloudDriver["checkOrder"] =>
  async (access, request, known = {}) => {
    const [catalogue, ownImage] = await Promise.all([
      known.catalogue ?? readCatalogue(api, access, request.location),
      request.image ? readOwnImage(api, access, request.image) : undefined,
      checkQuota(api, access, request),
    ]);
    return checkAgainst({ label, volumeRules: null, networkIsSubnet: false }, request, { catalogue, ownImage });
  };

async function readOwnImage(api: JsonApi, access: CloudAccess, id: string): Promise<OwnImage> {
  const found = await findResource(api, access, { kind: "image", id }, Type.Object({ image: Image }));
  if (!found) throw refuse("image", `${label} no longer has the image of the snapshot.`);
  return { id, architecture: null, minDiskGb: found.image.min_disk_size ?? null, locations: found.image.regions };
}

const Total = Type.Object({ meta: Type.Object({ total: Type.Integer() }) });

// A token may lack the right to read the account: then the limit only shows when the order is refused.
async function checkQuota(api: JsonApi, access: CloudAccess, { useStaticAddress }: OrderRequest): Promise<void> {
  const count = async (path: string) =>
    (await callJson(api, access, { path, query: { per_page: 1 } }, Total)).meta.total;
  try {
    const [{ account }, droplets, addresses] = await Promise.all([
      callJson(api, access, { path: "/account" }, Account),
      count("/droplets"),
      useStaticAddress ? count("/reserved_ips") : 0,
    ]);
    if (droplets >= account.droplet_limit) {
      throw refuse("server_type", `The account at ${label} has its limit of ${account.droplet_limit} servers.`);
    }
    if (useStaticAddress && addresses >= account.floating_ip_limit) {
      const sentence = `The account at ${label} has its limit of ${account.floating_ip_limit} reserved addresses.`;
      throw refuse("static_address", sentence);
    }
  } catch (error) {
    if (codeOf(error) !== "forbidden") throw error;
  }
}
