import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { projectLayout } from "../../../host/layout.ts";
import { fileCopyOf } from "../copies.ts";
import { keepFiles } from "../file-copy.ts";

// The scripts that servers run, in a directory of the test.

const roots: string[] = [];
let layout: ReturnType<typeof projectLayout>;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "longshore-file-copy-"));
  roots.push(root);
  layout = projectLayout(7, root);
  for (const directory of ["config", "custom_apps/mail"])
    mkdirSync(`${layout.shared}/${directory}`, { recursive: true });
  mkdirSync(layout.cache);
  write("config/config.php", "version 33");
  write("custom_apps/mail/app.php", "mail 1");
});
after(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

const write = (path: string, content: string) => writeFileSync(`${layout.shared}/${path}`, content);
const read = (path: string) => readFileSync(`${layout.shared}/${path}`, "utf8");

const step = () => keepFiles({ layout }, ["config", "custom_apps", "missing"]);

function run(script: string | undefined): void {
  const { status, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", script ?? "exit 9"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

describe("a copy of shared files", () => {
  it("is put back as it was, with what the update added gone", () => {
    run(step().script);
    write("config/config.php", "version 34");
    write("config/updating", "34");
    rmSync(`${layout.shared}/custom_apps/mail`, { recursive: true });
    run(step().undo);
    assert.deepEqual([read("config/config.php"), read("custom_apps/mail/app.php")], ["version 33", "mail 1"]);
    assert.ok(!existsSync(`${layout.shared}/config/updating`));
    assert.ok(!existsSync(fileCopyOf(layout)) && !existsSync(`${layout.shared}/missing`));
  });

  it("that was never whole is not put back, and an undo may run twice", () => {
    mkdirSync(`${fileCopyOf(layout)}.new/config`, { recursive: true });
    run(step().undo);
    run(step().undo);
    assert.equal(read("config/config.php"), "version 33");
  });

  it("is put back from the start when the first undo was cut off", () => {
    run(step().script);
    rmSync(`${layout.shared}/config`, { recursive: true });
    mkdirSync(`${layout.shared}/config.former`);
    run(step().undo);
    assert.equal(read("config/config.php"), "version 33");
    assert.ok(!existsSync(`${layout.shared}/config.former`));
  });
});
