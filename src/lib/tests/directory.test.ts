import assert from "node:assert/strict";
import { mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeDirectory } from "../directory.ts";

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "longshore-directory-"));
});
after(() => rm(root, { recursive: true }));

test("it is made with those above it, for this user alone, also several times at once", async () => {
  const path = join(root, "a", "b", "c");
  await Promise.all([1, 2, 3].map(() => makeDirectory(path)));
  await makeDirectory(path);
  assert.equal((await stat(path)).mode & 0o777, 0o700);
});

test("it fails where the system makes none, and where something else is", async () => {
  await assert.rejects(makeDirectory("/proc/x"), { code: "ENOENT" });
  await assert.rejects(makeDirectory("/proc/x/y/z"), { code: "ENOENT" });
  await writeFile(join(root, "file"), "");
  await assert.rejects(makeDirectory(join(root, "file")), { code: "EEXIST" });
  await assert.rejects(makeDirectory(join(root, "file", "below")), { code: "ENOTDIR" });
  await symlink(join(root, "nowhere"), join(root, "link"));
  await assert.rejects(makeDirectory(join(root, "link")), { code: "ENOENT" });
});
