import { Type } from "typebox";
import type { CloudAccess, CloudDriver, ServerRef } from "../driver.ts";
import { CloudError } from "../driver.ts";
import { callJson, type JsonApi } from "../json-api.ts";
import { checkRef } from "../names.ts";
import { Action, nameOf } from "./api.ts";
import { label } from "./errors.ts";
import { getServer } from "./order.ts";
import { listImages } from "./remove.ts";

// Changes to an existing server. Each starts an action; `isBusy` ends with it.

const pathOf = ({ id }: ServerRef): string => `/droplets/${encodeURIComponent(id)}/actions`;

async function act(api: JsonApi, access: CloudAccess, ref: ServerRef, body: object): Promise<void> {
  await callJson(api, access, { method: "POST", path: pathOf(ref), body }, Type.Object({ action: Action }));
}

/** The methods of `CloudDriver` of the same names. */
export const operations = (
  api: JsonApi,
): Pick<CloudDriver, "powerOff" | "powerOn" | "resize" | "setDeleteProtection" | "ensureImage"> => ({
  powerOff: (access, ref) => act(api, access, ref, { type: "power_off" }),
  powerOn: (access, ref) => act(api, access, ref, { type: "power_on" }),
  resize: async (access, ref, serverType) => {
    const server = await getServer(api)(access, ref);
    if (server.serverType === serverType) return;
    await act(api, access, ref, { type: "resize", disk: false, size: serverType });
  },
  setDeleteProtection: async () => {
    throw new CloudError("refused", `${label} has no delete protection of servers.`, { permanent: true });
  },
  ensureImage: async (access, ref, of) => {
    checkRef(of);
    const image = (await listImages(api, access)).find(({ name }) => name === nameOf(of));
    if (image) return { id: String(image.id), isReady: image.status === undefined || image.status === "available" };
    if (!(await isSnapshotRunning(api, access, ref))) {
      await act(api, access, ref, { type: "snapshot", name: nameOf(of) });
    }
    return { id: null, isReady: false };
  },
});

// An image is listed when it is finished, or a little later; until then only its action is visible. A server creates
// one image at a time.
const listedAfterMs = 60_000;

async function isSnapshotRunning(api: JsonApi, access: CloudAccess, ref: ServerRef): Promise<boolean> {
  const call = { path: pathOf(ref), query: { per_page: 20 } };
  const { actions } = await callJson(api, access, call, Type.Object({ actions: Type.Array(Action) }));
  const isRecent = (time: string | null | undefined) => Date.now() - Date.parse(time ?? "") < listedAfterMs;
  return actions.some(
    ({ type, status, completed_at }) =>
      type === "snapshot" && (status === "in-progress" || (status === "completed" && isRecent(completed_at))),
  );
}
