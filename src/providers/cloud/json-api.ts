import { type Static, type TSchema, Type } from "typebox";
import { type Caller, listPages, type Reading, readItems, readJson, readShape, send } from "./call.ts";
import type { CallLimit, CloudAccess, CloudResource, ResourceKind } from "./driver.ts";
import { whenExists } from "./refusals.ts";
import type { Remover } from "./removal.ts";

/** A provider whose API is JSON over paths, with a bearer token. */
export interface JsonApi {
  caller: Caller;
  root: string;
  /** How it splits its lists into numbered pages. `hasNext` throws CloudError for a page of another form. */
  paging: { perPage: number; hasNext: (page: unknown) => boolean };
  /** The paths of the lists of resources; that of a resource ends with its id. */
  paths: Record<ResourceKind, string>;
}

export interface JsonCall {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the root; begins with a slash. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Default: all but POST. */
  isRepeatable?: boolean;
  limits?: readonly CallLimit[];
}

/** Sends a call and reads its answer. Throws CloudError. */
export async function callJson<Schema extends TSchema>(
  api: JsonApi,
  access: CloudAccess,
  call: JsonCall,
  schema: Schema,
): Promise<Static<Schema>> {
  return readJson(api.caller.label, schema, await sendJson(api, access, call));
}

/** Sends a call whose answer has no relevant content. Returns its text. */
export async function sendJson({ caller, root }: JsonApi, access: CloudAccess, call: JsonCall): Promise<string> {
  const { method = "GET", isRepeatable = method !== "POST", query = {} } = call;
  const url = new URL(`${root}${call.path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  const headers = {
    accept: "application/json",
    "user-agent": "Longshore",
    authorization: `Bearer ${access.credentials.token}`,
    ...(call.body === undefined ? {} : { "content-type": "application/json" }),
  };
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  const answer = await send(caller, access, {
    request: () => new Request(url, { method, headers, body }),
    isRepeatable,
    ...(call.limits === undefined ? {} : { limits: call.limits }),
  });
  return answer.text;
}

/** All items of a list, which each page holds under `name`. Entries of another form are left out, as `reading` allows. */
export async function listJson<Item extends TSchema>(
  api: JsonApi,
  access: CloudAccess,
  { call, name, item, reading = "any" }: { call: JsonCall; name: string; item: Item; reading?: Reading },
): Promise<Static<Item>[]> {
  const { caller, paging } = api;
  const schema = Type.Object({ [name]: Type.Array(Type.Unknown()) });
  const values = await listPages<unknown, number>(caller.label, async (page = 1) => {
    const query = { ...call.query, per_page: paging.perPage, page };
    const answer = await callJson(api, access, { ...call, query }, Type.Unknown());
    const items = (readShape(caller.label, schema, answer) as Record<string, unknown[]>)[name] ?? [];
    return { items, next: paging.hasNext(answer) ? page + 1 : undefined };
  });
  return readItems(caller.label, access, { list: name, item, values, reading });
}

type ResourceRef = Pick<CloudResource, "kind" | "id">;

const pathOf = ({ paths }: JsonApi, { kind, id }: ResourceRef): string => `${paths[kind]}/${encodeURIComponent(id)}`;

/** One resource; undefined when it does not exist. */
export const findResource = <Schema extends TSchema>(
  api: JsonApi,
  access: CloudAccess,
  resource: ResourceRef,
  schema: Schema,
): Promise<Static<Schema> | undefined> => whenExists(callJson(api, access, { path: pathOf(api, resource) }, schema));

/** Removes a resource; does nothing when it is gone. */
export async function removeResource(api: JsonApi, access: CloudAccess, resource: ResourceRef): Promise<void> {
  await whenExists(sendJson(api, access, { method: "DELETE", path: pathOf(api, resource) }));
}

/** A remover, with the provider's own list of an order's resources. */
export const jsonRemover = (api: JsonApi, own: Pick<Remover, "listOrdered" | "tidy">): Remover => ({
  ...own,
  options: api.caller.options,
  remove: (access, resource) => removeResource(api, access, resource),
  exists: async (access, resource) => (await findResource(api, access, resource, Type.Object({}))) !== undefined,
});
