import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { ask, createProject, openStage, type Stage, sourceOf } from "../src/features/sources/tests/support.ts";
import { call } from "../src/http/tests/support.ts";

// What other programs wrote may have any shape. A document as they write it, of which parts are replaced by others, gets an
// answer that is no fault of ours.

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());

const commit = "0123456789abcdef0123456789abcdef01234567";

/** A list in a list, and so on. */
const deep = (levels: number): unknown => {
  let value: unknown = [];
  for (let at = 0; at < levels; at++) value = [value];
  return value;
};

// JSON.parse makes a field `__proto__` as it is made here.
const strange: unknown[] = [
  { toString: 1 },
  { toString: null, valueOf: {} },
  { toJSON: 1, length: -1 },
  Object.defineProperty({}, "__proto__", { value: { toString: 1 }, enumerable: true }),
  { constructor: { name: 1 } },
  [{ toString: 1 }],
  [[]],
  deep(40),
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "1e400",
  "x".repeat(5_000),
  "\n\u2028\u202e",
  "refs/heads/",
  "99999999999999999999",
];

/** The places of a document: the path to each value in it. */
const placesIn = (value: unknown, path: string[] = []): string[][] => [
  path,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))
    : []),
];

function replaced(document: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const copy = structuredClone(document) as Record<string, unknown>;
  const inner = replaced(copy[name], rest, value);
  Object.defineProperty(copy, name, { value: inner, enumerable: true, writable: true, configurable: true });
  return copy;
}

/** The document with one to three places replaced. */
const changed = (document: object): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...placesIn(document).slice(1)),
        fc.oneof(fc.constantFrom(...strange), fc.jsonValue({ maxDepth: 3 })),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((changes) =>
      changes.reduce<unknown>((whole, [place, value]) => {
        const isThere = placesIn(whole).some((each) => each.join("/") === place.join("/"));
        return isThere ? replaced(whole, place, value) : whole;
      }, document),
    );

const withoutFaults = (document: object, send: (text: string) => Promise<{ status: number; text: string }>) =>
  fc.assert(
    fc.asyncProperty(changed(document), async (value) => {
      const reply = await send(JSON.stringify(value));
      assert.ok(reply.status < 500, `${reply.status} ${reply.text}`);
    }),
    { numRuns: 120, seed: 20_261_126, endOnFailure: true },
  );

describe("monitors of another program", () => {
  const kuma = {
    id: 7,
    name: "Shop",
    type: "http",
    url: "https://shop.example.com/up",
    method: "GET",
    interval: 60,
    timeout: 48,
    maxretries: 2,
    maxredirects: 10,
    active: 1,
    ignoreTls: false,
    upsideDown: false,
    accepted_statuscodes: ["200-299", "301"],
    body: null,
    headers: null,
    basic_auth_user: null,
    authMethod: null,
  };
  const sources = {
    uptime_kuma: { version: "1.23.16", monitorList: [kuma, { ...kuma, id: 8, type: "push" }] },
    healthchecks: {
      checks: [
        {
          name: "Nightly",
          slug: "nightly",
          unique_key: "a",
          timeout: 60,
          grace: 60,
          schedule: "* * * * *",
          status: "up",
        },
      ],
    },
  };
  for (const [source, data] of Object.entries(sources)) {
    it(`of ${source} are read in every shape`, () =>
      withoutFaults(data, (text) =>
        ask(stage, "POST /api/v1/monitors/import", { source, data: JSON.parse(text), dry_run: true }),
      ));
  }
});

describe("deliveries of git hosts", () => {
  const author = { name: "Ann", raw: "Ann <ann@example.com>", user: { display_name: "Ann" } };
  const head = { id: commit, message: "Fix it", author, hash: commit };
  const push = {
    ref: "refs/heads/main",
    before: "0".repeat(40),
    after: commit,
    deleted: false,
    head_commit: head,
    commits: [head],
    pusher: { name: "Ann" },
    user_name: "Ann",
    repository: { pushed_at: 1_700_000_000 },
  };
  const hmac = (text: string, secret: string) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
  const hosts: Record<string, { document: object; headers: (text: string, secret: string) => Record<string, string> }> =
    {
      git_host_a: {
        document: push,
        headers: (text, secret) => ({ "x-github-event": "push", "x-hub-signature-256": hmac(text, secret) }),
      },
      git_host_b: {
        document: push,
        headers: (_, secret) => ({ "x-gitlab-event": "Push Hook", "x-gitlab-token": secret }),
      },
      git_host_c: {
        document: {
          push: {
            changes: [
              {
                old: { type: "branch", name: "main", target: head },
                new: { type: "branch", name: "main", target: head },
              },
            ],
          },
          actor: { display_name: "Ann" },
        },
        headers: (text, secret) => ({ "x-event-key": "repo:push", "x-hub-signature": hmac(text, secret) }),
      },
      git: { document: push, headers: () => ({}) },
    };
  for (const [type, { document, headers }] of Object.entries(hosts)) {
    it(`of ${type} are read in every shape`, async () => {
      const repo = type === "git" ? "https://git.example.com/acme/shop.git" : "acme/shop";
      const id = await createProject(stage, { type, repo });
      const { webhook } = await sourceOf(stage, id);
      const line = `POST ${new URL(webhook.url).pathname}`;
      await withoutFaults(document, (text) =>
        call(stage.app, line, { body: text, headers: headers(text, webhook.secret) }),
      );
    });
  }
});
