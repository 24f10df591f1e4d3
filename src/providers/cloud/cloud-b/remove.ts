import type { Static } from "typebox";
import {
  type CloudAccess,
  type CloudDriver,
  CloudError,
  type CloudPriceList,
  type CloudResource,
  type TaggedResource,
} from "../driver.ts";
import { whileUnknown } from "../ensure.ts";
import { free, timesOf } from "../prices.ts";
import { codeOf, whenExists } from "../refusals.ts";
import { mergeResources, type Remover, serverResources } from "../removal.ts";
import {
  type Address,
  callEc2,
  Done,
  type Ec2Api,
  filterParams,
  Image,
  type Instance,
  itemsOf,
  listEc2,
  orderFilter,
  orderTag,
  ownerTag,
  type Params,
  type SecurityGroup,
  tagOf,
  Volume,
} from "./api.ts";
import { listRegions } from "./catalogue.ts";
import { label } from "./errors.ts";
import { listAddresses, listGroups, listInstances, type Place, serverOf } from "./order.ts";
import { addressPrice, currency } from "./prices.ts";

const listVolumes = (api: Ec2Api, access: CloudAccess, place: Place) =>
  listEc2(api, access, { ...place, action: "DescribeVolumes", set: "volumeSet", item: Volume });

export const listImages = (api: Ec2Api, access: CloudAccess, { params, ...place }: Place) => {
  const own = { "Owner.1": "self", ...params };
  return listEc2(api, access, { ...place, action: "DescribeImages", params: own, set: "imagesSet", item: Image });
};

const isTerminated = ({ instanceState }: Static<typeof Instance>): boolean => instanceState.name === "terminated";

// All servers of a VPC share the security group, so it stays.
export const remover = (api: Ec2Api): Remover => ({
  options: api.options,
  shared: ["firewall"],
  listOrdered: async (access, ref) => {
    const region = ref.location;
    const place = { region, params: orderFilter(ref) };
    const [instances, addresses, volumes] = await Promise.all([
      listInstances(api, access, place),
      listAddresses(api, access, place),
      listVolumes(api, access, place),
    ]);
    const living = instances.filter((instance) => !isTerminated(instance));
    return mergeResources(
      living.flatMap((instance) => serverResources(serverOf(instance, region))),
      addresses.map(({ allocationId }) => ({ kind: "address", id: allocationId, location: region })),
      volumes.map(({ volumeId }) => ({ kind: "volume", id: volumeId, location: region })),
    );
  },
  remove: (access, resource) => remove(api, access, resource),
  exists: (access, resource) => exists(api, access, resource),
});

async function remove(api: Ec2Api, access: CloudAccess, resource: CloudResource): Promise<void> {
  const { kind, id, location: region } = resource;
  const removals: Partial<Record<CloudResource["kind"], { action: string; params: Params }>> = {
    server: { action: "TerminateInstances", params: { "InstanceId.1": id } },
    address: { action: "ReleaseAddress", params: { AllocationId: id } },
    volume: { action: "DeleteVolume", params: { VolumeId: id } },
    key: { action: "DeleteKeyPair", params: { KeyPairId: id } },
  };
  const removal = removals[kind];
  if (!removal) throw new CloudError("refused", `Longshore makes no ${kind} at ${label}.`, { permanent: true });
  if (kind === "address") {
    // An address can be released when no instance holds it any more.
    const found = await whenExists(listAddresses(api, access, { region, params: { "AllocationId.1": id } }));
    const params = { AssociationId: found?.[0]?.associationId };
    const call = { region, action: "DisassociateAddress", params, isRepeatable: true };
    if (params.AssociationId) await whenExists(callEc2(api, access, call, Done));
  }
  await whenExists(callEc2(api, access, { region, ...removal, isRepeatable: true }, Done));
}

async function exists(api: Ec2Api, access: CloudAccess, resource: CloudResource): Promise<boolean> {
  const { kind, id, location: region } = resource;
  const lookups: Partial<Record<CloudResource["kind"], () => Promise<unknown[]>>> = {
    server: async () => {
      const instances = await listInstances(api, access, { region, params: { "InstanceId.1": id } });
      return instances.filter((instance) => !isTerminated(instance));
    },
    address: () => listAddresses(api, access, { region, params: { "AllocationId.1": id } }),
    volume: () => listVolumes(api, access, { region, params: { "VolumeId.1": id } }),
    key: async () => [],
  };
  const found = await whenExists(lookups[kind]?.() ?? Promise.resolve([]));
  return (found?.length ?? 0) > 0;
}

export const removeImage =
  (api: Ec2Api): CloudDriver["removeImage"] =>
  async (access, { id, location: region }) => {
    const [image] = (await whenExists(listImages(api, access, { region, params: { "ImageId.1": id } }))) ?? [];
    if (!image) return;
    // Together: no image names them afterwards, and they are billed as long as they exist.
    const params = { ImageId: id, DeleteAssociatedSnapshots: true };
    await whenExists(callEc2(api, access, { region, action: "DeregisterImage", params, isRepeatable: true }, Done));
    for (const { ebs } of itemsOf(image.blockDeviceMapping)) {
      if (!ebs?.snapshotId) continue;
      const call = { region, action: "DeleteSnapshot", params: { SnapshotId: ebs.snapshotId }, isRepeatable: true };
      const remove = () => whenExists(callEc2(api, access, call, Done));
      await whileUnknown(
        { access, options: api.options },
        remove,
        (error) => codeOf(error) === "InvalidSnapshot.InUse",
      );
    }
  };

// The sweep ------------------------------------------------------------------------------------------------------------------------

const regionsAtOnce = 4;

export const listTagged =
  (api: Ec2Api): CloudDriver["listTagged"] =>
  async (access, { owner, locations, prices = {} }) => {
    const regions = locations ?? (await listRegions(api, access));
    const all: TaggedResource[] = [];
    for (let at = 0; at < regions.length; at += regionsAtOnce) {
      const some = regions.slice(at, at + regionsAtOnce);
      const parts = await Promise.all(
        some.map((region) => listInRegion(api, access, { region, owner, list: prices[region] })),
      );
      all.push(...parts.flat());
    }
    return all;
  };

async function listInRegion(
  api: Ec2Api,
  access: CloudAccess,
  { region, owner, list }: { region: string; owner: string; list: CloudPriceList | undefined },
): Promise<TaggedResource[]> {
  const place = { region, params: filterParams({ [`tag:${ownerTag}`]: [owner] }), reading: "any" } as const;
  try {
    const [instances, volumes, addresses, groups, images] = await Promise.all([
      listInstances(api, access, place),
      listVolumes(api, access, place),
      listAddresses(api, access, place),
      listGroups(api, access, place),
      listImages(api, access, place),
    ]);
    return [
      ...instances.filter((instance) => !isTerminated(instance)).map((each) => taggedInstance(each, region, list)),
      ...volumes.map((volume) => taggedVolume(volume, region, list)),
      ...addresses.map((address) => taggedAddress(address, region)),
      ...groups.map((group) => taggedGroup(group, region)),
      ...images.map((image) => taggedImage(image, region)),
    ];
  } catch (error) {
    // An organization's policy may forbid some regions: nothing was ordered there either.
    if (codeOf(error) === "UnauthorizedOperation") return [];
    throw error;
  }
}

type Tags = Parameters<typeof tagOf>[0];

const common = (resource: Tags, location: string) => ({
  location,
  name: tagOf(resource, "Name"),
  orderKey: tagOf(resource, orderTag),
});

const taggedInstance = (
  instance: Static<typeof Instance>,
  region: string,
  list: CloudPriceList | undefined,
): TaggedResource => ({
  kind: "server",
  id: instance.instanceId,
  ...common(instance, region),
  createdAt: instance.launchTime ?? null,
  monthlyPrice: list?.prices[instance.instanceType] ?? null,
});

function taggedVolume(volume: Static<typeof Volume>, region: string, list: CloudPriceList | undefined): TaggedResource {
  const perGb = list?.volumes[volume.volumeType];
  return {
    kind: "volume",
    id: volume.volumeId,
    ...common(volume, region),
    createdAt: volume.createTime ?? null,
    monthlyPrice: perGb ? timesOf(perGb.net, Number(volume.size), currency) : null,
  };
}

const taggedAddress = (address: Static<typeof Address>, region: string): TaggedResource => ({
  kind: "address",
  id: address.allocationId,
  ...common(address, region),
  createdAt: null,
  monthlyPrice: addressPrice,
});

const taggedGroup = (group: Static<typeof SecurityGroup>, region: string): TaggedResource => ({
  kind: "firewall",
  id: group.groupId,
  ...common(group, region),
  createdAt: null,
  monthlyPrice: free(currency),
});

// A snapshot is billed for the changed data, whose size is unknown.
const taggedImage = (image: Static<typeof Image>, region: string): TaggedResource => ({
  kind: "image",
  id: image.imageId,
  ...common(image, region),
  name: image.name ?? null,
  createdAt: image.creationDate ?? null,
  monthlyPrice: null,
});
