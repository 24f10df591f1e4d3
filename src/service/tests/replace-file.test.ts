import assert from "node:assert/strict";
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { replaceFile } from "../replace-file.ts";

describe("a file that is replaced in a directory of another user", () => {
  let directory: string;
  const at = (name: string) => join(directory, name);

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "longshore-replace-"));
    await writeFile(at("elsewhere"), "untouched");
  });

  after(() => rm(directory, { recursive: true }));

  for (const name of ["file.new", "file"]) {
    it(`is not written through a link at ${name}`, async () => {
      await rm(at("file"), { force: true });
      await symlink(at("elsewhere"), at(name));
      await replaceFile(at("file"), "new", 0o640);
      assert.equal(await readFile(at("elsewhere"), "utf8"), "untouched");
      assert.ok((await lstat(at("file"))).isFile());
      assert.equal(await readFile(at("file"), "utf8"), "new");
      assert.equal((await stat(at("file"))).mode & 0o777, 0o640);
      assert.deepEqual((await readdir(directory)).sort(), ["elsewhere", "file"]);
    });
  }
});
