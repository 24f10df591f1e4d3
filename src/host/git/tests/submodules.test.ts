import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type GitServer, startGitServer } from "../../../../stage/git-server.ts";
import { type GitSshServer, repositoriesIn, startGitSsh } from "../../../../test/git-ssh.ts";
import { projectLayout } from "../../layout.ts";
import { lines, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import { dropReleaseRef, exportCommit, fetchCommit, type GitSource, publicGitRoots } from "../git.ts";
import { type HostAddresses, hostAddresses } from "../submodules.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-submodules-"));
const layout = projectLayout(7, directory);
const locked = { username: "stranger", password: "nothing" };
let server: GitServer;
let ssh: GitSshServer;
/** Repositories that are readable with the project's key, by name. */
const readable = new Set<string>();

before(async () => {
  const root = join(directory, "remote");
  server = await startGitServer({ host: "127.0.0.1", root });
  const keysOf = (path: string) => (readable.has(path) ? [readFileSync(`${layout.deployKey}.pub`, "utf8")] : []);
  ssh = await startGitSsh({ host: "127.0.0.1", repositoryOf: repositoriesIn(root), keysOf });
  mkdirSync(layout.mirror, { recursive: true });
  spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "shop", "-f", layout.deployKey]);
  mkdirSync(join(directory, "secrets"), { recursive: true });
  copyFileSync(layout.deployKey, join(directory, "secrets/deploy-key"));
  chmodSync(join(directory, "secrets/deploy-key"), 0o400);
});
after(async () => {
  await ssh.close();
  await server.close();
  rmSync(directory, { recursive: true });
});

/** The stand-in behaves as a git host: public access over HTTP, SSH with a key. */
const host = (): HostAddresses => ({ web: `${server.url}/`, ssh: ssh.urlOf("x").replace("x.git", "") });

let releases = 0;

async function bring(name: string, over: Partial<GitSource> = {}) {
  const release = ++releases;
  const source: GitSource = { url: server.urlOf(name), branch: "main", access: "none", hosts: [host()], ...over };
  return {
    release,
    ...(await runBash(lines(fetchCommit(layout, source, release), sh`echo "commit=$commit"`), directory)),
  };
}

async function write(
  release: number,
  target = join(directory, `release-${release}`),
): Promise<(path: string) => string> {
  mkdirSync(target, { recursive: true });
  const done = await runBash(exportCommit(layout, release, target), directory);
  assert.equal(done.code, 0, done.stderr);
  return (path) => readFileSync(join(target, path), "utf8");
}

const module = (path: string, url: string) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`;
const lastLine = ({ stderr }: { stderr: string }) => stderr.trim().split("\n").at(-1) ?? "";

describe("submodules", () => {
  test("come with the repository, in each other and at relative addresses, at their own commits", async () => {
    const inner = await server.createRepository("inner", { files: { "i.txt": "inner" } });
    const lib = await server.createRepository("lib", {
      files: { "l.txt": "first", ".gitmodules": module("deep/in", "./../inner.git"), "deep/in": { commit: inner } },
    });
    await server.commit("lib", { files: { "l.txt": "newer" } });
    await server.createRepository("app", {
      files: {
        "a.txt": "app",
        ".gitmodules": module("vendor/my lib", "../lib.git") + module("same", server.urlOf("inner")),
        "vendor/my lib": { commit: lib },
        same: { commit: inner },
      },
    });
    const fetched = await bring("app");
    assert.equal(fetched.code, 0, fetched.stderr);
    const read = await write(fetched.release);
    const files = ["a.txt", "vendor/my lib/l.txt", "vendor/my lib/deep/in/i.txt", "same/i.txt"];
    assert.deepEqual(files.map(read), ["app", "first", "inner", "inner"]);
    const asked = server.fetches("lib");
    const again = await bring("app");
    assert.match(again.stdout, /^commit=[0-9a-f]{40}\n$/, "what is there is not fetched again");
    assert.equal(server.fetches("lib"), asked);
  });

  test("that are private are fetched over SSH with the project's key, from a private repository and a public one", async () => {
    const secret = await server.createRepository("secret", { files: { "s.txt": "secret" }, credentials: locked });
    const sshUrl = ssh.urlOf("secret");
    const modules = { relative: "../secret.git", web: server.urlOf("secret"), ssh: sshUrl };
    const files = {
      ".gitmodules": Object.entries(modules)
        .map(([path, url]) => module(path, url))
        .join(""),
      ...Object.fromEntries(Object.keys(modules).map((path) => [path, { commit: secret }])),
    };
    await server.createRepository("closed", { files, credentials: locked });
    await server.createRepository("open", { files });
    readable.add("secret").add("closed");
    for (const [name, over] of [
      ["closed", { privateUrl: ssh.urlOf("closed") }],
      ["closed", { url: ssh.urlOf("closed") }],
      ["open", {}],
    ] as const) {
      rmSync(layout.mirror, { recursive: true });
      mkdirSync(layout.mirror);
      const fetched = await bring(name, over);
      assert.equal(fetched.code, 0, fetched.stderr);
      const read = await write(fetched.release);
      assert.deepEqual(["relative/s.txt", "web/s.txt", "ssh/s.txt"].map(read), ["secret", "secret", "secret"]);
    }
    // A repository that is available at its SSH address only.
    await server.createRepository("plain", {
      files: { ".gitmodules": module("relative", "../secret.git"), relative: { commit: secret } },
    });
    readable.add("plain");
    rmSync(layout.mirror, { recursive: true });
    mkdirSync(layout.mirror);
    const plain = await bring("plain", { url: ssh.urlOf("plain"), hosts: [] });
    assert.equal(plain.code, 0, plain.stderr);
    assert.equal((await write(plain.release))("relative/s.txt"), "secret");
  });

  test("that the key may not read end the fetch with a sentence that names them and the key", async () => {
    const hidden = await server.createRepository("hidden", { files: { "h.txt": "h" }, credentials: locked });
    await server.createRepository("outer", {
      files: { ".gitmodules": module("theirs", "../hidden.git"), theirs: { commit: hidden } },
    });
    const done = await bring("outer");
    assert.equal(done.code, 1);
    assert.match(lastLine(done), /^The submodule theirs cannot be fetched\. The repository ssh:.*does not exist/);
    const key = readFileSync(`${layout.deployKey}.pub`, "utf8").trim();
    assert.ok(lastLine(done).endsWith(`add this deploy key to it with read access, and deploy again: ${key}`));
  });

  test("report what is wrong with them in a sentence, and those without an address stay empty", async () => {
    const cases = [
      ["file:///etc", "1".repeat(40), /protocol that is not allowed/],
      ["ext::touch /tmp/longshore-submodule-was-here", "1".repeat(40), /protocol that is not allowed/],
      ["--upload-pack=touch /tmp/longshore-submodule-was-here", "1".repeat(40), /cannot be fetched/],
      ["../lib.git", "1".repeat(40), /The submodule x cannot be fetched\. The commit 1+ does not exist/],
      ["../$(touch /tmp/longshore-submodule-was-here).git", "1".repeat(40), /^The submodule x cannot be fetched/],
    ] as const;
    for (const [address, commit, expected] of cases) {
      await server.createRepository("odd", { files: { ".gitmodules": module("x", address), x: { commit } } });
      const done = await bring("odd");
      assert.equal(done.code, 1, address);
      assert.match(lastLine(done), expected);
    }
    assert.ok(!existsSync("/tmp/longshore-submodule-was-here"));
    await server.createRepository("odd", {
      files: { ".gitmodules": "[nonsense]\n", "a.txt": "a", x: { commit: "1".repeat(40) } },
    });
    const done = await bring("odd");
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /The submodule x has no address/);
    assert.equal((await write(done.release))("a.txt"), "a");
  });

  test("follow the commits of a directory that is written again: changed, removed, replaced by files", async () => {
    const first = await server.createRepository("part", { files: { "one.txt": "1", "two.txt": "1" } });
    const second = await server.commit("part", { files: { "one.txt": "2", "two.txt": null } });
    const gitmodules = module("a", "../part.git") + module("b", "../part.git");
    await server.createRepository("inplace", {
      files: { ".gitmodules": gitmodules, a: { commit: first }, b: { commit: first } },
    });
    const target = join(directory, "in-place");
    const step = async () => write((await bring("inplace")).release, target);
    const read = await step();
    assert.deepEqual(["a/one.txt", "a/two.txt", "b/one.txt"].map(read), ["1", "1", "1"]);
    await server.commit("inplace", { files: { a: { commit: second } } });
    await step();
    assert.deepEqual([read("a/one.txt"), existsSync(`${target}/a/two.txt`), read("b/two.txt")], ["2", false, "1"]);
    await server.commit("inplace", { files: { b: null, "b/own.txt": "own", a: null } });
    await step();
    assert.equal(read("b/own.txt"), "own");
    assert.deepEqual([`${target}/b/one.txt`, `${target}/a`].map(existsSync), [false, false]);
  });

  test("are kept for a rollback, and go with their release", async () => {
    const lib = await server.createRepository("kept", { files: { "k.txt": "kept" } });
    await server.createRepository("keeper", {
      files: { ".gitmodules": module("k", "../kept.git"), k: { commit: lib } },
    });
    const { release } = await bring("keeper");
    const has = async () => {
      const script = sh`
        git --git-dir=${layout.mirror} -c gc.pruneExpire=now gc --quiet --prune=now
        git --git-dir=${layout.mirror} cat-file -e ${lib}`;
      return (await runBash(script, directory)).code === 0;
    };
    assert.equal(await has(), true);
    assert.equal((await runBash(dropReleaseRef(layout, release), directory)).code, 0);
    assert.equal(await has(), false);
    const refs = await runBash(sh`git --git-dir=${layout.mirror} for-each-ref`, directory);
    assert.ok(!refs.stdout.includes(`/${release}\n`) && !refs.stdout.includes(`/${release}/`), refs.stdout);
    assert.equal((await runBash(dropReleaseRef(layout, release), directory)).code, 0);
  });
});

test("the ways to a host are those of its root, and those that a repository of it shows", () => {
  const github = { web: "https://github.com/", ssh: "git@github.com:" };
  assert.deepEqual(hostAddresses(publicGitRoots)[0], github);
  const shown = (web: string, ssh: string) => hostAddresses({}, { web, ssh })[0];
  assert.deepEqual(shown("https://github.com/acme/shop.git", "git@github.com:acme/shop.git"), github);
  assert.deepEqual(shown("https://git.example.com/hosted/a/b/c", "ssh://git@git.example.com:2222/a/b/c.git"), {
    web: "https://git.example.com/hosted/",
    ssh: "ssh://git@git.example.com:2222/",
  });
  assert.equal(shown("https://github.com/acme/old.git", "git@github.com:acme/new.git"), undefined);
  assert.equal(shown("git@github.com:acme/shop.git", "git@github.com:acme/shop.git"), undefined);
});
