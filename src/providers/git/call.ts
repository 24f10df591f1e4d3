import { AppError, type AppErrorOptions, type ErrorCode, messageOf } from "../../lib/errors.ts";
import { listOf, objectOf, textOf } from "../../lib/foreign.ts";
import { readText, retryAfterMs } from "../../lib/http-answers.ts";
import { unreachableSentence } from "../../lib/unanswered.ts";
import type { HostPage, PageAsked } from "./git-host.ts";

/** A host for calls: its name for sentences, and the parts of every request. */
export interface Caller {
  label: string;
  apiUrl: string;
  headers: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface HostRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the root of the API; begins with a slash. Its parts are already encoded. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** The answer is a file: its body is a text, also when it could be read as JSON. */
  isFile?: boolean;
}

export interface HostAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON from a foreign host; read it with the functions below. */
  body: unknown;
}

/** A host's answer other than a success. */
export class HostError extends AppError {
  /** The status of the answer. */
  readonly answered: number;

  constructor(
    code: ErrorCode,
    message: string,
    { answered, waitSeconds = 0, ...options }: AppErrorOptions & { answered: number; waitSeconds?: number },
  ) {
    const wait = { retryAfterMs: waitSeconds * 1_000, headers: { "Retry-After": String(waitSeconds) } };
    super(code, message, { ...options, ...(waitSeconds > 0 && wait) });
    this.answered = answered;
  }
}

const timeoutMs = 15_000;
const largestAnswer = 8 * 1024 * 1024;
const redirectsFollowed = 3;

/**
 * Sends one request. Resolves with answers that the caller has to interpret (2xx, 4xx); throws AppError for a refused token,
 * a limit, a failure of the host, and an unreachable host.
 */
export async function callHost(caller: Caller, request: HostRequest): Promise<HostAnswer> {
  const answer = await send(caller, request);
  const { status } = answer;
  if (status === 401) {
    const sentence = `${caller.label} refused the token: it is wrong, has expired, or was revoked.`;
    throw new HostError("refused", sentence, { permanent: true, answered: 401 });
  }
  if (status === 429 || isLimit(answer)) {
    const askedMs = retryAfterMs(answer.headers.get("retry-after"), Date.now());
    const waitSeconds = askedMs ? Math.min(Math.ceil(askedMs / 1_000), 3_600) : 60;
    const sentence = `${caller.label} asks to wait: too many requests were made with this token.`;
    throw new HostError("unavailable", sentence, { answered: status, waitSeconds });
  }
  if (status >= 500) {
    throw new HostError("unavailable", `${caller.label} answered with an error (${status}).`, { answered: status });
  }
  return answer;
}

/** The same, for answers that have to be a success: `what` names the object of the request in the error sentence. */
export async function mustCall(caller: Caller, request: HostRequest, what: string): Promise<HostAnswer> {
  const answer = await callHost(caller, request);
  if (answer.status < 300) return answer;
  throw refusal(caller, answer, what);
}

/** The same, for what may be missing: undefined then. */
export async function mayFind(caller: Caller, request: HostRequest, what: string): Promise<HostAnswer | undefined> {
  const answer = await callHost(caller, request);
  if (answer.status < 300) return answer;
  if (answer.status === 404) return undefined;
  throw refusal(caller, answer, what);
}

/** Removes the resource at the path; does nothing when it is gone. */
export async function mustRemove(caller: Caller, path: string): Promise<void> {
  const answer = await callHost(caller, { method: "DELETE", path });
  if (answer.status >= 300 && answer.status !== 404) throw refusal(caller, answer, "the removal");
}

/** An answer outside of 2xx as a sentence. */
export function refusal({ label }: Pick<Caller, "label">, { status, body }: HostAnswer, what: string): AppError {
  const hostMessage = messageIn(body);
  const reason = hostMessage ? ` ${label} answered: ${hostMessage}` : "";
  const sentences: Record<number, string> = {
    403: `The token may not do this at ${label}: ${what}.${reason}`,
    404: `${label} did not find ${what}, or the token may not see or change it.`,
  };
  const sentence = sentences[status] ?? `${label} refused ${what} (${status}).${reason}`;
  return new HostError("refused", sentence, { permanent: true, answered: status });
}

async function send(caller: Caller, request: HostRequest): Promise<HostAnswer> {
  const { method = "GET", path, query = {}, body } = request;
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  let url = `${caller.apiUrl}${path}${search && (path.includes("?") ? "&" : "?")}${search}`;
  for (let redirects = 0; ; redirects += 1) {
    const response = await reach(caller, url, { method, body });
    const next = method === "GET" && redirects < redirectsFollowed ? redirectOf(response, url) : undefined;
    if (next === undefined) {
      const readBody = request.isFile && response.ok ? readFileText : read;
      return { status: response.status, headers: response.headers, body: await readBody(caller, response) };
    }
    await response.body?.cancel();
    url = next;
  }
}

async function reach(
  caller: Caller,
  url: string,
  { method, body }: { method: string; body: unknown },
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(url, {
      method,
      redirect: "manual",
      signal: caller.signal ? AbortSignal.any([caller.signal, timeout]) : timeout,
      headers: {
        accept: "application/json",
        "user-agent": "Longshore",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...caller.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new AppError("unavailable", unreachableSentence(caller.label, timeout.aborted ? timeout.reason : cause), {
      cause,
    });
  }
}

// A renamed repository redirects to its present address. The token is not sent to another host.
function redirectOf(response: Response, from: string): string | undefined {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status >= 400 || location === null || !URL.canParse(location, from)) return;
  const target = new URL(location, from);
  return target.origin === new URL(from).origin ? target.href : undefined;
}

const readFileText = ({ label }: Caller, response: Response): Promise<string> =>
  readText(response.body, largestAnswer).catch((cause: unknown) => {
    throw new AppError("unavailable", `${label} could not be read: ${messageOf(cause)}.`, { cause });
  });

async function read(caller: Caller, response: Response): Promise<unknown> {
  const text = await readFileText(caller, response);
  try {
    return JSON.parse(text);
  } catch {
    // Limits and proxies answer in plain text.
    return text;
  }
}

// GitHub's limits are 403s: the headers show a limit on requests per hour, the message a limit on fast changes.
const isLimit = ({ status, headers, body }: HostAnswer): boolean =>
  status === 403 &&
  (headers.has("retry-after") ||
    headers.get("x-ratelimit-remaining") === "0" ||
    /secondary rate limit/i.test(typeof body === "string" ? body : messageIn(body)));

// Hosts put their message under `message`, `error`, or `error.message`, also as lists by field.
function messageIn(body: unknown): string {
  const words = wordsIn(objectOf(body).message) || wordsIn(objectOf(body).error);
  const details = listOf(objectOf(body).errors)
    .map((each) => textOf(objectOf(each).message))
    .filter(Boolean);
  return [words, ...details].filter(Boolean).join("; ").replace(/\s+/g, " ").slice(0, 300);
}

/** Hosts nest their words in a few lists and objects; what is deeper would only exhaust the stack. */
function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 10) return "";
  const inner = "message" in value ? [value.message] : Object.values(value);
  return inner
    .map((each) => wordsIn(each, depth + 1))
    .filter(Boolean)
    .join(", ");
}

// Reading foreign answers ---------------------------------------------------------------------------------------------------

/** `owner/name` with each part encoded. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Whether a Link header names a page after this one. */
export const hasNextLink = (headers: Headers): boolean => /rel="?next"?/.test(headers.get("link") ?? "");

export interface ListRequest {
  path: string;
  query?: Record<string, string>;
  /** Names the list in the error sentence. */
  what: string;
}

export interface PageReader<Item> {
  page: PageAsked;
  read: (item: unknown) => Item;
  /** Default: by the Link header. */
  hasNext?: (headers: Headers) => boolean;
}

/** A part of a list with numbered pages. The headers show whether another page follows. */
export async function listByNumber<Item>(
  caller: Caller,
  { path, query, what }: ListRequest,
  { page: { cursor, perPage }, read, hasNext = hasNextLink }: PageReader<Item>,
): Promise<HostPage<Item>> {
  // Page numbers as cursors. Any value but a number starts at the first page.
  const page = cursor !== undefined && /^[1-9]\d{0,6}$/.test(cursor) ? Number(cursor) : 1;
  const { body, headers } = await mustCall(caller, { path, query: { ...query, per_page: perPage, page } }, what);
  return { items: listOf(body).map(read), next: hasNext(headers) ? String(page + 1) : null };
}

const mostScanned = 10;

/**
 * A page of the items that are wanted, of a list that the host cannot search: reads pages of it until there are enough, at most ten.
 * The cursor is that of the page to read, after the number of its wanted items that were shown.
 */
export async function scanPages<Item>(
  read: (page: PageAsked) => Promise<HostPage<Item>>,
  isWanted: (item: Item) => boolean,
  { cursor, perPage }: PageAsked,
): Promise<HostPage<Item>> {
  const [, skip = "0", start = ""] = /^(\d{1,3}):(.*)$/s.exec(cursor ?? "") ?? [];
  const items: Item[] = [];
  let at = start || undefined;
  let shown = Number(skip);
  for (let pages = 0; pages < mostScanned && items.length < perPage; pages++) {
    const page = await read({ cursor: at, perPage: 100 });
    const left = page.items.filter(isWanted).slice(shown);
    const room = perPage - items.length;
    items.push(...left.slice(0, room));
    if (left.length > room) return { items, next: `${shown + room}:${at ?? ""}` };
    if (page.next === null) return { items, next: null };
    [at, shown] = [page.next, 0];
  }
  return { items, next: `0:${at ?? ""}` };
}

/** A page of a list that the host cannot search: of all items, or of those whose name contains the text. */
export const searched = <Item>(
  page: PageAsked,
  nameIn: (item: Item) => string,
  read: (page: PageAsked) => Promise<HostPage<Item>>,
): Promise<HostPage<Item>> => {
  if (page.text === undefined) return read(page);
  const isWanted = containing(page.text);
  return scanPages(read, (item) => isWanted(nameIn(item)), page);
};

/** That a name contains a text, in any case. */
export const containing =
  (text: string) =>
  (name: string): boolean =>
    name.toLowerCase().includes(text.toLowerCase());

/** Reads every item of a host's list, page by page, until `found` matches one. */
export async function findInPages<Item, Found>(
  page: (cursor: string | undefined) => Promise<{ items: Item[]; next: string | null }>,
  found: (item: Item) => Found | undefined,
): Promise<Found | undefined> {
  let cursor: string | undefined;
  for (let pages = 0; pages < 50; pages += 1) {
    const { items, next } = await page(cursor);
    for (const item of items) {
      const hit = found(item);
      if (hit !== undefined) return hit;
    }
    if (next === null) return undefined;
    cursor = next;
  }
  return undefined;
}
