import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isFact } from "../src/engine/runs/facts.ts";
import { allPlans } from "./plans.ts";

/** The keys of the facts that a script writes; for `job_7`, which the script builds, `job_<id>`. */
const keysIn = (script: string): string[] => [
  ...[...script.matchAll(/\bfact\}? ([a-z_]+) /g)].map(([, key]) => key as string),
  ...[...script.matchAll(/printf '([a-z_]+(?:%s)?) %s\\+n'.*LONGSHORE_FACTS/g)].map(([, key]) =>
    (key as string).replace("%s", "<id>"),
  ),
];

describe("the facts of all plans", () => {
  it("are declared by the steps that report them, which are root's", () => {
    for (const step of allPlans.flatMap(({ steps }) => steps)) {
      const keys = keysIn(step.script);
      assert.deepEqual(
        keys.filter((key) => !Object.hasOwn(step.facts ?? {}, key)),
        [],
        step.key,
      );
      if (keys.length > 0) assert.deepEqual([step.sandbox, step.audience], [undefined, "system"], step.key);
    }
  });

  it("are all that the source mentions", () => {
    const directory = join(import.meta.dirname, "../src");
    const files = globSync("**/*.{ts,sh}", { cwd: directory, exclude: (name) => name === "tests" });
    const withoutComments = (text: string) => text.replaceAll(/^\s*(?:\/\/|\/?\*|#).*$/gm, "");
    const mentioned = files.flatMap((file) => keysIn(withoutComments(readFileSync(join(directory, file), "utf8"))));
    const seen = allPlans.flatMap(({ steps }) => steps.flatMap(({ script }) => keysIn(script)));
    assert.deepEqual([...new Set(mentioned)].sort(), [...new Set(seen)].sort());
    assert.ok(mentioned.length > 10);
  });
});

describe("the forms of facts", () => {
  const key = `ssh-ed25519 ${"A".repeat(68)}`;
  const values = {
    base64: { good: ["MIIB", "MII="], bad: ["", "a b", "a".repeat(20_000)] },
    commit: { good: ["0".repeat(40), "f".repeat(64)], bad: ["deadbeef", "F".repeat(40), `${"0".repeat(40)}\n`] },
    line: { good: ["active"], bad: ["", "a\nb", "a\u0000b", "a\u2028b", "x".repeat(301)] },
    number: { good: ["0", "12"], bad: ["-1", "1.5", "1e9", "012", "1".repeat(16)] },
    "on-off": { good: ["on", "off"], bad: ["true", ""] },
    "path-or-removed": { good: ["removed", "/etc/nginx/a b"], bad: ["etc", "/a\nb", `/${"x".repeat(1_001)}`] },
    port: { good: ["1", "20000", "65535"], bad: ["0", "65536", "abc", "-1", "99999"] },
    "public-key": { good: [key, `${key} project-7`], bad: ["rubbish", `${key}\nx`, "ssh-rsa AAAA", `${key} é`] },
    version: { good: ["1.22.1", "24"], bad: ["1.2.3-beta", "v1", "1..2", ""] },
  } as const;

  it("take what the platform's steps report, and nothing else", () => {
    for (const [form, { good, bad }] of Object.entries(values) as [keyof typeof values, (typeof values)["line"]][]) {
      for (const value of good) assert.ok(isFact({ some: form }, "some", value), `${form}: ${value}`);
      for (const value of bad) assert.ok(!isFact({ some: form }, "some", value), `${form}: ${value}`);
    }
  });

  it("belong to declared keys, and to ids where the key has one", () => {
    const declared = { commit: "line", "job_<id>": "line" } as const;
    for (const known of ["commit", "job_1", "job_123456"]) assert.ok(isFact(declared, known, "x"), known);
    for (const unknown of ["job_", "job_0", "job_x", "job_1_2", "job_<id>x", "constructor", "__proto__", "commits"]) {
      assert.ok(!isFact(declared, unknown, "x"), unknown);
    }
  });
});
