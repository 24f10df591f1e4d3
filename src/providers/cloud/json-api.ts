import { type Static, type TSchema, Type } from "typebox";
import { type Caller, listPages, readJson, readShape, send } from "./call.ts";
import type { CallLimit, CloudAccess } from "./driver.ts";

/** A provider whose API is JSON over paths, with a bearer token. */
export interface JsonApi {
  caller: Caller;
  root: string;
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

/** How a provider splits its lists into numbered pages. */
export interface Paging<Schema extends TSchema> {
  perPage: number;
  /** Shape of each page's fields besides its items. */
  schema: Schema;
  hasNext: (page: Static<Schema>) => boolean;
}

/** All items of a list, which each page holds under `name`. */
export function listJson<Item extends TSchema, Page extends TSchema>(
  api: JsonApi,
  access: CloudAccess,
  { call, name, item, paging }: { call: JsonCall; name: string; item: Item; paging: Paging<Page> },
): Promise<Static<Item>[]> {
  const { label } = api.caller;
  const schema = Type.Object({ [name]: Type.Array(item) });
  return listPages<Static<Item>, number>(label, async (page = 1) => {
    const query = { ...call.query, per_page: paging.perPage, page };
    const answer = await callJson(api, access, { ...call, query }, Type.Unknown());
    const items = (readShape(label, schema, answer) as Record<string, Static<Item>[]>)[name] ?? [];
    return { items, next: paging.hasNext(readShape(label, paging.schema, answer)) ? page + 1 : undefined };
  });
}
