import { type Static, Type } from "typebox";
import type { CloudAccess, CloudDriver, CloudImageState, ServerRef } from "../driver.ts";
import { CloudError } from "../driver.ts";
import { ensure, whileUnknown } from "../ensure.ts";
import { checkRef } from "../names.ts";
import { codeOf, quoted, whenExists } from "../refusals.ts";
import { callEc2, Done, type Ec2Api, type Image, orderFilter, orderTags, type Params, Text, tagParams } from "./api.ts";
import { label } from "./errors.ts";
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
): Pick<CloudDriver, "powerOff" | "powerOn" | "resize" | "findAction" | "setDeleteProtection" | "ensureImage"> => ({
  powerOff: (access, ref) => act(api, access, { ref, action: "StopInstances", params: { "InstanceId.1": ref.id } }),
  powerOn: (access, ref) => act(api, access, { ref, action: "StartInstances", params: { "InstanceId.1": ref.id } }),
  resize: async (access, ref, serverType) => {
    const server = await getServer(api)(access, ref);
    if (server.serverType === serverType) return null;
    const params = { InstanceId: ref.id, "InstanceType.Value": serverType };
    await act(api, access, { ref, action: "ModifyInstanceAttribute", params });
    return null;
  },
  findAction: async () => undefined,
  setDeleteProtection: (access, ref, isProtected) => {
    const params = { InstanceId: ref.id, "DisableApiTermination.Value": isProtected };
    return act(api, access, { ref, action: "ModifyInstanceAttribute", params });
  },
  ensureImage: async (access, ref, { known = null, ...of }) => {
    checkRef(of);
    const region = ref.location;
    if (known !== null) {
      const [image] = (await whenExists(listImages(api, access, { region, params: { "ImageId.1": known } }))) ?? [];
      return image ? imageState(image) : { id: known, isReady: false, isMissing: true };
    }
    const params = {
      InstanceId: ref.id,
      Name: `longshore-${of.owner}-${of.key}`,
      // The provider's default is to reboot the server. Other providers copy a running one, too.
      NoReboot: true,
      ...tagParams(["image", "snapshot"], orderTags(of.key, of)),
    };
    const connection = { access, options: api.options };
    const make = async () => {
      const shape = Type.Object({ imageId: Text });
      const { imageId } = await callEc2(api, access, { region, action: "CreateImage", params }, shape);
      return { id: imageId, isReady: false };
    };
    return ensure<CloudImageState>(connection, {
      find: async () => {
        const [image] = await listImages(api, access, { region, params: orderFilter(of) });
        return image && imageState(image);
      },
      make: () => whileUnknown(connection, make),
      existed: (error) => codeOf(error) === "InvalidAMIName.Duplicate",
    });
  },
});

function imageState({ imageId, imageState: state, stateReason }: Static<typeof Image>): CloudImageState {
  if (!/^(failed|error|invalid)$/.test(state)) return { id: imageId, isReady: state === "available" };
  const { message = state } = stateReason || {};
  throw new CloudError("refused", `${label} could not make the image: ${quoted(message)}.`, { permanent: true });
}
