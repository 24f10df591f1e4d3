import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Answer,
  type Arguments,
  type Client,
  createClient,
  type OperationName,
  type Reply,
} from "../../contract/client.ts";
import type { ErrorBody } from "../../contract/types.ts";
import { exitStatus, Failure, messageOf } from "./failure.ts";
import { visible } from "./output/text.ts";
import type { Chosen } from "./settings/choose.ts";
import { type Known, knownVersion, rememberVersion } from "./settings/versions.ts";
import { version } from "./version.ts";

/** How the audit log names this program. */
export const clientHeaders = { "X-Longshore-Client": `cli/longshore/${version}`, "User-Agent": `longshore/${version}` };

export const deviceName = (): string => hostname().slice(0, 60);

const requestMs = 120_000;
const mostWaitMs = 60_000;
/** The pauses before a request is repeated that did not reach the installation. */
const pausesMs = [500, 1_000, 2_000];

export interface Session {
  readonly url: string;
  readonly organization: number | undefined;
  /** What a successful answer holds. Any other answer throws a `Failure` with the sentences of the API. */
  call<Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Reply<Name>>;
  /** The same answer with its status, successful or not. Only a request without an answer throws. */
  answer<Name extends OperationName>(name: Name, ...input: Arguments<Name>): Promise<Answer<Name>>;
  /** Sends a request that the contract's client does not describe. Throws `NoAnswer` if there is none. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** The installation's version, at most a day old; undefined if it does not tell. */
  known(): Promise<Known | undefined>;
}

/** The request got no answer. */
export class NoAnswer extends Error {
  /** Whether it never left, so that nothing can have happened. */
  readonly wasSent: boolean;

  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = "NoAnswer";
    const { code } = (cause as { cause?: { code?: string } })?.cause ?? {};
    this.wasSent = !["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(code ?? "");
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  if ((error as Error)?.name === "TimeoutError") return "it did not answer in time";
  return messageOf(cause instanceof AggregateError ? (cause.errors[0] ?? error) : (cause ?? error));
}

export function openSession({
  url,
  token,
  organization,
}: Pick<Chosen, "url" | "organization"> & { token: string | undefined }): Session {
  const send: typeof fetch = async (target, init) => {
    const headers = { ...(init?.headers as Record<string, string>), ...clientHeaders };
    const signal = init?.signal ?? AbortSignal.timeout(requestMs);
    try {
      return await fetch(target, { ...init, headers, signal, redirect: "manual" });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw new NoAnswer(error);
    }
  };
  const client = createClient({
    url,
    fetch: send,
    ...(token === undefined ? {} : { token }),
    ...(organization === undefined ? {} : { organization }),
  });
  let known: Promise<Known | undefined> | undefined;
  const session: Session = {
    url,
    organization,
    known: () => {
      known ??= findVersion(url, client);
      return known;
    },
    answer: (name, ...input) => persistently(client, name, input),
    async call(name, ...input) {
      const missing = missingFeature(await session.known(), name, input[0]);
      if (missing) throw lacking(url, await session.known(), missing);
      let answered: Answer<typeof name>;
      try {
        answered = await session.answer(name, ...input);
      } catch (error) {
        throw error instanceof NoAnswer ? unreachable(url, name, error) : error;
      }
      if (answered.ok) return answered.body;
      throw refusal(answered.status, answered.body, url, answered.headers);
    },
    send: (path, init = {}) =>
      send(url + path, {
        ...init,
        headers: {
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(organization === undefined ? {} : { "X-Organization": String(organization) }),
          ...(init.headers as Record<string, string>),
        },
      }),
  };
  return session;
}

/** Makes a POST safe to repeat when its answer is lost. */
export const newKey = (): string => randomUUID();

/** Repeats what may be repeated: reads and requests with a key that got no answer, and what the rate limit or an outage held up. */
async function persistently<Name extends OperationName>(
  client: Client,
  name: Name,
  input: Arguments<Name>,
): Promise<Answer<Name>> {
  const isSafe =
    name.startsWith("GET ") || (input[0] as { idempotencyKey?: string } | undefined)?.idempotencyKey !== undefined;
  for (let attempt = 0; ; attempt++) {
    const pauseMs = pausesMs[attempt];
    try {
      const answer = await client(name, ...input);
      const { status, headers } = answer as { status: number; headers: Headers };
      const isHeldUp = status === 429 || ([502, 503, 504].includes(status) && isSafe);
      if (!isHeldUp || pauseMs === undefined) return answer;
      const waitMs = 1_000 * Number(headers.get("Retry-After") ?? pauseMs / 1_000);
      if (!(waitMs <= mostWaitMs)) return answer;
      await pause(waitMs);
    } catch (thrown) {
      // An answer that breaks off in its body is none.
      const error = thrown instanceof TypeError || thrown instanceof SyntaxError ? new NoAnswer(thrown) : thrown;
      if (!(error instanceof NoAnswer) || (!isSafe && error.wasSent) || pauseMs === undefined) throw error;
      await pause(pauseMs);
    }
  }
}

export function unreachable(url: string, name: string, error: NoAnswer): Failure {
  if (name.startsWith("GET ") || !error.wasSent) {
    return new Failure(exitStatus.failed, `${url} cannot be reached: ${error.message}`, { cause: error });
  }
  return new Failure(
    exitStatus.unknown,
    `The connection to ${url} broke before the answer (${error.message}). Whether the request was carried out is not known.`,
    { cause: error },
  );
}

const statuses: Record<number, Failure["status"]> = {
  401: exitStatus.notSignedIn,
  403: exitStatus.refused,
  404: exitStatus.notFound,
  409: exitStatus.refused,
  422: exitStatus.refused,
};

/** The sentences of the API, with the exit status that belongs to the answer. */
export function refusal(status: number, body: unknown, url: string, headers?: Headers): Failure {
  if (status >= 300 && status < 400) {
    const to = headers?.get("Location") ?? "another address";
    return new Failure(exitStatus.failed, `${url} redirects to ${visible(to)}. Use that address: longshore login`);
  }
  const { message, errors = {} } = (typeof body === "object" && body !== null ? body : {}) as Partial<ErrorBody>;
  const more = Object.entries(errors).map(([field, sentence]) => `  ${visible(field)}: ${visible(sentence)}`);
  const sentence = message === undefined ? `${url} answered with ${status}.` : visible(message);
  const hint = status === 401 ? ` Sign in again: longshore login ${url}` : "";
  return new Failure(
    statuses[status] ?? exitStatus.failed,
    [sentence + hint, ...(more.length > 1 ? more : [])].join("\n"),
  );
}

async function findVersion(url: string, client: Client): Promise<Known | undefined> {
  const cached = await knownVersion(url);
  if (cached) return cached;
  try {
    const answer = await client("GET /api/v1/version");
    if (!answer.ok) return undefined;
    const { version, features } = answer.body.data;
    const known = { version, features, checkedAt: Date.now() };
    await rememberVersion(url, known);
    return known;
  } catch {
    // The request itself reports that the installation cannot be reached.
    return undefined;
  }
}

const pages = ["page", "per_page", "before", "organization"];

/** The path or filter that a request needs and the installation does not have: a filter that it ignores would answer with everything. */
export function missingFeature(known: Known | undefined, name: string, input: unknown): string | undefined {
  if (!known) return undefined;
  const [method = "", path = ""] = name.split(" ");
  const feature = path.replace(/^\/api\/(?:v1\/)?/, "");
  const shapeOf = (text: string) => text.replace(/\{\w+\}/g, "{}");
  const features = new Set(known.features.map(shapeOf));
  if (!features.has(shapeOf(feature))) return feature;
  const { query = {} } = (input ?? {}) as { query?: Record<string, unknown> };
  const filters = Object.keys(query).filter((key) => query[key] !== undefined && !pages.includes(key));
  if (method !== "GET") return undefined;
  return filters.map((filter) => `${feature}?${filter}`).find((each) => !features.has(shapeOf(each)));
}

const lacking = (url: string, known: Known | undefined, feature: string): Failure =>
  new Failure(
    exitStatus.failed,
    `${url} runs Longshore ${known?.version ?? ""}, which does not have ${feature}. Version ${version} of Longshore has it.`,
  );
