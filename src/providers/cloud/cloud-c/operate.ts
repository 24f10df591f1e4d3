import { type Static, Type } from "typebox";
import type { CloudAccess, CloudDriver, CloudImageState, ServerRef } from "../driver.ts";
import { CloudError } from "../driver.ts";
import { ensure } from "../ensure.ts";
import { callJson, findResource, type JsonApi } from "../json-api.ts";
import { checkRef } from "../names.ts";
import { Action, Image, nameOf } from "./api.ts";
import { label } from "./errors.ts";
import { findAction, getServer, problemOf } from "./order.ts";
import { listImages } from "./remove.ts";

// Changes to an existing server. Each starts an action; `isBusy` ends with it.

const pathOf = ({ id }: ServerRef): string => `/droplets/${encodeURIComponent(id)}/actions`;

/** Returns the id of the action. Throws if it has failed already. */
async function act(api: JsonApi, access: CloudAccess, ref: ServerRef, body: object): Promise<string> {
  const call = { method: "POST", path: pathOf(ref), body } as const;
  const { action } = await callJson(api, access, call, Type.Object({ action: Action }));
  if (action.status === "errored") throw failedAction(action);
  return String(action.id);
}

const failedAction = (action: Static<typeof Action>) =>
  new CloudError("refused", `${label} could not do it: ${problemOf(action)}.`, { permanent: true });

/** The methods of `CloudDriver` of the same names. */
export const operations = (
  api: JsonApi,
): Pick<CloudDriver, "powerOff" | "powerOn" | "resize" | "findAction" | "setDeleteProtection" | "ensureImage"> => ({
  powerOff: async (access, ref) => void (await act(api, access, ref, { type: "power_off" })),
  powerOn: async (access, ref) => void (await act(api, access, ref, { type: "power_on" })),
  resize: async (access, ref, serverType) => {
    const server = await getServer(api)(access, ref);
    if (server.serverType === serverType) return null;
    return act(api, access, ref, { type: "resize", disk: false, size: serverType });
  },
  findAction: findAction(api),
  setDeleteProtection: async () => {
    throw new CloudError("refused", `${label} has no delete protection of servers.`, { permanent: true });
  },
  ensureImage: async (access, ref, { known = null, ...of }) => {
    checkRef(of);
    if (known !== null) {
      const found = await findResource(api, access, { kind: "image", id: known }, Type.Object({ image: Image }));
      return found ? imageState(found.image) : { id: known, isReady: false, isMissing: true };
    }
    return ensure<CloudImageState>(
      { access, options: api.caller.options },
      {
        find: async () => {
          const image = (await listImages(api, access)).find(({ name }) => name === nameOf(of));
          if (image) return imageState(image);
          return (await isSnapshotRunning(api, access, ref)) ? { id: null, isReady: false } : undefined;
        },
        make: async () => {
          const action = await act(api, access, ref, { type: "snapshot", name: nameOf(of) });
          return { id: null, isReady: false, action };
        },
        mayDouble: true,
      },
    );
  },
});

const imageState = ({ id, status }: Static<typeof Image>): CloudImageState => ({
  id: String(id),
  isReady: status === undefined || status === "available",
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
