import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { listOf } from "./header-lists.ts";

// Pages that are the same for all readers: compressed when they are made, and not again for each request.

export interface Page {
  type: string;
  policy: string;
  headers: Record<string, string>;
  tag: string;
  bodies: Record<Encoding, Buffer>;
}

/** The best first. */
const encodings = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof encodings)[number];

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);

export interface PageOptions {
  type: string;
  /** Its Content-Security-Policy. */
  policy: string;
  /** Others, also in place of the usual ones. */
  headers?: Record<string, string>;
  /** Of brotli: 4 costs as much as gzip, 11 some seconds for a megabyte. */
  quality?: number;
}

export async function makePage(text: string, { type, policy, headers = {}, quality = 4 }: PageOptions): Promise<Page> {
  const identity = Buffer.from(text);
  const tag = `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  const [br, gz] = await Promise.all([
    brotli(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
    }),
    gzipped(identity),
  ]);
  return { type, policy, headers, tag, bodies: { br, gzip: gz, identity } };
}

/** Sends it in the encoding that the client accepts, or 304 to one that has it. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, cacheControl: string): FastifyReply {
  reply
    .type(page.type)
    .header("Content-Security-Policy", page.policy)
    .header("Referrer-Policy", "no-referrer")
    .header("Cache-Control", cacheControl)
    .header("Vary", "Accept-Encoding")
    .header("ETag", page.tag)
    .headers(page.headers);
  const { "if-none-match": known, "accept-encoding": accepted } = request.headers;
  if (known !== undefined && hasTag(known, page.tag)) return reply.code(304).send();
  const encoding = encodingFor(accepted?.toString());
  if (encoding !== "identity") reply.header("Content-Encoding", encoding);
  return reply.send(page.bodies[encoding]);
}

/** Whether `If-None-Match` names the tag. */
export const hasTag = (known: string, tag: string): boolean =>
  known.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === tag.replace(/^W\//, ""));

/** The encoding of a body for a client that sends this `Accept-Encoding` (RFC 9110, 12.5.3), of those that there are, the best first. */
export function encodingFor(accepted = "", available: readonly Encoding[] = encodings): Encoding {
  const weights = listOf(accepted);
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? (encoding === "identity" ? 0.0001 : (weights.get("*") ?? 0));
  const [best = "identity"] = available.toSorted((one, other) => weightOf(other) - weightOf(one));
  return weightOf(best) > 0 ? best : "identity";
}
