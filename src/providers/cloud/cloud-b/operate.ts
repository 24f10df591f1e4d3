import { Type } from "typebox";
import type { CloudAccess, CloudDriver, ServerRef } from "../driver.ts";
import { ensure } from "../ensure.ts";
import { checkRef } from "../names.ts";
import { codeOf } from "../refusals.ts";
import { callEc2, Done, type Ec2Api, orderFilter, orderTags, type Params, Text, tagParams } from "./api.ts";
import { getServer } from "./order.ts";
import { listImages } from "./remove.ts";

// Changes to an existing server. All calls may be sent twice, except for an image, whose name is unique.

async function act(
  api: Ec2Api,
  access: CloudAccess,
  { ref, action, params }: { ref: ServerRef; action: string; params: Params },
): Promise<void> {
  await callEc2(api, access, { region: ref.location, action, params, isRepeatable: true }, Done);
}

/** The methods of `CloudDriver` of the same names. */
export const operations = (
  api: Ec2Api,
): Pick<CloudDriver, "powerOff" | "powerOn" | "resize" | "setDeleteProtection" | "ensureImage"> => ({
  powerOff: (access, ref) => act(api, access, { ref, action: "StopInstances", params: { "InstanceId.1": ref.id } }),
  powerOn: (access, ref) => act(api, access, { ref, action: "StartInstances", params: { "InstanceId.1": ref.id } }),
  resize: async (access, ref, serverType) => {
    const server = await getServer(api)(access, ref);
    if (server.serverType === serverType) return;
    const params = { InstanceId: ref.id, "InstanceType.Value": serverType };
    await act(api, access, { ref, action: "ModifyInstanceAttribute", params });
  },
  setDeleteProtection: (access, ref, isProtected) => {
    const params = { InstanceId: ref.id, "DisableApiTermination.Value": isProtected };
    return act(api, access, { ref, action: "ModifyInstanceAttribute", params });
  },
  ensureImage: async (access, ref, of) => {
    checkRef(of);
    const region = ref.location;
    const params = {
      InstanceId: ref.id,
      Name: `longshore-${of.owner}-${of.key}`,
      ...tagParams(["image", "snapshot"], orderTags(of.key, of)),
    };
    return ensure(
      { access, options: api.options },
      {
        find: async () => {
          const [image] = await listImages(api, access, { region, params: orderFilter(of) });
          return image && { id: image.imageId, isReady: image.imageState === "available" };
        },
        make: async () => {
          const shape = Type.Object({ imageId: Text });
          const { imageId } = await callEc2(api, access, { region, action: "CreateImage", params }, shape);
          return { id: imageId, isReady: false };
        },
        existed: (error) => codeOf(error) === "InvalidAMIName.Duplicate",
      },
    );
  },
});
