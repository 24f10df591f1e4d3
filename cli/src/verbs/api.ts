import { readFile } from "node:fs/promises";
import { exitStatus, Failure, usage } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { chosenFields, printJson } from "../output/lists.ts";
import { visible } from "../output/text.ts";
import { NoAnswer, refusal, type Session, unreachable } from "../session.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const longestBody = 1024 * 1024;
const mostPages = 10_000;

interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string | undefined;
}

/** Sends any request of the API; the result is its answer. */
export async function callApi(invocation: Invocation): Promise<number> {
  const { terminal, json } = invocation;
  const session = await invocation.session();
  const request = await requestOf(invocation);
  const answer = invocation.isSet("paginate") ? await allPages(session, request) : await ask(session, request);
  if (answer instanceof Uint8Array) process.stdout.write(answer);
  else if (typeof answer === "object" && answer !== null)
    printJson(terminal, json ? chosenFields(terminal, answer, json) : answer);
  return exitStatus.done;
}

async function requestOf(invocation: Invocation): Promise<Request> {
  const [methodGiven = "", pathGiven = ""] = invocation.args;
  const method = methodGiven.toUpperCase();
  if (!methods.includes(method))
    throw usage(`There is no method ${visible(methodGiven)}. There are: ${methods.join(", ")}`);
  const [pathname = "", search = ""] = pathGiven.split("?", 2);
  const query = new URLSearchParams(search);
  const fields = fieldsOf(invocation.list("field"));
  const input = invocation.text("input");
  if (method === "GET") for (const [name, value] of Object.entries(fields)) query.set(name, String(value));
  const path = pathOf(pathname);
  if (input !== undefined) return { method, path, query, body: await inputOf(invocation, input) };
  const hasBody = method !== "GET" && (method !== "DELETE" || Object.keys(fields).length > 0);
  return { method, path, query, body: hasBody ? JSON.stringify(fields) : undefined };
}

/** `projects`, `/projects` and `/api/v1/projects` are the same. It stays at the installation. */
function pathOf(given: string): string {
  const path = given.startsWith("/api/") ? given : `/api/v1/${given.replace(/^\/+/, "")}`;
  if (!/^[\w\-./~%:@{}]+$/.test(path) || path.includes("//"))
    throw usage(`${visible(given)} is not a path of the API.`);
  return path;
}

async function inputOf({ terminal }: Invocation, file: string): Promise<string> {
  if (file === "-") return terminal.input(longestBody);
  return readFile(file, "utf8").catch((error: Error) => {
    throw usage(`${visible(file)} cannot be read: ${error.message}`);
  });
}

/** `name=value`: a value that is JSON counts as that, any other as text; `a.b=1` is a field in a field, `list[]=1` an item of a list. */
export function fieldsOf(given: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const field of given) {
    const at = field.indexOf("=");
    if (at <= 0) throw usage(`A field is name=value, and not ${visible(field)}.`);
    setField(fields, field.slice(0, at).split("."), valueIn(field.slice(at + 1)));
  }
  return { ...fields };
}

/** Prints the answer to a change of such fields. A name that the API does not know was ignored, which is a failure. */
export function reportChange({ terminal, json }: Invocation, answer: { message: string; warnings?: string[] }): number {
  if (json) printJson(terminal, answer);
  else terminal.note(visible(answer.message));
  const { warnings = [] } = answer;
  for (const warning of warnings) terminal.note(visible(warning));
  return warnings.length === 0 ? exitStatus.done : exitStatus.failed;
}

function setField(fields: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  const own = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (rest.length > 0) {
    const inner = typeof own === "object" && own !== null ? (own as Record<string, unknown>) : {};
    setField(inner, rest, value);
    define(fields, key, inner);
  } else if (key.endsWith("[]")) {
    const list = fields[key.slice(0, -2)];
    define(fields, key.slice(0, -2), [...(Array.isArray(list) ? list : []), value]);
  } else define(fields, key, value);
}

const define = (fields: object, key: string, value: unknown): void =>
  void Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true });

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function ask(session: Session, { method, path, query, body }: Request): Promise<unknown> {
  const search = query.size > 0 ? `?${query}` : "";
  let response: Response;
  try {
    response = await session.send(path + search, {
      method,
      headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    throw error instanceof NoAnswer ? unreachable(session.url, `${method} ${path}`, error) : error;
  }
  const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
  const content = isJson ? await response.json() : new Uint8Array(await response.arrayBuffer());
  if (response.ok) return content;
  throw refusal(response.status, content, session.url, response.headers);
}

interface Page {
  data?: unknown;
  current_page?: number;
  total_pages?: number;
  next_before?: number | null;
  next_cursor?: string | null;
}

/** The items of all pages in one answer. */
async function allPages(session: Session, request: Request): Promise<object> {
  const data: unknown[] = [];
  for (let pages = 0; pages < mostPages; pages++) {
    const page = (await ask(session, request)) as Page;
    if (!Array.isArray(page.data)) throw usage(`${request.path} has no pages.`);
    data.push(...page.data);
    const next = nextOf(page);
    if (!next) return { data };
    request.query.set(...next);
  }
  throw new Failure(exitStatus.failed, `${request.path} has more than ${mostPages} pages.`);
}

function nextOf({
  current_page: page,
  total_pages: pages,
  next_before: before,
  next_cursor: cursor,
}: Page): [string, string] | undefined {
  if (page !== undefined && pages !== undefined) return page < pages ? ["page", String(page + 1)] : undefined;
  if (before !== undefined && before !== null) return ["before", String(before)];
  return cursor === undefined || cursor === null ? undefined : ["cursor", cursor];
}
