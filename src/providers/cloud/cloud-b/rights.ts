import { type CloudAccess, CloudError } from "../driver.ts";
import { codeOf } from "../refusals.ts";
import { Done, type Ec2Api, homeRegion, type Params, tagParams } from "./api.ts";
import { listImages } from "./images.ts";
import { rehearsalTags, rehearse, rehearseAddress } from "./order.ts";

// Whether an access key may do what servers need, by dry runs. Permissions that depend on the tags of a resource, such as to
// terminate a server of ours, cannot be seen before there is one.

const reads = [
  "DescribeAccountAttributes",
  "DescribeInstanceTypes",
  "DescribeInstanceTypeOfferings",
  "DescribeImages",
  "DescribeVpcs",
  "DescribeSubnets",
  "DescribeInstances",
  "DescribeVolumes",
  "DescribeAddresses",
  "DescribeSecurityGroups",
];

// Ids of the right form that nothing has.
const none = "0".repeat(17);

const changes: Record<string, Params> = {
  CreateSecurityGroup: {
    GroupName: "longshore-rehearsal",
    GroupDescription: "Rehearsal",
    ...tagParams(["security-group"], rehearsalTags),
  },
  AuthorizeSecurityGroupIngress: {
    GroupId: `sg-${none}`,
    "IpPermissions.1.IpProtocol": "tcp",
    "IpPermissions.1.FromPort": 22,
    "IpPermissions.1.ToPort": 22,
    "IpPermissions.1.IpRanges.1.CidrIp": "0.0.0.0/0",
  },
  AssociateAddress: { AllocationId: `eipalloc-${none}`, InstanceId: `i-${none}` },
  CreateImage: { InstanceId: `i-${none}`, Name: "longshore-rehearsal" },
};

const smallestType = "t3.micro";

/** The actions that the key may not use in any of the regions: a policy may allow some regions only. */
export async function listMissingRights(
  api: Ec2Api,
  access: CloudAccess,
  regions: readonly string[],
): Promise<string[]> {
  let missing = [...reads, ...Object.keys(changes), "AllocateAddress", "RunInstances"];
  for (const region of [homeRegion, ...regions.filter((each) => each !== homeRegion)]) {
    const denied = await Promise.all(missing.map((action) => isDenied(api, access, { region, action })));
    missing = missing.filter((_, at) => denied[at]);
    if (missing.length === 0) break;
  }
  return missing;
}

/** Any other refusal, such as of an id that nothing has, comes after the permission was checked, and counts as permitted. */
async function isDenied(
  api: Ec2Api,
  access: CloudAccess,
  { region, action }: { region: string; action: string },
): Promise<boolean> {
  try {
    if (action === "AllocateAddress") await rehearseAddress(api, access, region);
    else if (action === "RunInstances") await rehearseServer(api, access, region);
    else await rehearse(api, access, { region, action, params: changes[action] ?? {} }, Done);
    return false;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return codeOf(error) === "UnauthorizedOperation";
  }
}

// In the region's default network, with an image that exists: the provider looks for it first.
async function rehearseServer(api: Ec2Api, access: CloudAccess, region: string): Promise<void> {
  const images = await listImages(api, access, region);
  const params = {
    ImageId: images.find(({ architecture }) => architecture === "x86")?.id,
    InstanceType: smallestType,
    MinCount: 1,
    MaxCount: 1,
    "MetadataOptions.HttpTokens": "required",
    ...tagParams(["instance", "volume", "network-interface"], rehearsalTags),
  };
  await rehearse(api, access, { region, action: "RunInstances", params }, Done);
}
