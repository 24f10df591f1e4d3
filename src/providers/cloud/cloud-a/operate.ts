import { Type } from "typebox";
import type { CloudAccess, CloudDriver, ServerRef } from "../driver.ts";
import { ensure } from "../ensure.ts";
import { callJson, type JsonApi, listJson } from "../json-api.ts";
import { checkRef } from "../names.ts";
import { Action, Image, labelsOf, orderSelector } from "./api.ts";
import { getServer } from "./order.ts";

// Changes to an existing server. Each starts an action; `isBusy` ends with it.

const pathOf = ({ id }: ServerRef): string => `/servers/${encodeURIComponent(id)}/actions`;

async function act(
  api: JsonApi,
  access: CloudAccess,
  { ref, action, body }: { ref: ServerRef; action: string; body?: object },
): Promise<void> {
  const path = `${pathOf(ref)}/${action}`;
  await callJson(api, access, { method: "POST", path, body }, Type.Object({ action: Action }));
}

/** The methods of `CloudDriver` of the same names. */
export const operations = (
  api: JsonApi,
): Pick<CloudDriver, "powerOff" | "powerOn" | "resize" | "setDeleteProtection" | "ensureImage"> => ({
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
    const path = `${pathOf(ref)}/create_image`;
    const body = { type: "snapshot", description: of.key, labels: labelsOf(of) };
    const shape = Type.Object({ image: Image });
    const image = await ensure(
      { access, options: api.caller.options },
      {
        find: async () => {
          const query = { type: "snapshot", label_selector: orderSelector(of) };
          return (await listJson(api, access, { call: { path: "/images", query }, name: "images", item: Image }))[0];
        },
        make: async () => (await callJson(api, access, { method: "POST", path, body }, shape)).image,
      },
    );
    return { id: String(image.id), isReady: image.status === "available" };
  },
});
