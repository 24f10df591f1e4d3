import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { listOf, objectOf, textOf } from "./call.ts";

// What git hosts send to webhooks, in words that are the same for all of them.

/** One delivery as it came. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAt: Date;
}

/** Whether a delivery proves that it was made by a sender that has the secret. */
export type Proof = "valid" | "missing" | "wrong";

/** A branch that moved. */
export interface Push {
  branch: string;
  /** The commit that the branch pointed to; null: it is new, or that is not reported. */
  before: string | null;
  /** The commit that it points to now; null: it was deleted. */
  after: string | null;
  author: string | null;
  message: string | null;
  /** When the host took the push, where it reports that. */
  pushedAt: Date | null;
}

/** The content of a delivery: the branches that moved, or what else it is about, in the host's own word. */
export type Received = { pushes: Push[] } | { other: string };

export interface WebhookDialect {
  verify(delivery: Delivery, secret: string): Proof;
  /**
   * What distinguishes a repeated delivery from a new one: any text that it shares with its repetitions. Several where a part of it
   * is not covered by the signature and could be changed by a sender that repeats it.
   */
  identitiesOf(delivery: Delivery): string[];
  /** Whether that names the delivery. Where it names what was pushed, a branch that goes back and forth repeats it rightly. */
  namesDeliveries: boolean;
  /** Called for verified deliveries only. Throws SyntaxError for a body that cannot be read. */
  read(delivery: Delivery): Received;
}

export function headerOf({ headers }: Pick<Delivery, "headers">, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The host's ids of a delivery; empty where it sent none. */
export const idIn = (delivery: Delivery, ...names: string[]): string[] => {
  const id = names.map((name) => headerOf(delivery, name)).find((value) => value !== undefined);
  return id === undefined ? [] : [`id ${id.slice(0, 200)}`];
};

export const contentOf = ({ body }: Delivery): string => `content ${createHash("sha256").update(body).digest("hex")}`;

/** `sha256=<hex>` over the bytes of the body. */
export function verifyHmac(signature: string | undefined, body: Buffer, secret: string): Proof {
  if (signature === undefined) return "missing";
  const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return isEqual(signature, expected) ? "valid" : "wrong";
}

/** In constant time: it does not reveal where they differ. */
export function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The body as JSON; hosts that send forms put it into the field `payload`. */
export function jsonOf({ headers, body }: Delivery): Record<string, unknown> {
  const text = body.toString("utf8");
  const isForm = String(headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  return objectOf(JSON.parse(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text));
}

const nothing = /^0+$/;

/** A commit's id, or null for the zeros that stand for none. */
export function commitOf(value: unknown): string | null {
  const id = textOf(value).toLowerCase();
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(id) && !nothing.test(id) ? id : null;
}

// The name in `refs/heads/<name>`; undefined for tags and anything else.
const branchOf = (ref: unknown): string | undefined => /^refs\/heads\/(.+)$/s.exec(textOf(ref))?.[1];

/** The commit of that id among those that a delivery lists. */
export const commitAmong = (commits: unknown, id: string | null): Record<string, unknown> =>
  listOf(commits)
    .map(objectOf)
    .find((commit) => commit.id === id) ?? {};

/** The push that a delivery of one ref is; nothing but its kind of a tag, or of what names no ref. */
export function pushOfRef(
  body: Record<string, unknown>,
  details: Pick<Push, "author" | "message"> & Partial<Pick<Push, "after" | "pushedAt">>,
): Received {
  const branch = branchOf(body.ref);
  if (branch === undefined) return { other: typeof body.ref === "string" ? "tag" : "unknown" };
  return {
    pushes: [{ branch, before: commitOf(body.before), after: commitOf(body.after), pushedAt: null, ...details }],
  };
}

/** A foreign text as one line of bounded length; null when nothing is left of it. */
export function lineOf(value: unknown, maxLength = 200): string | null {
  const [first = ""] = textOf(value).trim().split(/\r?\n/, 1);
  const line = first.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, " ").trim();
  return line === "" ? null : [...line].slice(0, maxLength).join("");
}
