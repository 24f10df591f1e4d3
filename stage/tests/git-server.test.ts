import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type GitServer, startGitServer } from "../git-server.ts";

const run = promisify(execFile);
const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" };
const git = async (...args: string[]): Promise<string> => (await run("git", args, { env: environment })).stdout.trim();

let root: string;
let server: GitServer;

before(async () => {
  root = await mkdtemp(join(tmpdir(), "git-server-"));
  server = await startGitServer({ host: "127.0.0.1", root: join(root, "repositories") });
});

after(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

test("a clone has the files and the commit that were made", async () => {
  const commit = await server.createRepository("app", { files: { "index.html": "one", "a folder/é.txt": "two" } });
  await git("clone", "--quiet", server.urlOf("app"), join(root, "app"));
  assert.equal(await git("-C", join(root, "app"), "rev-parse", "HEAD"), commit);
  assert.equal(await readFile(join(root, "app/a folder/é.txt"), "utf8"), "two");
});

test("a repository made from a directory keeps executable files", async () => {
  const directory = join(root, "source");
  await mkdir(directory);
  await run("bash", ["-c", 'cd "$0" && echo "#!/bin/sh" > run.sh && chmod +x run.sh && ln -s run.sh link', directory]);
  await server.createRepository("from-directory", { fromDirectory: directory });
  await git("clone", "--quiet", server.urlOf("from-directory"), join(root, "copy"));
  assert.equal((await stat(join(root, "copy/run.sh"))).mode & 0o111, 0o111);
  assert.equal(await readFile(join(root, "copy/link"), "utf8"), "#!/bin/sh\n");
});

test("a second fetch moves only what changed", async () => {
  const incompressible = Buffer.from(crypto.getRandomValues(new Uint8Array(50_000)));
  await server.createRepository("growing", { files: { "large.bin": incompressible, version: "1" } });
  const clone = join(root, "growing");
  await git("clone", "--quiet", "--bare", server.urlOf("growing"), clone);
  const commit = await server.commit("growing", { files: { version: "2" } });
  await git("-C", clone, "-c", "fetch.unpackLimit=1", "fetch", "--quiet", server.urlOf("growing"), "main:main");
  assert.equal(await git("-C", clone, "rev-parse", "main"), commit);
  const packs = await git("-C", clone, "count-objects", "-v");
  assert.match(packs, /^packs: 2$/m);
  assert.ok(Number(/^size-pack: (\d+)$/m.exec(packs)?.[1]) < 60, "the large file came once");
});

test("a commit can remove a file and begin a branch", async () => {
  await server.createRepository("branches", { files: { kept: "1", removed: "1" } });
  await server.commit("branches", { files: { removed: null }, branch: "next", message: 'Say "no"\nto it' });
  await git("clone", "--quiet", "--branch", "next", server.urlOf("branches"), join(root, "branches"));
  assert.equal(await git("-C", join(root, "branches"), "ls-files"), "kept");
  assert.equal(await git("-C", join(root, "branches"), "rev-list", "--count", "HEAD"), "2");
});

test("a missing repository is answered with 404", async () => {
  const answer = await fetch(`${server.urlOf("missing")}/info/refs?service=git-upload-pack`);
  assert.equal(answer.status, 404);
  await assert.rejects(git("clone", server.urlOf("missing"), join(root, "missing")), /not found/);
});

test("nothing outside the repositories is served", async () => {
  const answer = await fetch(`${server.url}/..%2f..%2fetc/passwd`);
  assert.equal(answer.status, 404);
});

test("a private repository is only for clients with its password", async () => {
  await server.createRepository("private", {
    files: { secret: "1" },
    credentials: { username: "alice", password: "correct" },
  });
  await assert.rejects(git("clone", server.urlOf("private"), join(root, "refused")), /could not read Username/);
  const url = server.urlOf("private").replace("//", "//alice:correct@");
  await git("clone", "--quiet", url, join(root, "private"));
  assert.equal(await readFile(join(root, "private/secret"), "utf8"), "1");
});
