import { type Static, type TSchema, Type } from "typebox";
import { type Reading, readItems } from "../call.ts";
import { refuse } from "../check.ts";
import type {
  CloudAccess,
  CloudDriver,
  CloudResource,
  CloudServer,
  CloudServerState,
  OrderRef,
  OrderRequest,
  ServerOrder,
} from "../driver.ts";
import { CloudError, goneServer } from "../driver.ts";
import { ensure, findLater, whileUnknown } from "../ensure.ts";
import { checkRef, machineName } from "../names.ts";
import { codeOf, whenExists } from "../refusals.ts";
import {
  Address,
  callEc2,
  Done,
  type Ec2Api,
  type Ec2Call,
  filterParams,
  Image,
  Instance,
  itemsOf,
  listEc2,
  Maybe,
  orderFilter,
  orderTag,
  orderTags,
  ownerTag,
  type Params,
  Reservation,
  SecurityGroup,
  SetOf,
  Subnet,
  Text,
  tagOf,
  tagParams,
} from "./api.ts";
import { label } from "./errors.ts";

// The firewall: one security group of ours for each VPC -----------------------------------------------------------------------

export const ensureFirewall =
  (api: Ec2Api): CloudDriver["ensureFirewall"] =>
  async (access, { network, location: region, key, owner }) => {
    checkRef({ key, owner });
    if (network === null) throw refuse("network", `A server at ${label} needs a subnet.`);
    const subnets = { region, action: "DescribeSubnets", params: { "SubnetId.1": network } };
    const [subnet] = await listEc2(api, access, { ...subnets, set: "subnetSet", item: Subnet });
    if (!subnet) throw refuse("network", `There is no subnet ${network} in ${region}.`);
    const { vpcId } = subnet;
    const name = `longshore-${owner}`;
    const filters = { "vpc-id": [vpcId], [`tag:${ownerTag}`]: [owner], "group-name": [name] };
    const params = {
      GroupName: name,
      GroupDescription: "Servers of Longshore: SSH, HTTP, HTTPS and ICMP",
      VpcId: vpcId,
      ...tagParams(["security-group"], { Name: name, [ownerTag]: owner }),
    };
    const creation = { region, action: "CreateSecurityGroup", params };
    const group = await ensure(
      { access, options: api.options },
      {
        find: async () => (await listGroups(api, access, { region, params: filterParams(filters) }))[0],
        make: async (): Promise<Static<typeof SecurityGroup>> => {
          const { groupId } = await callEc2(api, access, creation, Type.Object({ groupId: Text }));
          return { groupId, groupName: name, vpcId, ipPermissions: "" };
        },
        existed: (error) => codeOf(error) === "InvalidGroup.Duplicate",
      },
    );
    await whileUnknown({ access, options: api.options }, () => openPorts(api, access, { region, group }));
    return { id: group.groupId };
  };

export interface Place {
  region: string;
  params: Params;
  /** Default: all, for look-ups of what is ours. */
  reading?: Reading;
}

export const listGroups = (api: Ec2Api, access: CloudAccess, place: Place) =>
  listEc2(api, access, {
    ...place,
    action: "DescribeSecurityGroups",
    set: "securityGroupInfo",
    item: SecurityGroup,
  });

const openings = [
  { ipProtocol: "tcp", port: "22" },
  { ipProtocol: "tcp", port: "80" },
  { ipProtocol: "tcp", port: "443" },
  { ipProtocol: "icmp", port: "-1" },
];

// Only missing rules: an existing rule makes the whole call fail.
async function openPorts(
  api: Ec2Api,
  access: CloudAccess,
  { region, group }: { region: string; group: Static<typeof SecurityGroup> },
): Promise<void> {
  const open = itemsOf(group.ipPermissions);
  const missing = openings.filter(
    ({ ipProtocol, port }) => !open.some((each) => each.ipProtocol === ipProtocol && each.fromPort === port),
  );
  if (missing.length === 0) return;
  const params: Params = { GroupId: group.groupId };
  missing.forEach(({ ipProtocol, port }, at) => {
    const prefix = `IpPermissions.${at + 1}`;
    params[`${prefix}.IpProtocol`] = ipProtocol;
    params[`${prefix}.FromPort`] = port;
    params[`${prefix}.ToPort`] = port;
    params[`${prefix}.IpRanges.1.CidrIp`] = "0.0.0.0/0";
    params[`${prefix}.Ipv6Ranges.1.CidrIpv6`] = "::/0";
  });
  const call = { region, action: "AuthorizeSecurityGroupIngress", params, isRepeatable: true };
  try {
    await callEc2(api, access, call, Done);
  } catch (error) {
    if (codeOf(error) !== "InvalidPermission.Duplicate") throw error;
  }
}

// The server -------------------------------------------------------------------------------------------------------------------

// The key is the client token: the same order returns the instance that the first one created.
export const ensureServer =
  (api: Ec2Api): CloudDriver["ensureServer"] =>
  async (access, order) => {
    checkRef(order);
    const connection = { access, options: api.options };
    // Whatever the order names was checked before it, or made a moment ago.
    const make = () => whileUnknown(connection, () => runInstance(api, access, order));
    return ensure(connection, { find: () => findServer(api, access, order), make });
  };

async function runInstance(api: Ec2Api, access: CloudAccess, order: ServerOrder): Promise<CloudServer> {
  const { location: region, key } = order;
  const deviceName = await rootDevice(api, access, { region, image: order.image });
  const params = {
    ...instanceParams(order, deviceName),
    ClientToken: key,
    UserData: Buffer.from(order.userData).toString("base64"),
    ...(order.firewallId === null ? {} : { "NetworkInterface.1.SecurityGroupId.1": order.firewallId }),
    ...tagParams(["instance", "volume", "network-interface"], orderTags(machineName(order.name, key), order)),
  };
  const shape = Type.Object({ instancesSet: SetOf(Instance) });
  const call = { region, action: "RunInstances", params, isRepeatable: true };
  const [instance] = itemsOf((await callEc2(api, access, call, shape)).instancesSet);
  if (instance) return serverOf(instance, region);
  throw new CloudError("unavailable", `${label} answered an order without an instance.`, { isUncertain: true });
}

type ImageOrder = OrderRequest & { image: string };

// Guaranteed operations per second of an io2 volume; each is billed.
export const io2Iops = 1_000;

function instanceParams(order: ImageOrder, deviceName: string): Params {
  const { volume } = order;
  return {
    ImageId: order.image,
    InstanceType: order.serverType,
    MinCount: 1,
    MaxCount: 1,
    "MetadataOptions.HttpTokens": "required",
    "NetworkInterface.1.DeviceIndex": 0,
    "NetworkInterface.1.SubnetId": order.network ?? undefined,
    // Also when a static address follows: with its own address the server reaches the package mirrors from the start.
    "NetworkInterface.1.AssociatePublicIpAddress": true,
    "NetworkInterface.1.DeleteOnTermination": true,
    "BlockDeviceMapping.1.DeviceName": deviceName,
    "BlockDeviceMapping.1.Ebs.VolumeSize": volume?.sizeGb,
    "BlockDeviceMapping.1.Ebs.VolumeType": volume?.type,
    "BlockDeviceMapping.1.Ebs.Iops": volume?.type === "io2" ? io2Iops : undefined,
    "BlockDeviceMapping.1.Ebs.Encrypted": true,
    "BlockDeviceMapping.1.Ebs.DeleteOnTermination": true,
  };
}

async function rootDevice(
  api: Ec2Api,
  access: CloudAccess,
  { region, image }: { region: string; image: string },
): Promise<string> {
  const images = { region, action: "DescribeImages", params: { "ImageId.1": image } };
  const [found] = await listEc2(api, access, { ...images, set: "imagesSet", item: Image });
  if (!found) throw refuse("image", `There is no image ${image} in ${region}.`);
  return found.rootDeviceName ?? "/dev/sda1";
}

/** Lets the provider check an order, including permissions, without placing it. */
export async function dryRun(api: Ec2Api, access: CloudAccess, order: ImageOrder): Promise<void> {
  const { location: region, image } = order;
  const deviceName = await rootDevice(api, access, { region, image });
  const tags = tagParams(["instance", "volume", "network-interface"], rehearsalTags);
  const params = { ...instanceParams(order, deviceName), ...tags };
  await rehearse(api, access, { region, action: "RunInstances", params }, Done);
}

/** The right to order includes that to tag what is ordered. */
export const rehearsalTags = { [ownerTag]: "longshore-rehearsal" };

/**
 * Lets the provider check a change, including the permission for it, without its effect. Returns the answer of an endpoint that
 * does not know dry runs, and has carried it out.
 */
export async function rehearse<Schema extends TSchema>(
  api: Ec2Api,
  access: CloudAccess,
  call: Ec2Call,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  try {
    return await callEc2(
      api,
      access,
      { ...call, params: { ...call.params, DryRun: true }, isRepeatable: true },
      schema,
    );
  } catch (error) {
    if (codeOf(error) !== "DryRunOperation") throw error;
    return undefined;
  }
}

const Allocation = Type.Object({ allocationId: Maybe });

/** Without the permission for it the order would fail when its server runs already. */
export async function rehearseAddress(api: Ec2Api, access: CloudAccess, region: string): Promise<void> {
  const params = addressParams(rehearsalTags);
  const made = await rehearse(api, access, { region, action: "AllocateAddress", params }, Allocation);
  if (made?.allocationId) await release(api, access, { region, id: made.allocationId });
}

const release = (api: Ec2Api, access: CloudAccess, { region, id }: { region: string; id: string }) => {
  const call = { region, action: "ReleaseAddress", params: { AllocationId: id }, isRepeatable: true };
  return whenExists(callEc2(api, access, call, Done));
};

const addressParams = (tags: Record<string, string>): Params => ({ Domain: "vpc", ...tagParams(["elastic-ip"], tags) });

export async function listInstances(
  api: Ec2Api,
  access: CloudAccess,
  place: Place,
): Promise<Static<typeof Instance>[]> {
  const of = { ...place, action: "DescribeInstances", set: "reservationSet", item: Reservation };
  return (await listEc2(api, access, of)).flatMap(({ instancesSet }) => itemsOf(instancesSet));
}

async function findServer(
  api: Ec2Api,
  access: CloudAccess,
  { key, location: region }: OrderRef,
): Promise<CloudServer | undefined> {
  const [instance] = await listInstances(api, access, { region, params: filterParams({ "client-token": [key] }) });
  return instance && serverOf(instance, region);
}

// A new instance may be missing for seconds, a terminated one is listed for an hour: one that stays missing is gone.
export const getServer =
  (api: Ec2Api): CloudDriver["getServer"] =>
  async (access, { id, location: region }) => {
    const place = { region, params: { "InstanceId.1": id } };
    const instance = await findLater({ access, options: api.options }, 5, async () => {
      const instances = await whenExists(listInstances(api, access, place));
      return instances?.[0];
    });
    return instance ? serverOf(instance, region) : goneServer({ id, location: region });
  };

const states: Record<string, CloudServerState> = {
  pending: "starting",
  running: "running",
  stopping: "starting",
  stopped: "stopped",
};

export function serverOf(instance: Static<typeof Instance>, location: string): CloudServer {
  const { code, message } = instance.stateReason || {};
  const name = instance.instanceState.name;
  // A failed launch ends as terminated, for example because of a volume quota.
  const isOwnFailure = code !== undefined && code !== "" && !code.includes("UserInitiated");
  const state = states[name] ?? (isOwnFailure ? "failed" : "gone");
  return {
    id: instance.instanceId,
    location,
    orderKey: tagOf(instance, orderTag),
    state,
    // A start without capacity ends as stopped.
    problem:
      state === "failed" || (state === "stopped" && code?.startsWith("Server.")) ? (message ?? code ?? null) : null,
    publicIp: instance.ipAddress || null,
    privateIp: instance.privateIpAddress || null,
    serverType: instance.instanceType,
    isBusy: name === "pending" || name === "stopping",
    resources: itemsOf(instance.blockDeviceMapping).flatMap(({ ebs }): CloudResource[] =>
      ebs ? [{ kind: "volume", id: ebs.volumeId, location }] : [],
    ),
  };
}

// The static address -------------------------------------------------------------------------------------------------------------

export const ensureAddress =
  (api: Ec2Api): CloudDriver["ensureAddress"] =>
  async (access, ref) => {
    const { location, serverId } = ref;
    checkRef(ref);
    const connection = { access, options: api.options };
    const address = await ensure(connection, {
      find: () => keepOne(api, access, ref),
      make: () => {
        const params = addressParams(orderTags(ref.key, ref));
        return callEc2(api, access, { region: location, action: "AllocateAddress", params }, Address);
      },
      mayDouble: true,
    });
    if (address.instanceId !== serverId) {
      const params = { AllocationId: address.allocationId, InstanceId: serverId, AllowReassociation: true };
      const call = { region: location, action: "AssociateAddress", params, isRepeatable: true };
      await whileUnknown(connection, () => callEc2(api, access, call, Done));
    }
    return { kind: "address", id: address.allocationId, location, ip: address.publicIp };
  };

const Addresses = Type.Object({ addressesSet: SetOf(Type.Unknown()) });

export async function listAddresses(
  api: Ec2Api,
  access: CloudAccess,
  { reading = "all", ...place }: Place,
): Promise<Static<typeof Address>[]> {
  const { addressesSet } = await callEc2(api, access, { ...place, action: "DescribeAddresses" }, Addresses);
  const values = itemsOf(addressesSet);
  return readItems(label, access, { list: "addressesSet", item: Address, values, reading });
}

// The provider has no key that makes an allocation unique: an allocation that took effect after our check leaves a
// second address.
async function keepOne(
  api: Ec2Api,
  access: CloudAccess,
  ref: OrderRef & { serverId: string },
): Promise<Static<typeof Address> | undefined> {
  const region = ref.location;
  const all = await listAddresses(api, access, { region, params: orderFilter(ref) });
  const kept = all.find(({ instanceId }) => instanceId === ref.serverId) ?? all[0];
  for (const { allocationId: id } of all.filter((each) => each !== kept)) await release(api, access, { region, id });
  return kept;
}
