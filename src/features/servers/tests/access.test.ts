import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { shellcheck } from "../../../../test/shellcheck.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { holdKeys, takeOutKeys } from "../access.ts";

const root = mkdtempSync(join(tmpdir(), "longshore-access-"));
after(() => rmSync(root, { recursive: true }));

const ours = "ssh-ed25519 AAAAours longshore";
const moves = 'restrict,command="/usr/lib/longshore/move-7" ssh-ed25519 AAAAmove longshore-move-7';
const theirs = ["# the office", "ssh-ed25519 AAAAtheirs ann@example.com", "ssh-ed25519 AAAAours longshore-too"];

let directory: string;
let file: string;
let homes = 0;

beforeEach(() => {
  directory = join(root, String(homes++));
  file = join(directory, "authorized_keys");
  mkdirSync(directory, { mode: 0o700 });
});

const write = (...keys: string[]) => writeFileSync(file, `${keys.join("\n")}\n`, { mode: 0o600 });
const read = (): string[] => readFileSync(file, "utf8").trimEnd().split("\n");

const removeLines = (...options: string[]) => lines(sh`set -e`, holdKeys(directory), takeOutKeys(options, directory));
const removeOurs = () => removeLines("-xF", "-e", ours);
const removeMoves = () => removeLines("-e", " longshore-move-7$");

const run = ({ script }: Script) => spawnSync("bash", ["-c", script], { encoding: "utf8" });

/** As on a full disk: no byte can be written to a file. */
const runFull = ({ script }: Script) =>
  spawnSync("bash", ["-c", `trap '' XFSZ; ulimit -f 0\n${script}`], { encoding: "utf8" });

describe("keys that open root's account", () => {
  for (const [whose, remove, key] of [
    ["Longshore's", removeOurs, ours],
    ["a move's", removeMoves, moves],
  ] as const) {
    it(`without ${whose} are as they were`, () => {
      write(theirs[0] as string, key, ...theirs.slice(1));
      for (let times = 0; times < 2; times++) {
        assert.equal(run(remove()).status, 0);
        assert.deepEqual(read(), theirs);
        assert.equal(statSync(file).mode & 0o777, 0o600);
      }
    });

    it(`stay all of them when ${whose} cannot be taken out on a full disk`, () => {
      write(...theirs, key);
      assert.notEqual(runFull(remove()).status, 0);
      assert.deepEqual(read(), [...theirs, key]);
    });

    it(`may be ${whose} alone, and none afterwards`, () => {
      write(key);
      assert.equal(run(remove()).status, 0);
      assert.equal(readFileSync(file, "utf8"), "");
    });

    it(`are changed after another operator's change, when ${whose} is taken out meanwhile`, async (t) => {
      write(...theirs, key);
      const other = lines(sh`set -e`, holdKeys(directory), sh`echo held; read -r`);
      const holder = spawn("bash", ["-c", other.script], { stdio: ["pipe", "pipe", "inherit"] });
      t.after(() => holder.kill());
      await once(holder.stdout, "data");
      const remover = spawn("bash", ["-c", remove().script], { stdio: "ignore" });
      const waits = new RegExp(`-> FLOCK .*:${statSync(directory).ino} `);
      const isWaiting = () => waits.test(readFileSync("/proc/locks", "utf8"));
      assert.ok(await pollUntil(isWaiting, { timeoutMs: 30_000 }), "it waits for its turn");
      write(...theirs, "ssh-ed25519 AAAAnew", key);
      holder.stdin.end("\n");
      await once(remover, "exit");
      assert.deepEqual(read(), [...theirs, "ssh-ed25519 AAAAnew"]);
    });
  }

  it("need not be there", () => assert.equal(run(removeOurs()).status, 0));

  it("are changed by scripts without findings of shellcheck", () =>
    assert.equal(shellcheck({ ours: removeOurs().script, moves: removeMoves().script }), ""));
});
