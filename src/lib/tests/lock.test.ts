import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { lockFile, readNote } from "../lock.ts";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "longshore-lock-"));
  path = join(directory, "lock");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("one holder at a time; released, it can be taken again", async () => {
  const lock = await lockFile(path);
  assert.ok(lock);
  assert.equal(await lockFile(path), undefined);
  lock.release();
  const next = await lockFile(path);
  assert.ok(next);
  next.release();
});

test("the note of the holder is read by others and is empty for the next holder", async () => {
  const lock = await lockFile(path);
  lock?.note("a long note");
  lock?.note("short");
  assert.equal(await readNote(path), "short");
  lock?.release();
  const next = await lockFile(path);
  assert.equal(await readNote(path), "");
  next?.release();
});

test("a killed process gives its lock back", async () => {
  const script = `const { lockFile } = await import(${JSON.stringify(join(import.meta.dirname, "../lock.ts"))});
    globalThis.lock = await lockFile(${JSON.stringify(path)});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  assert.equal(await lockFile(path), undefined);
  holder.kill("SIGKILL");
  await once(holder, "close");
  const lock = await lockFile(path);
  assert.ok(lock);
  lock.release();
});
