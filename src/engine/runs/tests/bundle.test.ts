import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { projectLayout } from "../../../host/layout.ts";
import { sh } from "../../../host/sh.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { bundle, renderPlan } from "../bundle.ts";
import { fromTheStart, type Plan, plan, step } from "../plan.ts";

const twoSteps: Plan = plan(
  "test",
  [
    step("fetch", "Fetch", sh`echo ${"it's $(here)"}`, { undo: sh`rm -f ${"a b"}` }),
    step("build", "Build", sh`npm run build`, {
      sandbox: projectSandbox(projectLayout(7)),
      audience: "client",
      checkpoint: false,
      onFailure: "continue",
      timeoutSeconds: 5,
    }),
  ],
  { pointOfNoReturn: "build", limits: { cpuWeight: 20, memoryHigh: "80%" } },
);

interface Entry {
  name: string;
  content: string;
}

function unpack(bundled: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < bundled.length; ) {
    const begin = bundled.indexOf("\n", at) + 1;
    const [, length, name = ""] = /^(\d+) (\S+)\n$/.exec(bundled.toString("utf8", at, begin)) ?? assert.fail("no line");
    at = begin + Number(length);
    entries.push({ name, content: bundled.toString("utf8", begin, at) });
  }
  return entries;
}

const unpacked = (secrets = {}) => unpack(bundle(42, twoSteps, "abc", secrets));
const contentOf = (entries: Entry[], name: string): string =>
  entries.find((entry) => entry.name === name)?.content ?? assert.fail(`${name} is not in the bundle`);

/** The result in bash of text that sets variables. */
const inBash = (text: string, show: string): string =>
  execFileSync("bash", ["-c", `${text}\n${show}`], { encoding: "utf8" }).trim();

describe("a bundle", () => {
  it("ends with the entry that confirms that it is whole", () => {
    assert.equal(unpacked({ password: "secret" }).at(-1)?.name, "complete");
  });

  it("counts bytes, and refuses the one that bash would leave out", () => {
    assert.equal(contentOf(unpacked({ password: "é🚢\n\n" }), "secrets/password"), "é🚢\n\n");
    assert.throws(() => bundle(42, twoSteps, "abc", { password: "a\0b" }), /must not contain a NUL/);
  });

  it("holds each step's script and undo, and the step's environment", () => {
    const entries = unpacked();
    const fetch = contentOf(entries, "run/steps/0.sh");
    assert.match(fetch, /^set -euo pipefail; umask 022; cd\n/);
    assert.match(fetch, /LONGSHORE_RUN=42/);
    assert.match(fetch, /LONGSHORE_SECRETS=\/run\/longshore\/42\/secrets/);
    assert.match(fetch, /LONGSHORE_FACTS=\/run\/longshore\/42\/facts\/0\n/);
    assert.ok(fetch.endsWith("\necho 'it'\\''s $(here)'\n"));
    assert.ok(contentOf(entries, "run/undo/0.sh").endsWith("\nrm -f 'a b'\n"));
    assert.ok(!entries.some(({ name }) => name === "run/undo/1.sh"));
  });

  it("ends a step of root's, and its undo, at a command that fails inside of $(…)", () => {
    const script = sh`made=$(false; echo nothing); echo "not reached: $made"`;
    const entries = unpack(
      bundle(
        42,
        plan("test", [step("make", "Make", script, { undo: script })], { pointOfNoReturn: fromTheStart }),
        "abc",
        {},
      ),
    );
    for (const name of ["run/steps/0.sh", "run/undo/0.sh"]) {
      const { status, stdout } = spawnSync("bash", ["-c", contentOf(entries, name)], { encoding: "utf8" });
      assert.deepEqual([status, stdout], [1, ""], name);
    }
  });

  it("shows the user's commands neither secrets nor facts", () => {
    const build = contentOf(unpacked({ password: "secret" }), "run/steps/1.sh");
    assert.doesNotMatch(build, /LONGSHORE_(SECRETS|FACTS)/);
  });

  it("has a sandbox for what is not root's, the user first", () => {
    const entries = unpacked();
    const build = contentOf(entries, "run/steps/1.sandbox").split("\n");
    assert.equal(build[0], "--property=User=project-7");
    assert.ok(build.includes("--property=NoNewPrivileges=yes"));
    assert.ok(!entries.some(({ name }) => name === "run/steps/0.sandbox"));
  });

  it("hands a sandboxed step the secrets that it names, and no others", () => {
    const sandbox = { ...projectSandbox(projectLayout(7)), credentials: { "deploy-key": "/srv/key" } };
    const one = plan("test", [step("a", "A", sh`true`, { sandbox, secrets: ["token"] })], { pointOfNoReturn: "a" });
    const properties = contentOf(unpack(bundle(42, one, "abc", { token: "a", other: "b" })), "run/steps/0.sandbox");
    assert.deepEqual(properties.match(/LoadCredential=.*/g), [
      "LoadCredential=deploy-key:/srv/key",
      "LoadCredential=token:/run/longshore/42/secrets/token",
    ]);
  });

  it("holds secrets in files of their own and nowhere else", () => {
    const secret = "s3cr3t\nof two lines";
    const entries = unpacked({ environment: secret });
    const holding = entries.filter(({ content }) => content.includes("s3cr3t"));
    assert.deepEqual(holding, [{ name: "secrets/environment", content: secret }]);
  });

  it("gives the runner the limits, one argument a line", () => {
    assert.equal(contentOf(unpacked(), "run/limits"), "--property=CPUWeight=20\n--property=MemoryHigh=80%\n");
  });
});

describe("the plan in the runner's terms", () => {
  it("is bash that sets the runner's variables", () => {
    const show = `declare -p nonce steps no_return timeout checkpoint goes_on | sed 's/^declare [^ ]* //'`;
    assert.deepEqual(inBash(renderPlan(twoSteps, "abc"), show).split("\n"), [
      'nonce="abc"',
      'steps="2"',
      'no_return="1"',
      'timeout=([0]="600" [1]="5")',
      'checkpoint=([0]="1" [1]="0")',
      'goes_on=([0]="0" [1]="1")',
    ]);
  });

  it("has no step before which it could return when it only goes forward", () => {
    const forward = plan("test", [step("a", "A", sh`true`)], { pointOfNoReturn: fromTheStart });
    assert.equal(inBash(renderPlan(forward, "abc"), `echo "$no_return"`), "-1");
  });
});

describe("a plan", () => {
  it("leaves out steps that are not there", () => {
    const only = plan("test", [undefined, step("a", "A", sh`true`), false], { pointOfNoReturn: "a" });
    assert.deepEqual(
      only.steps.map(({ key }) => key),
      ["a"],
    );
  });

  it("refuses two steps of one key and a point of no return that is no step", () => {
    const a = step("a", "A", sh`true`);
    assert.throws(() => plan("test", [a, a], { pointOfNoReturn: "a" }), /two steps with one key/);
    assert.throws(() => plan("test", [a], { pointOfNoReturn: "b" }), /no step b/);
  });
});
