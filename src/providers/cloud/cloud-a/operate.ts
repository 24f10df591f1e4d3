import { Type } from "typebox";
import type { CloudAccess, CloudDriver, ServerRef } from "../driver.ts";
import { ensure } from "../ensure.ts";
import { callJson, type JsonApi } from "../json-api.ts";
import { checkRef } from "../names.ts";
import { Action, Image, labelsOf, list, orderSelector } from "./api.ts";
import { getServer } from "./order.ts";

// Changes to an existing server. Each starts an action; `isBusy` ends with it.

async function act(
  api: JsonApi,
  access: CloudAccess,
  { ref, action, body }: { ref: ServerRef; action: string; body?: object },
): Promise<void> {
  const path = `/servers/${encodeURIComponent(ref.id)}/actions/${action}`;
  await callJson(api, access, { method: "POST", path, body }, Type.Object({ action: Action }));
}

/** The methods of `CloudDriver` of the same names. */
export const operations = (
  api: JsonApi,
): Pick<CloudDriver, "reboot" | "powerOff" | "powerOn" | "resize" | "setDeleteProtection" | "ensureImage"> => ({
  reboot: (access, ref) => act(api, access, { ref, action: "reboot" }),
  powerOff: (access, ref) => act(api, access, { ref, action: "poweroff" }),
  powerOn: (access, ref) => act(api, access, { ref, action: "poweron" }),
  resize: async (access, ref, serverType) => {
    const server = await getServer(api)(access, ref);
    if (server.serverType === serverType) return;
    await act(api, access, { ref, action: "change_type", body: { server_type: serverType, upgrade_disk: false } });
  },
  // The provider requires both protections to be equal.
  setDeleteProtection: (access, ref, isProtected) =>
    act(api, access, { ref, action: "change_protection", body: { delete: isProtected, rebuild: isProtected } }),
  ensureImage: async (access, ref, of) => {
    checkRef(of);
    const image = await ensure(
      { access, options: api.caller.options },
      {
        find: async () => {
          const query = { type: "snapshot", label_selector: orderSelector(of) };
          const call = { path: "/images", query };
          return (await list(api, access, { call, name: "images", item: Image }))[0];
        },
        make: () => createImage(api, access, { ref, of }),
      },
    );
    return { id: String(image.id), isReady: image.status === "available" };
  },
});

async function createImage(
  api: JsonApi,
  access: CloudAccess,
  { ref, of }: { ref: ServerRef; of: { key: string; owner: string } },
) {
  const path = `/servers/${encodeURIComponent(ref.id)}/actions/create_image`;
  const body = { type: "snapshot", description: of.key, labels: labelsOf(of) };
  const { image } = await callJson(api, access, { method: "POST", path, body }, Type.Object({ image: Image }));
  return image;
}
