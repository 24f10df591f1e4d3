import type { OperationName, Reply } from "../../contract/client.ts";
import openApi from "../../contract/openapi.json?raw";
import type { AllowedHere, ErrorBody } from "../../contract/types.ts";

// Stands in for the API in stories of pages. What a story does not name is answered with the example of the API's document.

type Read = Extract<OperationName, `GET ${string}`>;

interface Asked {
  params: Record<string, string>;
  query: URLSearchParams;
}

/** By operation what it answers. A function may leave a request to others, by returning undefined. */
export type Answers = { [Name in Read]?: Reply<Name> | ((asked: Asked) => Reply<Name> | undefined) };

/** What happens to the reads of a page: all are answered, none is, or all are refused. */
export type Mode = "answered" | "pending" | "refused";

type Examples = Record<
  string,
  { get?: { responses: Record<string, { content?: Record<string, { example?: unknown }> }> } }
>;
const { paths } = JSON.parse(openApi) as { paths: Examples };

/** The answer in the API's document, to be varied. */
export const example = <Name extends Read>(name: Name): Reply<Name> =>
  paths[name.slice("GET ".length)]?.get?.responses[200]?.content?.["application/json"]?.example as Reply<Name>;

/** The only record of a list's example. */
export const exampleOf = <Name extends Read>(name: Name): Reply<Name> extends { data: (infer Item)[] } ? Item : never =>
  (example(name) as { data: never[] }).data[0] as never;

/** A page of a list with these records. */
export const listed = <Item>(data: Item[]) => ({
  data,
  current_page: 1,
  per_page: 100,
  total_pages: 1,
  total_items: data.length,
});

/** For `empty`: these lists without their items. */
export const withoutItems = (...names: Read[]): Answers =>
  Object.fromEntries(
    names.map((name) => [name, { ...(example(name) as object), data: [], total_items: 0, next_before: null }]),
  );

/** An example whose actions nothing refuses. */
export function allowed<Name extends Read>(name: Name): Reply<Name> {
  const reply = example(name) as { data: Record<string, { operation: string }> };
  const free = { is_allowed: true, reason: null, status: null, message: null };
  const data = Object.fromEntries(Object.entries(reply.data).map(([verb, action]) => [verb, { ...action, ...free }]));
  return { ...reply, data } as Reply<Name>;
}

const permissions: AllowedHere["permissions"] = [
  ...(["project:read", "project:create", "project:update", "project:delete", "deployment:create"] as const),
  ...(["server:read", "server:create", "server:update", "server:delete", "server:transfer"] as const),
  ...(["monitor:read", "monitor:manage", "organization:read", "organization:manage"] as const),
];

/** The account: of Alice, who owns the organization, or of a member with less. */
export function account(more: Partial<AllowedHere> = {}): Reply<"GET /api/v1/me"> {
  const reply = example("GET /api/v1/me");
  const organization = { ...(reply.data.organization as AllowedHere), permissions, ...more };
  return { ...reply, data: { ...reply.data, organization } };
}

/** The project, or the server, whose tab a page is. */
export const ofProject: Answers = {
  "GET /api/v1/projects/{id}": example("GET /api/v1/projects/{id}"),
  "GET /api/v1/projects/{id}/actions": allowed("GET /api/v1/projects/{id}/actions"),
};
export const ofServer: Answers = {
  "GET /api/v1/servers/{id}": example("GET /api/v1/servers/{id}"),
  "GET /api/v1/servers/{id}/actions": allowed("GET /api/v1/servers/{id}/actions"),
};

/** What the shell around a page reads. */
const ofShell: Answers = {
  "GET /api/v1/me": account(),
  "GET /api/v1/projects": ({ query }) =>
    query.has("pinned") ? listed([exampleOf("GET /api/v1/projects")]) : undefined,
  "GET /api/v1/me/preferences": example("GET /api/v1/me/preferences"),
};

/** How many requests came so far. */
let count = 0;
export const requestCount = (): number => count;

/** Replaces the page's fetch. `always` is answered in every mode, as what the shell reads is. */
export function standIn({ always, answers, mode }: { always: Answers; answers: Answers; mode: Mode }): void {
  // Without workers, pages follow the events themselves.
  Reflect.deleteProperty(window, "SharedWorker");
  window.fetch = async (input, init) => {
    count += 1;
    const url = new URL(String(input), location.origin);
    if (isStream(url)) return openStream();
    if (init?.method !== "GET") return neverAnswer(init?.signal);
    const known = find(always, url) ?? find(ofShell, url);
    if (known !== undefined) return Response.json(known);
    if (mode === "pending") return neverAnswer(init.signal);
    if (mode === "refused")
      return Response.json(refusal, { status: 503, headers: { "X-Request-Id": "req_01hq4x7v9k" } });
    const answer = find(answers, url) ?? find(examples, url);
    if (answer !== undefined) return Response.json(answer);
    // Tests of stories fail for it.
    console.error(`No answer to GET ${url.pathname}`);
    return Response.json(refusal, { status: 404 });
  };
}

const refusal: ErrorBody = { status: "error", message: "The database does not answer." };

const isStream = ({ pathname }: URL): boolean => pathname === "/api/v1/events" || pathname.endsWith("/stream");

/** Connected, and silent. */
const openStream = (): Response => new Response(new ReadableStream());

const neverAnswer = (signal?: AbortSignal | null): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));

const examples: Answers = Object.fromEntries(
  Object.keys(paths).map((path) => [`GET ${path}`, example(`GET ${path}` as Read)] as const),
);

/** What answers the operation of an address. */
function find(answers: Answers, url: URL): unknown {
  const { name, params } = operationOf(url);
  const answer = answers[name as Read] as unknown;
  if (typeof answer !== "function") return answer;
  return (answer as (asked: Asked) => unknown)({ params, query: url.searchParams });
}

/** The operation whose path fits best: of `/monitors/{id}` and `/monitors/options` the one with the fewest parameters. */
function operationOf({ pathname }: URL): { name?: string; params: Record<string, string> } {
  const fitting = Object.keys(examples)
    .map((name) => ({ name, params: paramsIn(name.slice("GET ".length), pathname) }))
    .filter((each): each is { name: string; params: Record<string, string> } => each.params !== undefined)
    .sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  return fitting[0] ?? { params: {} };
}

function paramsIn(template: string, pathname: string): Record<string, string> | undefined {
  const [names, parts] = [template.split("/"), pathname.split("/")];
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? "";
    if (name.startsWith("{")) params[name.slice(1, -1)] = decodeURIComponent(part);
    else if (name !== part) return undefined;
  }
  return params;
}
