import { Type } from "typebox";
import type { Architecture, CloudAccess, CloudImage, CloudSystem } from "../driver.ts";
import { codeOf } from "../refusals.ts";
import { callParameters, type Ec2Api, filterParams, Image, listEc2, Text } from "./api.ts";

// The newest images of Ubuntu: Canonical publishes their ids as public parameters. Without the permission to read
// those, or where one is missing, the driver finds the images by owner and name.

const canonical = "099720109477";

interface Release {
  serverOs: CloudSystem;
  version: string;
  codename: string;
  storage: "ebs-gp2" | "ebs-gp3";
}

const releases: Release[] = [
  { serverOs: "ubuntu_26_04", version: "26.04", codename: "resolute", storage: "ebs-gp3" },
  { serverOs: "ubuntu_24_04", version: "24.04", codename: "noble", storage: "ebs-gp3" },
  { serverOs: "ubuntu_22_04", version: "22.04", codename: "jammy", storage: "ebs-gp2" },
];

const processors: Record<Architecture, { parameter: string; name: string }> = {
  x86: { parameter: "amd64", name: "x86_64" },
  arm: { parameter: "arm64", name: "arm64" },
};

interface Wanted extends Release {
  architecture: Architecture;
  parameter: string;
}

const wanted: Wanted[] = releases.flatMap((release) =>
  (["x86", "arm"] as const).map((architecture) => ({
    ...release,
    architecture,
    parameter: `/aws/service/canonical/ubuntu/server/${release.version}/stable/current/${processors[architecture].parameter}/hvm/${release.storage}/ami-id`,
  })),
);

export async function listImages(api: Ec2Api, access: CloudAccess, region: string): Promise<CloudImage[]> {
  const published = await listPublished(api, access, region);
  const missing = wanted.filter((each) => !published.some((image) => isOf(image, each)));
  if (missing.length === 0) return published;
  return [...published, ...(await listByName(api, access, { region, wanted: missing }))];
}

const isOf = (image: CloudImage, { serverOs, architecture }: Wanted): boolean =>
  image.serverOs === serverOs && image.architecture === architecture;

async function listByName(
  api: Ec2Api,
  access: CloudAccess,
  { region, wanted }: { region: string; wanted: readonly Wanted[] },
): Promise<CloudImage[]> {
  const names = wanted.map(
    ({ codename, version, architecture }) =>
      `ubuntu/images/hvm-ssd*/ubuntu-${codename}-${version}-${processors[architecture].parameter}-server-*`,
  );
  const params = { "Owner.1": canonical, ...filterParams({ name: names, state: ["available"] }) };
  const images = { region, action: "DescribeImages", params, set: "imagesSet", item: Image, reading: "any" } as const;
  const all = await listEc2(api, access, images);
  all.sort((a, b) => (b.creationDate ?? "").localeCompare(a.creationDate ?? ""));
  return wanted.flatMap((each) => {
    const newest = all.find(
      ({ name, architecture }) =>
        name?.includes(`-${each.codename}-`) && architecture === processors[each.architecture].name,
    );
    return newest ? [imageOf(each, newest.imageId)] : [];
  });
}

const Parameters = Type.Object({ Parameters: Type.Array(Type.Object({ Name: Text, Value: Text })) });

/** None without the permission to read them. */
async function listPublished(api: Ec2Api, access: CloudAccess, region: string): Promise<CloudImage[]> {
  const names = wanted.map(({ parameter }) => parameter);
  const found = await callParameters(api, access, { region, names }, Parameters).then(
    (answer) => answer.Parameters,
    (error: unknown) => {
      if (/^AccessDenied/.test(codeOf(error))) return [];
      throw error;
    },
  );
  return wanted.flatMap((each) => {
    const id = found.find(({ Name }) => Name === each.parameter)?.Value;
    return id !== undefined && /^ami-[0-9a-f]{8,17}$/.test(id) ? [imageOf(each, id)] : [];
  });
}

const imageOf = ({ serverOs, version, architecture }: Wanted, id: string): CloudImage => ({
  id,
  name: `Ubuntu ${version} (${architecture})`,
  serverOs,
  architecture,
});
