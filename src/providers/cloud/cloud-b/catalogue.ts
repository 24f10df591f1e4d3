import { type Static, Type } from "typebox";
import { checkAgainst, type OwnImage, refuse } from "../check.ts";
import type {
  CloudAccess,
  CloudCatalogue,
  CloudDriver,
  CloudLocation,
  CloudNetwork,
  CloudPrice,
  CloudPriceList,
  CloudServerType,
  CloudSubnet,
  OmittedType,
  OrderQuote,
  OrderRequest,
  VolumeRules,
} from "../driver.ts";
import { free, sumOf, timesOf } from "../prices.ts";
import { codeOf, whenExists } from "../refusals.ts";
import { omittedOf, recordSkipped } from "../skipped.ts";
import {
  callEc2,
  type Ec2Api,
  filterParams,
  homeRegion,
  Image,
  InstanceType,
  itemsOf,
  listEc2,
  SetOf,
  Subnet,
  Text,
  tagOf,
  Vpc,
} from "./api.ts";
import { label } from "./errors.ts";
import { listImages } from "./images.ts";
import { dryRun, io2Iops, listAddresses, type Place, rehearseAddress } from "./order.ts";
import { addressPrice, currency } from "./prices.ts";
import { regionNames } from "./regions.ts";

export const volumeRules: VolumeRules = {
  defaultType: "gp3",
  types: [
    { name: "gp3", minGb: 20, maxGb: 65_536 },
    { name: "gp2", minGb: 20, maxGb: 16_384 },
    { name: "io2", minGb: 20, maxGb: 65_536 },
  ],
};

const Regions = Type.Object({ regionInfo: SetOf(Type.Object({ regionName: Text })) });

export async function listRegions(api: Ec2Api, access: CloudAccess): Promise<string[]> {
  const call = { region: homeRegion, action: "DescribeRegions", params: { AllRegions: false } };
  const { regionInfo } = await callEc2(api, access, call, Regions);
  return itemsOf(regionInfo).map(({ regionName }) => regionName);
}

export async function listLocations(api: Ec2Api, access: CloudAccess): Promise<CloudLocation[]> {
  const regions = await listRegions(api, access);
  return regions.sort().map((id) => ({ id, name: regionNames[id]?.[0] ?? id, country: regionNames[id]?.[1] ?? null }));
}

export async function readCatalogue(
  api: Ec2Api,
  given: CloudAccess,
  location: string,
  prices?: CloudPriceList | Promise<CloudPriceList>,
): Promise<CloudCatalogue> {
  const { access, skipped } = recordSkipped(given);
  const types = { region: location, action: "DescribeInstanceTypes", params: offeredTypes, reading: "some" } as const;
  const [regions, described, images, networks, priceList] = await Promise.all([
    listRegions(api, access),
    listEc2(api, access, { ...types, set: "instanceTypeSet", item: InstanceType }),
    listImages(api, access, location),
    listNetworks(api, access, location),
    prices ?? { location, prices: {}, volumes: {}, problem: "prices were not read" },
  ]);
  if (!regions.includes(location)) throw refuse("location", `${label} has no region ${location} for this account.`);
  const serverTypes: CloudServerType[] = [];
  const omitted: OmittedType[] = omittedOf(skipped, "instanceTypeSet");
  for (const type of described) {
    const name = type.instanceType;
    const price = Object.hasOwn(priceList.prices, name) ? priceList.prices[name] : undefined;
    if (price) serverTypes.push(typeOf(type, price));
    else omitted.push({ name, reason: priceList.problem ?? "it has no price there" });
  }
  return { location, serverTypes, omitted, images, networks, skipped };
}

const offeredTypes = {
  MaxResults: 100,
  ...filterParams({
    "current-generation": ["true"],
    "bare-metal": ["false"],
    "supported-usage-class": ["on-demand"],
    "supported-root-device-type": ["ebs"],
    "processor-info.supported-architecture": ["x86_64", "arm64"],
  }),
};

type Described = Static<typeof InstanceType>;

function typeOf(type: Described, monthlyPrice: CloudPrice): CloudServerType {
  const cores = Number(type.vCpuInfo.defaultVCpus);
  const memoryGb = Number(type.memoryInfo.sizeInMiB) / 1024;
  const architecture = itemsOf(type.processorInfo.supportedArchitectures).includes("x86_64") ? "x86" : "arm";
  const description = `${cores} vCPU, ${memoryGb} GB, ${architecture}`;
  return { name: type.instanceType, description, cores, memoryGb, diskGb: null, architecture, monthlyPrice };
}

async function listNetworks(api: Ec2Api, access: CloudAccess, region: string): Promise<CloudNetwork[]> {
  const [vpcs, subnets] = await Promise.all([
    listEc2(api, access, { region, action: "DescribeVpcs", set: "vpcSet", item: Vpc, reading: "some" }),
    listEc2(api, access, { region, action: "DescribeSubnets", set: "subnetSet", item: Subnet, reading: "any" }),
  ]);
  return vpcs.map((vpc) => ({
    id: vpc.vpcId,
    name: tagOf(vpc, "Name"),
    cidr: vpc.cidrBlock,
    isDefault: vpc.isDefault === "true",
    subnets: subnets.filter(({ vpcId }) => vpcId === vpc.vpcId).flatMap(subnetOf),
  }));
}

// We connect over IPv4, which an IPv6-only subnet does not have.
function subnetOf(subnet: Static<typeof Subnet>): CloudSubnet[] {
  const { subnetId: id, cidrBlock: cidr, availabilityZone: zone } = subnet;
  if (!cidr) return [];
  return [{ id, name: tagOf(subnet, "Name"), cidr, zone, isPublic: subnet.mapPublicIpOnLaunch === "true" }];
}

// Orders ---------------------------------------------------------------------------------------------------------------------

const rules = { label, volumeRules, networkIsSubnet: true };

/** Reads what the order names instead of the catalogue, which has a thousand types; then makes a dry run of the order. */
export const checkOrder =
  (api: Ec2Api): CloudDriver["checkOrder"] =>
  async (access, request, known = {}) => {
    const { location } = request;
    const [regions, types, images, networks, ownImage] = await Promise.all([
      listRegions(api, access),
      findType(api, access, request),
      request.image ? [] : listImages(api, access, location),
      listNetworks(api, access, location),
      request.image ? readOwnImage(api, access, { region: location, id: request.image }) : undefined,
    ]);
    if (!regions.includes(location)) throw refuse("location", `${label} has no region ${location} for this account.`);
    const serverTypes = types.map((type) => typeOf(type, free(currency)));
    const catalogue = { location, serverTypes, omitted: [], images, networks };
    const quote = checkAgainst(rules, request, { catalogue, ownImage });
    await Promise.all([
      checkZone(api, access, { request, networks }),
      checkAddresses(api, access, request),
      dryRun(api, access, { ...request, image: quote.image }),
      request.useStaticAddress ? rehearseAddress(api, access, location) : undefined,
    ]);
    return { ...quote, ...priceOf(request, known.prices) };
  };

// An image exists in its region only.
async function readOwnImage(
  api: Ec2Api,
  access: CloudAccess,
  { region, id }: { region: string; id: string },
): Promise<OwnImage> {
  const images = { region, action: "DescribeImages", params: { "ImageId.1": id }, set: "imagesSet", item: Image };
  const [image] = (await whenExists(listEc2(api, access, images))) ?? [];
  if (!image)
    throw refuse("image", `${label} has no image of the snapshot in ${region}: it is in the region of its server.`);
  const sizes = itemsOf(image.blockDeviceMapping).map(({ ebs }) => Number(ebs?.volumeSize ?? Number.NaN));
  const known = sizes.filter((size) => size > 0);
  const architecture = { x86_64: "x86", arm64: "arm" }[image.architecture ?? ""] as
    | OwnImage["architecture"]
    | undefined;
  return { id, architecture: architecture ?? null, minDiskGb: known[0] ?? null, locations: null };
}

async function findType(
  api: Ec2Api,
  access: CloudAccess,
  { location, serverType }: OrderRequest,
): Promise<Described[]> {
  const params = { "InstanceType.1": serverType };
  const of = { region: location, action: "DescribeInstanceTypes", params, set: "instanceTypeSet", item: InstanceType };
  try {
    return await listEc2(api, access, of);
  } catch (error) {
    if (/^(InvalidInstanceType|InvalidParameterValue)$|NotFound$/.test(codeOf(error))) return [];
    throw error;
  }
}

const Offerings = Type.Object({ instanceType: Text });

// Not all zones of a region sell all of its types, and the subnet decides the zone.
async function checkZone(
  api: Ec2Api,
  access: CloudAccess,
  { request, networks }: { request: OrderRequest; networks: CloudNetwork[] },
): Promise<void> {
  const { location, serverType, network } = request;
  const zone = networks.flatMap(({ subnets }) => subnets).find(({ id }) => id === network)?.zone ?? "";
  const filters = filterParams({ "instance-type": [serverType], location: [zone] });
  const params = { LocationType: "availability-zone", ...filters };
  const action = "DescribeInstanceTypeOfferings";
  const of = { region: location, action, params, set: "instanceTypeOfferingSet", item: Offerings };
  if ((await listEc2(api, access, of)).length > 0) return;
  throw refuse("server_type", `${label} does not sell ${serverType} in ${zone}, the zone of the subnet.`);
}

const Attributes = Type.Object({
  accountAttributeSet: SetOf(
    Type.Object({ attributeName: Text, attributeValueSet: SetOf(Type.Object({ attributeValue: Text })) }),
  ),
});

async function checkAddresses(api: Ec2Api, access: CloudAccess, request: OrderRequest): Promise<void> {
  const { location: region, useStaticAddress } = request;
  if (!useStaticAddress) return;
  const name = "vpc-max-elastic-ips";
  const params = { "AttributeName.1": name };
  const [accountAttributes, addresses] = await Promise.all([
    findAttributes(api, access, { region, params }),
    listAddresses(api, access, { region, params: {}, reading: "any" }),
  ]);
  const attribute = accountAttributes.find(({ attributeName }) => attributeName === name);
  const most = Number(itemsOf(attribute?.attributeValueSet)[0]?.attributeValue ?? Number.NaN);
  if (addresses.length < most || Number.isNaN(most)) return;
  throw refuse("static_address", `The account at ${label} has its ${most} static addresses of ${region} already.`);
}

// The attribute is in the provider's text and not in its list of names, so that it may be refused one day. Then the limit only
// shows when the address is ordered.
async function findAttributes(
  api: Ec2Api,
  access: CloudAccess,
  { region, params }: Place,
): Promise<{ attributeName: string; attributeValueSet: "" | { item: { attributeValue: string }[] } }[]> {
  try {
    const call = { region, action: "DescribeAccountAttributes", params };
    return itemsOf((await callEc2(api, access, call, Attributes)).accountAttributeSet);
  } catch (error) {
    if (/^InvalidParameter/.test(codeOf(error))) return [];
    throw error;
  }
}

type QuotedPrice = Pick<OrderQuote, "monthlyPrice" | "priceProblem">;

/** Server, volume with its guaranteed operations, and the public address, which is billed with and without a static one. */
function priceOf({ location, serverType, volume }: OrderRequest, list: CloudPriceList | undefined): QuotedPrice {
  const unknown = (what: string) => ({
    monthlyPrice: null,
    priceProblem: `${label} returned no price of ${what} in ${location}${list?.problem ? `: ${list.problem}` : ""}.`,
  });
  const server = list?.prices[serverType];
  if (!server) return unknown(serverType);
  const perGb = volume && list?.volumes[volume.type];
  if (!perGb) return unknown(`a volume of type ${volume?.type ?? "unknown"}`);
  const parts = [server, timesOf(perGb.net, volume.sizeGb, currency), addressPrice];
  if (volume.type !== "io2") return { monthlyPrice: sumOf(parts, currency) };
  const perOperation = list?.operations?.[volume.type];
  if (!perOperation) return unknown("the guaranteed operations of an io2 volume");
  return { monthlyPrice: sumOf([...parts, timesOf(perOperation.net, io2Iops, currency)], currency) };
}
