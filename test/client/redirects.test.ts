import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type ClientStage, openClientStage } from "./support.ts";

let stage: ClientStage;

before(async () => {
  stage = await openClientStage();
});
after(() => stage?.close());

const redirects = (...args: string[]) => stage.longshore(["redirects", ...args, "--project", String(stage.project)]);

/** What other programs get: lines with tabs, without a header. */
const listed = async () => {
  const { stdout } = await redirects();
  return stdout.split("\n").filter((line) => line !== "");
};

describe("longshore redirects", () => {
  it("adds, lists and deletes, and guesses what kind of path it is", async () => {
    assert.equal((await redirects("add", "/old", "/new")).status, 0);
    assert.equal((await redirects("add", "/blog/:slug", "/news/:slug", "--status", "308", "--drop-query")).status, 0);
    assert.equal((await redirects("add", "/shop", "/store", "--match", "prefix")).status, 0);
    assert.equal((await redirects("add", "/docs/*", "https://docs.example.com/:splat")).status, 0);
    assert.equal((await redirects("add", "/gone")).status, 0);
    assert.deepEqual(await listed(), [
      "/old\texact\t/new\t301\tkept",
      "/blog/:slug\tpattern\t/news/:slug\t308\tdropped",
      "/shop\tprefix\t/store\t301\tkept",
      "/docs/*\tpattern\thttps://docs.example.com/:splat\t301\tkept",
      "/gone\texact\t\t410\tkept",
    ]);
    for (const from of ["/blog/:slug", "/shop", "/docs/*", "/gone"])
      assert.equal((await redirects("delete", from)).status, 0);
    assert.deepEqual(await listed(), ["/old\texact\t/new\t301\tkept"]);
    assert.equal((await redirects("delete", "/never")).status, 5);
  });

  it("ends with 3 for what cannot be, and changes nothing", async () => {
    for (const args of [
      ["/a", '/b"; return 200; #'],
      ["/a", "/b", "--status", "200"],
      ["/a", "/b", "--match", "regex"],
      ["/a", "/a"],
    ])
      assert.equal((await redirects("add", ...args)).status, 3, args.join(" "));
    assert.deepEqual(await listed(), ["/old\texact\t/new\t301\tkept"]);
  });

  it("imports a file by its name, and ends with 1 when it left lines out", async () => {
    const file = join(stage.folder, ".htaccess");
    await writeFile(file, "RewriteEngine On\nRedirect 301 /a /b\nHeader set X-A 1\n");
    const { status, stdout } = await redirects("import", file, "--replace");
    assert.equal(status, 1);
    assert.match(stdout, /^line 3: .*Header set X-A 1\n$/);
    assert.deepEqual(await listed(), ["/a\tprefix\t/b\t301\tkept"]);
    assert.equal((await redirects("import", join(stage.folder, "missing"))).status, 1);
  });
});
