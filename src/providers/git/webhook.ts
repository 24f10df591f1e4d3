import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { listOf, objectOf, textOf } from "../../lib/foreign.ts";

// What git hosts send to webhooks, in terms that all of them share.

/** One delivery as received. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAt: Date;
}

/** Whether a delivery proves that its sender has the secret. */
export type Proof = "valid" | "missing" | "wrong";

/** A branch or a tag that moved. */
export interface Push {
  kind: "branch" | "tag";
  name: string;
  /** The object that it pointed to; null: it is new, or the host does not report it. */
  before: string | null;
  /** The object that it points to now; null: it was deleted. */
  after: string | null;
  /** The commit of `after`, which for an annotated tag is an object of its own. A host that does not report it leaves that object. */
  commit: string | null;
  author: string | null;
  /** The first line of the message of the commit. */
  message: string | null;
  /** The mark in that message by which its author asks not to deploy, such as `[skip ci]`. */
  skipMark: string | null;
  /** When the host received the push, if it reports that. */
  pushedAt: Date | null;
}

/** The content of a delivery: the moved branches and tags, or its other kind in the host's own word. */
export type Received = { pushes: Push[] } | { other: string };

export interface WebhookDialect {
  verify(delivery: Delivery, secret: string): Proof;
  /**
   * What distinguishes a repeated delivery from a new one: texts that it shares with its repetitions. Several when the signature
   * does not cover a part that a repeating sender could change.
   */
  identitiesOf(delivery: Delivery): string[];
  /**
   * Whether the texts identify the delivery. When they identify what was pushed, a branch that moves back and forth
   * repeats them legitimately.
   */
  namesDeliveries: boolean;
  /** Called for verified deliveries only. Throws SyntaxError for an unreadable body. */
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

/** In constant time: does not reveal where they differ. */
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

/** A commit's id, or null for the zeros that mean no commit. */
export function commitOf(value: unknown): string | null {
  const id = textOf(value).toLowerCase();
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(id) && !nothing.test(id) ? id : null;
}

/** The commit with that id in the list of a delivery. */
export const commitAmong = (commits: unknown, id: string | null): Record<string, unknown> =>
  listOf(commits)
    .map(objectOf)
    .find((commit) => commit.id === id) ?? {};

/** The push in a delivery for one ref; only the kind for another ref than a branch or a tag. `commit`: where it is reported apart. */
export function pushOfRef(
  body: Record<string, unknown>,
  { commit, ...details }: Pick<Push, "author" | "message" | "skipMark" | "commit"> & Partial<Pick<Push, "pushedAt">>,
): Received {
  const [, folder, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(textOf(body.ref)) ?? [];
  if (name === undefined) return { other: "unknown" };
  const kind = folder === "tags" ? "tag" : "branch";
  const after = body.deleted === true ? null : commitOf(body.after);
  return {
    pushes: [
      {
        kind,
        name,
        before: commitOf(body.before),
        after,
        commit: after && (commit ?? after),
        pushedAt: null,
        ...details,
      },
    ],
  };
}

// As git hosts, CI services and hosts of static sites understand them.
const skipMark = /\[ {0,3}(?:(?:skip|no)[ -](?:ci|deploy|longshore)|(?:ci|deploy|longshore)[ -]skip) {0,3}\]/i;
const longestMessage = 20_000;

/** What a push keeps of the commit's message, which may come from several places: the first that has one. */
export function messageOf(...places: unknown[]): Pick<Push, "message" | "skipMark"> {
  const message = places.map(textOf).find((text) => lineOf(text) !== null) ?? "";
  return { message: lineOf(message), skipMark: skipMark.exec(message.slice(0, longestMessage))?.[0] ?? null };
}

/** A foreign text as one line of bounded length; null when it becomes empty. */
export function lineOf(value: unknown, maxLength = 200): string | null {
  const [first = ""] = textOf(value).trim().split(/\r?\n/, 1);
  const line = first.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, " ").trim();
  return line === "" ? null : [...line].slice(0, maxLength).join("");
}
