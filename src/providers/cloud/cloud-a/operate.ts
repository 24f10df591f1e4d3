import { type Static, Type } from "typebox";
import type { CloudAccess, CloudDriver, CloudImageState, ServerRef } from "../driver.ts";
import { CloudError } from "../driver.ts";
import { ensure, findLater } from "../ensure.ts";
import { callJson, findResource, type JsonApi, listJson } from "../json-api.ts";
import { checkRef } from "../names.ts";
import { Action, Image, labelsOf, selectorOf } from "./api.ts";
import { label } from "./errors.ts";
import { findAction, getServer, problemOf } from "./order.ts";

// Changes to an existing server. Each starts an action; `isBusy` ends with it.

const pathOf = ({ id }: ServerRef): string => `/servers/${encodeURIComponent(id)}/actions`;

/** Returns the id of the action. Throws if it has failed already. */
async function act(
  api: JsonApi,
  access: CloudAccess,
  { ref, action, body }: { ref: ServerRef; action: string; body?: object },
): Promise<string> {
  const path = `${pathOf(ref)}/${action}`;
  const answer = await callJson(api, access, { method: "POST", path, body }, Type.Object({ action: Action }));
  if (answer.action.status === "error") throw failedAction(problemOf(answer.action));
  return String(answer.action.id);
}

const failedAction = (problem: string | null) =>
  new CloudError("refused", `${label} could not do it: ${problem ?? "it gives no reason"}.`, { permanent: true });

const unknownAction = { state: "succeeded", problem: null } as const;

/** The methods of `CloudDriver` of the same names. */
export const operations = (
  api: JsonApi,
): Pick<CloudDriver, "powerOff" | "powerOn" | "resize" | "findAction" | "setDeleteProtection" | "ensureImage"> => ({
  powerOff: async (access, ref) => void (await act(api, access, { ref, action: "poweroff" })),
  powerOn: async (access, ref) => void (await act(api, access, { ref, action: "poweron" })),
  resize: async (access, ref, serverType) => {
    const server = await getServer(api)(access, ref);
    if (server.serverType === serverType) return null;
    return act(api, access, { ref, action: "change_type", body: { server_type: serverType, upgrade_disk: false } });
  },
  findAction: findAction(api),
  // The provider requires both protections to be equal.
  setDeleteProtection: async (access, ref, isProtected) => {
    const body = { delete: isProtected, rebuild: isProtected };
    const id = await act(api, access, { ref, action: "change_protection", body });
    // It takes a moment, and people rely on what the request answers.
    const connection = { access, options: api.caller.options };
    const ended = await findLater(connection, 5, async () => {
      const action = await findAction(api)(access, ref, id);
      return action?.state === "running" ? undefined : (action ?? unknownAction);
    });
    if (ended?.state === "failed") throw failedAction(ended.problem);
  },
  ensureImage: async (access, ref, { known = null, ...of }) => {
    checkRef(of);
    // Lists may lag behind.
    if (known !== null) {
      const found = await findResource(api, access, { kind: "image", id: known }, Type.Object({ image: Image }));
      return found ? imageState(found.image) : { id: known, isReady: false, isMissing: true };
    }
    const path = `${pathOf(ref)}/create_image`;
    const body = { type: "snapshot", description: of.key, labels: labelsOf(of) };
    const shape = Type.Object({ image: Image, action: Type.Optional(Type.Object({ id: Type.Integer() })) });
    return ensure<CloudImageState>(
      { access, options: api.caller.options },
      {
        find: async () => {
          const call = { path: "/images", query: { type: "snapshot", label_selector: selectorOf(of) } };
          const [image] = await listJson(api, access, { call, name: "images", item: Image, reading: "all" });
          return image && imageState(image);
        },
        make: async () => {
          const { image, action } = await callJson(api, access, { method: "POST", path, body }, shape);
          return { ...imageState(image), ...(action && { action: String(action.id) }) };
        },
        mayDouble: true,
      },
    );
  },
});

function imageState({ id, status }: Static<typeof Image>): CloudImageState {
  if (status !== "unavailable") return { id: String(id), isReady: status === "available" };
  throw new CloudError("refused", `${label} could not make the image.`, { permanent: true });
}
