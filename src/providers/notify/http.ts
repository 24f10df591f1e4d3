import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { addressIn, isPublicAddress } from "../../lib/addresses.ts";
import { checkedLookup, UnreachableHost } from "../../lib/checked-lookup.ts";
import { messageOf } from "../../lib/errors.ts";
import { retryAfterMs } from "../../lib/http-answers.ts";
import { unansweredReason } from "../../lib/unanswered.ts";
import { attemptTimeoutMs } from "./channel.ts";
import type { Outcome } from "./message.ts";
import { firstLine } from "./text.ts";

export interface Post {
  url: string;
  headers?: Record<string, string>;
  body: string;
}

export interface PostOptions {
  /** Whether connections to an address are allowed. */
  mayReach: (address: string) => boolean;
  signal: AbortSignal;
  timeoutMs?: number;
}

export interface HttpAnswer {
  status: number;
  /** The wait requested by Retry-After. */
  retryAfterMs: number | undefined;
  /** The beginning of the body. */
  text: string;
}

/** Public addresses, and those that the operator additionally allows. */
export function reachOf(allowedNetworks: readonly string[]): (address: string) => boolean {
  const isAllowed = addressIn(allowedNetworks);
  return (address) => isPublicAddress(address) || isAllowed(address);
}

/**
 * Posts JSON and returns the outcome: `judge` interprets an answer. Redirects are not followed, and the connection goes
 * to exactly the address that was checked. A missing answer is an outcome too.
 */
export async function deliver(
  post: Post,
  options: PostOptions,
  judge: (answer: HttpAnswer) => Outcome,
): Promise<Outcome> {
  try {
    return judge(await send(post, options));
  } catch (error) {
    return { isDelivered: false, error: reasonOf(error, new URL(post.url)), isPermanent: false };
  }
}

/** 2xx means delivered. Each service interprets the rest of an answer. */
export function plainJudge(answer: HttpAnswer, isPermanent: (status: number) => boolean): Outcome {
  const line = firstLine(answer.text);
  if (answer.status >= 200 && answer.status < 300) {
    return { isDelivered: true, answer: `${answer.status} ${line}`.trim() };
  }
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const reason = isRedirect ? ": redirects are not followed." : line ? `: ${line}` : ".";
  return {
    isDelivered: false,
    error: `The other side answered ${answer.status}${reason}`,
    isPermanent: isPermanent(answer.status),
    retryAfterMs: answer.retryAfterMs,
  };
}

/** For a service with a contract: a refusal repeats, except for too many requests. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![408, 425, 429].includes(status);

const maxAnswerBytes = 16_384;

async function send(post: Post, { mayReach, signal, timeoutMs = attemptTimeoutMs }: PostOptions): Promise<HttpAnswer> {
  const url = new URL(post.url);
  const literal = url.hostname.replace(/^\[|\]$/g, "");
  // A connection to a literal address makes no lookup, so it would not be checked.
  if (isIP(literal) !== 0 && !mayReach(literal)) throw notAllowed(literal);
  const options = {
    method: "POST",
    agent: false,
    lookup: checkedLookup(mayReach, notAllowed),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: {
      "User-Agent": "Longshore",
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(post.body)),
      ...post.headers,
    },
  } as const;
  const request = url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
  request.end(post.body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve);
    // Stays attached, so that a failure after the answer affects only this request.
    request.on("error", reject);
  });
  const text = await beginningOf(response);
  const waitMs = retryAfterMs(response.headers["retry-after"], Date.now());
  return { status: response.statusCode ?? 0, retryAfterMs: waitMs, text };
}

/** As much of the answer as is useful. An answer that breaks off counts up to that point: it has a status. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxAnswerBytes) break;
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString("utf8");
}

// Names ----------------------------------------------------------------------------------------------------------------------

const notAllowed = (host: string): Error => new UnreachableHost(outOfReach(host));

const outOfReach = (host: string): string =>
  `${host} is at a private or reserved address, which notifications do not reach. The operator can allow it with LONGSHORE_NOTIFY_ALLOW.`;

/** Why the target of a channel can never be reached, judged by its text; the addresses of a name are checked at each delivery. */
export function unreachableTarget(target: string | undefined, allowedNetworks: readonly string[]): string | undefined {
  if (target === undefined || !/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const host = new URL(target).hostname.replace(/^\[|\]$/g, "");
  const address = /^(?:.+\.)?localhost$/.test(host) ? "127.0.0.1" : host;
  return isIP(address) === 0 || reachOf(allowedNetworks)(address) ? undefined : outOfReach(host);
}

// Reasons --------------------------------------------------------------------------------------------------------------------

/** Why there was no answer, in a sentence without path or query of the address. */
function reasonOf(error: unknown, { host }: URL): string {
  if (error instanceof UnreachableHost) return error.message;
  const reason = unansweredReason(error);
  if (reason) return `${host} ${reason}.`;
  const code = codeOf(error);
  return `${host} could not be reached: ${firstLine(code && !code.startsWith("HPE_") ? messageOf(error) : "the answer is not HTTP")}.`;
}

/** Of several parallel attempts, one for each address, the first error is enough. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  if (errors?.[0] !== undefined) return codeOf(errors[0]);
  return typeof code === "string" ? code : "";
}
