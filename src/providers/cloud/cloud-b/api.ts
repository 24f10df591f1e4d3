import { AwsClient } from "aws4fetch";
import { type Static, type TSchema, Type } from "typebox";
import { type Caller, listPages, type Reading, readItems, readJson, readShape, send, unreadable } from "../call.ts";
import { refuse } from "../check.ts";
import type { CallLimit, CloudAccess, DriverOptions, OrderRef } from "../driver.ts";
import { label, parseXml, refusalIn } from "./errors.ts";

/** Each service and region has a host of its own. */
export type Ec2Api = Caller;

// Token buckets for each account and region. Amazon's own limits are 100 and 20 a second for reads, 50 and 5 for
// changes.
const readLimit: CallLimit = { bucket: "read", capacity: 80, refillPerSecond: 15 };
const changeLimit: CallLimit = { bucket: "change", capacity: 40, refillPerSecond: 4 };
const runLimit: CallLimit = { bucket: "run", capacity: 5, refillPerSecond: 2 };
const priceLimit: CallLimit = { bucket: "prices", capacity: 5, refillPerSecond: 2 };

/** Buckets of the first three are kept for each region. */
export const limits: readonly CallLimit[] = [readLimit, changeLimit, runLimit, priceLimit];

export const makeApi = (options: DriverOptions): Ec2Api => ({ label, limits, options, refusalIn });

// Regions that are enabled in every account.
export const homeRegion = "us-east-1";
const pricesRegion = "us-east-1";

export type Params = Record<string, string | number | boolean | undefined>;

export interface Ec2Call {
  region: string;
  action: string;
  params?: Params;
  /** Default: only actions that read. */
  isRepeatable?: boolean;
}

interface Signed {
  url: string;
  region: string;
  service: string;
  headers: Record<string, string>;
  body: string;
  limit: CallLimit;
  isRepeatable: boolean;
}

async function sendSigned(api: Ec2Api, access: CloudAccess, signed: Signed): Promise<string> {
  const { url, region, service, headers, body, limit, isRepeatable } = signed;
  const { access_key_id = "", secret_access_key = "" } = access.credentials;
  const client = new AwsClient({ accessKeyId: access_key_id, secretAccessKey: secret_access_key, service, region });
  const answer = await send(api, access, {
    // The signature contains the time.
    request: () => client.sign(url, { method: "POST", headers: { "user-agent": "Longshore", ...headers }, body }),
    isRepeatable,
    limits: [limit],
  });
  return answer.text;
}

// A region becomes part of a host name.
function checkRegion(region: string): string {
  if (!/^[a-z]{2}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(region)) throw refuse("location", `${label} has no such region.`);
  return region;
}

const form = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };

const bodyOf = (action: string, version: string, params: Params): string => {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const fields = given.map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams([["Action", action], ["Version", version], ...fields]).toString();
};

const isRead = (action: string): boolean => /^(Describe|Get)/.test(action);

function limitOf(action: string, region: string): CallLimit {
  const limit = action === "RunInstances" ? runLimit : isRead(action) ? readLimit : changeLimit;
  return { ...limit, bucket: `${limit.bucket} ${region}` };
}

/** One action of EC2 in a region; `schema` describes the content of the answer's root. */
export async function callEc2<Schema extends TSchema>(
  api: Ec2Api,
  access: CloudAccess,
  { region, action, params = {}, isRepeatable = isRead(action) }: Ec2Call,
  schema: Schema,
): Promise<Static<Schema>> {
  checkRegion(region);
  const text = await sendSigned(api, access, {
    url: `${api.options.baseUrls.cloudBUrl ?? `https://ec2.${region}.amazonaws.com`}/`,
    region,
    service: "ec2",
    headers: form,
    body: bodyOf(action, "2016-11-15", params),
    limit: limitOf(action, region),
    isRepeatable,
  });
  return readXml(text, `${action}Response`, schema);
}

/** The identity that the key belongs to. */
export async function callIdentity<Schema extends TSchema>(
  api: Ec2Api,
  access: CloudAccess,
  schema: Schema,
): Promise<Static<Schema>> {
  const action = "GetCallerIdentity";
  const text = await sendSigned(api, access, {
    url: `${api.options.baseUrls.cloudBUrl ?? `https://sts.${homeRegion}.amazonaws.com`}/`,
    region: homeRegion,
    service: "sts",
    headers: form,
    body: bodyOf(action, "2011-06-15", {}),
    limit: limitOf(action, homeRegion),
    isRepeatable: true,
  });
  return readXml(text, `${action}Response`, schema);
}

const json = (target: string) => ({ "content-type": "application/x-amz-json-1.1", "x-amz-target": target });

export async function callPrices<Schema extends TSchema>(
  api: Ec2Api,
  access: CloudAccess,
  body: object,
  schema: Schema,
): Promise<Static<Schema>> {
  const text = await sendSigned(api, access, {
    url: `${api.options.baseUrls.cloudBPricesUrl ?? `https://api.pricing.${pricesRegion}.amazonaws.com`}/`,
    region: pricesRegion,
    service: "pricing",
    headers: json("AWSPriceListService.GetProducts"),
    body: JSON.stringify(body),
    limit: priceLimit,
    isRepeatable: true,
  });
  return readJson(label, schema, text);
}

export async function callParameters<Schema extends TSchema>(
  api: Ec2Api,
  access: CloudAccess,
  { region, names }: { region: string; names: readonly string[] },
  schema: Schema,
): Promise<Static<Schema>> {
  checkRegion(region);
  const text = await sendSigned(api, access, {
    url: `${api.options.baseUrls.cloudBSsmUrl ?? `https://ssm.${region}.amazonaws.com`}/`,
    region,
    service: "ssm",
    headers: json("AmazonSSM.GetParameters"),
    body: JSON.stringify({ Names: names }),
    limit: { ...readLimit, bucket: `parameters ${region}` },
    isRepeatable: true,
  });
  return readJson(label, schema, text);
}

function readXml<Schema extends TSchema>(text: string, root: string, schema: Schema): Static<Schema> {
  let body: unknown;
  try {
    body = parseXml(text);
  } catch (cause) {
    throw unreadable(label, "it is not XML of the documented form", cause);
  }
  const shape = Type.Object({ [root]: schema });
  return (readShape(label, shape, body) as Record<string, Static<Schema>>)[root] as Static<Schema>;
}

/** All items of a paged list. Entries of another form are left out, as `reading` allows. */
export async function listEc2<Item extends TSchema>(
  api: Ec2Api,
  access: CloudAccess,
  { set, item, reading = "all", ...call }: Ec2Call & { set: string; item: Item; reading?: Reading | undefined },
): Promise<Static<Item>[]> {
  const schema = Type.Object({ [set]: SetOf(Type.Unknown()), nextToken: Type.Optional(Type.String()) });
  const values = await listPages<unknown, string>(label, async (token) => {
    const params = { ...call.params, NextToken: token };
    const page = (await callEc2(api, access, { ...call, params }, schema)) as Record<string, unknown>;
    const items = itemsOf(page[set] as "" | { item: unknown[] });
    return { items, next: (page.nextToken as string | undefined) || undefined };
  });
  return readItems(label, access, { list: set, item, values, reading });
}

// Shapes: all values are texts; an empty list is an empty element. --------------------------------------------------------

export const SetOf = <Item extends TSchema>(item: Item) =>
  Type.Union([Type.Literal(""), Type.Object({ item: Type.Array(item) })]);

export const itemsOf = <Item>(set: "" | { item: Item[] } | undefined): Item[] => (set ? set.item : []);

export const Text = Type.String();
export const Maybe = Type.Optional(Type.String());
const Tags = Type.Optional(SetOf(Type.Object({ key: Text, value: Text })));
export const Done = Type.Object({});

export const Instance = Type.Object({
  instanceId: Text,
  instanceType: Text,
  instanceState: Type.Object({ name: Text }),
  stateReason: Type.Optional(Type.Union([Type.Literal(""), Type.Object({ code: Maybe, message: Maybe })])),
  launchTime: Maybe,
  ipAddress: Maybe,
  privateIpAddress: Maybe,
  blockDeviceMapping: Type.Optional(SetOf(Type.Object({ ebs: Type.Optional(Type.Object({ volumeId: Text })) }))),
  tagSet: Tags,
});

export const Reservation = Type.Object({ instancesSet: SetOf(Instance) });

export const Address = Type.Object({
  allocationId: Text,
  publicIp: Text,
  associationId: Maybe,
  instanceId: Maybe,
  tagSet: Tags,
});

export const Volume = Type.Object({
  volumeId: Text,
  size: Type.String({ pattern: "^\\d{1,6}$" }),
  volumeType: Text,
  status: Text,
  createTime: Maybe,
  tagSet: Tags,
});

const RuleSet = Type.Optional(SetOf(Type.Object({ ipProtocol: Text, fromPort: Maybe, toPort: Maybe })));

export const SecurityGroup = Type.Object({
  groupId: Text,
  groupName: Text,
  vpcId: Maybe,
  ipPermissions: RuleSet,
  tagSet: Tags,
});

export const Image = Type.Object({
  imageId: Text,
  name: Maybe,
  imageState: Text,
  architecture: Maybe,
  stateReason: Type.Optional(Type.Union([Type.Literal(""), Type.Object({ code: Maybe, message: Maybe })])),
  creationDate: Maybe,
  rootDeviceName: Maybe,
  blockDeviceMapping: Type.Optional(
    SetOf(Type.Object({ ebs: Type.Optional(Type.Object({ snapshotId: Maybe, volumeSize: Maybe })) })),
  ),
  tagSet: Tags,
});

export const Subnet = Type.Object({
  subnetId: Text,
  vpcId: Text,
  /** An IPv6-only subnet has none. */
  cidrBlock: Maybe,
  availabilityZone: Text,
  mapPublicIpOnLaunch: Maybe,
  tagSet: Tags,
});

export const Vpc = Type.Object({ vpcId: Text, cidrBlock: Text, isDefault: Maybe, tagSet: Tags });

export const InstanceType = Type.Object({
  instanceType: Text,
  vCpuInfo: Type.Object({ defaultVCpus: Type.String({ pattern: "^\\d{1,5}$" }) }),
  memoryInfo: Type.Object({ sizeInMiB: Type.String({ pattern: "^\\d{1,9}$" }) }),
  processorInfo: Type.Object({ supportedArchitectures: SetOf(Text) }),
});

// Tags: what is ours, and of which order. -----------------------------------------------------------------------------------

export const ownerTag = "longshore";
export const orderTag = "longshore-order";

export const tagOf = (
  resource: { tagSet?: "" | { item: { key: string; value: string }[] } },
  key: string,
): string | null => itemsOf(resource.tagSet).find((tag) => tag.key === key)?.value ?? null;

/** Parameters that tag new resources, for each type. */
export function tagParams(types: readonly string[], tags: Record<string, string>): Params {
  const params: Params = {};
  types.forEach((type, at) => {
    const prefix = `TagSpecification.${at + 1}`;
    params[`${prefix}.ResourceType`] = type;
    Object.entries(tags).forEach(([key, value], index) => {
      params[`${prefix}.Tag.${index + 1}.Key`] = key;
      params[`${prefix}.Tag.${index + 1}.Value`] = value;
    });
  });
  return params;
}

/** The tags of a resource that belongs to one order. */
export const orderTags = (name: string, { owner, key }: Pick<OrderRef, "owner" | "key">): Record<string, string> => ({
  Name: name,
  [ownerTag]: owner,
  [orderTag]: key,
});

/** Parameters of filters, by name with their values. */
export function filterParams(filters: Record<string, readonly string[]>): Params {
  const params: Params = {};
  Object.entries(filters).forEach(([name, values], at) => {
    params[`Filter.${at + 1}.Name`] = name;
    values.forEach((value, index) => {
      params[`Filter.${at + 1}.Value.${index + 1}`] = value;
    });
  });
  return params;
}

export const orderFilter = ({ owner, key }: Pick<OrderRef, "owner" | "key">): Params =>
  filterParams({ [`tag:${ownerTag}`]: [owner], [`tag:${orderTag}`]: [key] });
