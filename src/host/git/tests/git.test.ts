import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type GitServer, startGitServer } from "../../../../stage/git-server.ts";
import { type GitSshServer, repositoriesIn, startGitSsh } from "../../../../test/git-ssh.ts";
import { projectLayout } from "../../layout.ts";
import { lines, type Script, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import {
  commitUrl,
  compareUrl,
  exportCommit,
  fetchCommit,
  type GitSource,
  isBranchName,
  parseRepository,
  pathOnHost,
  publicGitRoots,
} from "../git.ts";

describe("a repository as a user writes it", () => {
  test("becomes a URL of its git host", () => {
    assert.equal(parseRepository("acme/shop", "git_host_a")?.url, "https://github.com/acme/shop.git");
    const roots = { ...publicGitRoots, git_host_b: "https://git.example.com/hosted" };
    assert.equal(
      parseRepository("acme/team/shop.git", "git_host_b", roots)?.url,
      "https://git.example.com/hosted/acme/team/shop.git",
    );
    assert.equal(parseRepository("https://example.com/a/b.git", "git_host_c")?.url, "https://example.com/a/b.git");
    assert.equal(parseRepository("git@example.com:a b/c'd.git", "git")?.url, "git@example.com:a b/c'd.git");
    assert.equal(parseRepository("ssh://git@example.com:2222/a.git", "git")?.url, "ssh://git@example.com:2222/a.git");
  });

  test("gives away its password only apart from the URL", () => {
    assert.deepEqual(parseRepository("https://me:s%40cret@example.com/a.git", "git"), {
      url: "https://example.com/a.git",
      credentials: { username: "me", password: "s@cret" },
    });
  });

  const impossible = [
    "",
    " ",
    "acme/shop",
    "/etc/passwd",
    "./shop",
    "../shop",
    "file:///etc",
    "ext::sh -c id",
    "--upload-pack=id",
    "-oProxyCommand=id",
    "ssh://-oProxyCommand=id/x",
    "ssh://git:secret@example.com/x",
    "git@-oProxyCommand=id:x",
    "git@example.com:-x",
    "-u@example.com:x",
    "https://example.com",
    "https://example.com/a\nb",
    "https://exa mple.com/a",
    "https://example.com/a b",
    "https://$(id)/a",
    "https://`id`/a",
    "ftp://example.com/a",
    "javascript:alert(1)",
    "fd::17/foo",
    "git@example.com::foo",
    "https://example.com/a?b",
    "git@example.com:a\u2028b",
  ];
  for (const text of impossible) {
    test(`is refused when it is ${JSON.stringify(text)}`, () => assert.equal(parseRepository(text, "git"), undefined));
  }

  test("has a path at its host, and no other address of the host's API", () => {
    const pathOf = (url: string) => pathOnHost(url, "git_host_a", publicGitRoots);
    for (const url of [
      "https://github.com/acme/shop",
      "https://github.com/acme/shop.git",
      "https://github.com/acme/shop.git/",
      "git@github.com:acme/shop.git",
      "git@github.com:/acme/shop.git//",
      "ssh://git@github.com/acme/shop.git/",
    ]) {
      assert.equal(pathOf(url), "acme/shop", url);
    }
    assert.equal(parseRepository("acme/shop.git/", "git_host_a")?.url, "https://github.com/acme/shop.git");
    const others = [
      "../user",
      "acme/..",
      "acme/./shop",
      "acme//shop",
      "acme/shop?x=1",
      "acme/shop#x",
      "acme/a b",
      "shop",
    ];
    for (const path of [...others, "acme/.git", "acme\\..\\user", ""]) {
      assert.equal(pathOf(`git@github.com:${path}`), undefined, path);
      assert.equal(parseRepository(path, "git_host_a"), undefined, path);
    }
  });

  test("has a page for a commit where its host is known", () => {
    assert.equal(commitUrl("https://gitlab.com/a/b.git", "abc"), "https://gitlab.com/a/b/-/commit/abc");
    assert.equal(commitUrl("git@github.com:a/b.git", "abc"), "https://github.com/a/b/commit/abc");
    assert.equal(commitUrl("https://example.com/a/b.git", "abc"), undefined);
    const own = { ...publicGitRoots, git_host_a: "https://example.com" };
    assert.equal(commitUrl("https://example.com/a/b.git", "abc", own), "https://example.com/a/b/commit/abc");
  });
});

const branches = [
  "main",
  "feature/x",
  "it's",
  "$(id)",
  "`id`",
  "a;b",
  "a&&b",
  "a|b",
  'q"q',
  "a>b",
  "ü/日本",
  "#1",
  "a=b",
  "a!b",
  "{a,b}",
  "a@b",
  "%s",
  "(x)",
  "",
  "-x",
  "--exec=id",
  "a b",
  "a\nb",
  "a\tb",
  "a..b",
  "a~1",
  "a^",
  "a:b",
  "a?b",
  "a*",
  "a[b]",
  "a\\b",
  "/a",
  "a/",
  "a//b",
  "a.lock",
  "a.lock/b",
  ".a",
  "b/.a",
  "a.",
  "a@{1}",
  "\u007f",
];

test("a branch name is what git itself takes for one", () => {
  for (const name of branches) {
    const git = spawnSync("git", ["check-ref-format", "--branch", name]).status === 0;
    assert.equal(isBranchName(name), git, JSON.stringify(name));
  }
  // In most places git interprets these as something else.
  for (const name of ["HEAD", "@"]) assert.equal(isBranchName(name), false);
});

describe("the page that compares two commits", () => {
  const [one, other] = ["a".repeat(40), "b".repeat(40)];
  const between = (repository: string, from = one, to = other) => {
    const [base, head] = [from, to].map((commit) => commitUrl(repository, commit));
    return compareUrl(base ?? "", head ?? "");
  };

  test("is that of the repository's host", () => {
    const expected = {
      "https://github.com/acme/shop.git": `https://github.com/acme/shop/compare/${one}...${other}`,
      "git@gitlab.com:acme/web/shop.git": `https://gitlab.com/acme/web/shop/-/compare/${one}...${other}`,
      "https://bitbucket.org/acme/shop": `https://bitbucket.org/acme/shop/branches/compare/${other}%0D${one}`,
      "https://github.com/acme/commits.git": `https://github.com/acme/commits/compare/${one}...${other}`,
      "https://github.com/commit/commit.git": `https://github.com/commit/commit/compare/${one}...${other}`,
    };
    for (const [repository, page] of Object.entries(expected)) assert.equal(between(repository), page);
  });

  test("is of two commits of one repository", () => {
    assert.equal(between("https://github.com/acme/shop.git", one, one), undefined);
    assert.equal(between("https://git.example.com/acme/shop.git"), undefined);
    const [shop, till] = ["shop", "till"].map((name) => commitUrl(`https://github.com/acme/${name}.git`, one) ?? "");
    assert.equal(compareUrl(shop ?? "", till ?? ""), undefined);
    assert.equal(compareUrl("", shop ?? ""), undefined);
  });
});

describe("fetching and exporting", () => {
  const directory = mkdtempSync(join(tmpdir(), "longshore-git-"));
  const layout = projectLayout(7, directory);
  let server: GitServer;
  let first: string;

  before(async () => {
    server = await startGitServer({ host: "127.0.0.1", root: join(directory, "remote") });
    first = await server.createRepository("shop", { files: { "a.txt": "1", "b c/$(id)": "x" } });
    mkdirSync(layout.mirror, { recursive: true });
  });
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  const source = (over: Partial<GitSource> = {}): GitSource => ({
    url: server.urlOf("shop"),
    branch: "main",
    access: "none",
    ...over,
  });
  const bring = (release: number, from: GitSource, after?: Script) =>
    runBash(lines(fetchCommit(layout, from, release), sh`echo "commit=$commit"`, after), directory);

  test("brings the newest commit of the branch", async () => {
    const { stdout } = await bring(1, source());
    assert.equal(stdout.trim(), `commit=${first}`);
    const second = await server.commit("shop", { files: { "a.txt": "2", "b c/$(id)": null } });
    assert.match((await bring(2, source())).stdout, new RegExp(second));
    for (const release of [1, 2]) {
      const target = join(directory, `release-${release}`);
      mkdirSync(target);
      const done = await runBash(exportCommit(layout, release, target), directory);
      assert.equal(done.code, 0, done.stderr);
      assert.equal(readFileSync(join(target, "a.txt"), "utf8"), String(release));
    }
    assert.equal(readFileSync(join(directory, "release-1/b c/$(id)"), "utf8"), "x");
  });

  test("brings a certain commit, also one that only history has", async () => {
    rmSync(layout.mirror, { recursive: true });
    mkdirSync(layout.mirror);
    assert.match((await bring(3, source())).stdout, /commit=/);
    assert.match((await bring(4, source({ commit: first }))).stdout, new RegExp(first));
  });

  test("brings the commit of a tag that no branch has, also by an annotated tag, and by the tag where ids are not served", async () => {
    const repository = `--git-dir=${join(directory, "remote/shop.git")}`;
    const git = (...args: string[]) =>
      spawnSync("git", [repository, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
        encoding: "utf8",
      }).stdout.trim();
    const commit = git("commit-tree", "-m", "Aside", "main^{tree}");
    git("tag", "-a", "-m", "One", "v1", commit);
    const tag = git("rev-parse", "refs/tags/v1");
    assert.notEqual(tag, commit);
    for (const [at, wanted] of [commit, tag].entries()) {
      rmSync(layout.mirror, { recursive: true });
      mkdirSync(layout.mirror);
      const { stdout, stderr } = await bring(20 + at, source({ commit: wanted, tag: "v1" }));
      assert.equal(stdout.trim(), `commit=${commit}`, stderr);
    }
    const moved = await bring(23, source({ commit: "1".repeat(40), tag: "v1" }));
    assert.match(moved.stderr, /The commit 1{40} does not exist/);
  });

  test("brings a commit by the first characters of its id", async () => {
    rmSync(layout.mirror, { recursive: true });
    mkdirSync(layout.mirror);
    assert.match((await bring(5, source())).stdout, /commit=/);
    const done = await bring(6, source({ commit: first.slice(0, 8) }));
    assert.match(done.stdout, new RegExp(`commit=${first}`), done.stderr);
    // Of another branch, when the mirror has all that was there before.
    const other = await server.commit("shop", { branch: "other", files: { "n.txt": "short" } });
    assert.match((await bring(7, source({ commit: other.slice(0, 12) }))).stdout, new RegExp(`commit=${other}`));
  });

  test("brings no commit by characters that several begin with, nor an object that is no commit", async () => {
    await server.createRepository("many", { files: { "a.txt": "1" } });
    const repository = `--git-dir=${join(directory, "remote/many.git")}`;
    const git = (...args: string[]) => spawnSync("git", [repository, ...args], { encoding: "utf8" }).stdout.trim();
    const commits = Array.from({ length: 2_000 }, (_, at) => {
      const from = at === 0 ? "from refs/heads/main^0\n" : "";
      return `commit refs/heads/main\ncommitter A <a@example.com> ${at + 1} +0000\ndata 1\nx\n${from}\n`;
    });
    spawnSync("git", [repository, "fast-import", "--quiet"], { input: commits.join("") });
    const ids = git("rev-list", "main").split("\n");
    assert.equal(ids.length, 2_001);
    const beginnings = ids.map((id) => id.slice(0, 4)).sort();
    const shared = beginnings.find((each, at) => each === beginnings[at + 1]);
    const several = await bring(51, source({ url: server.urlOf("many"), commit: shared }));
    assert.match(
      several.stderr,
      new RegExp(`^\\d commits of the repository .* begin with ${shared}\\. Deploy one with more`, "m"),
    );
    const tree = git("rev-parse", "main^{tree}");
    const none = await bring(52, source({ url: server.urlOf("many"), commit: tree.slice(0, 20) }));
    assert.match(none.stderr, new RegExp(`^The commit ${tree.slice(0, 20)} does not exist`, "m"));
  });

  test("fetches branches whose names would mean something to a shell", async () => {
    for (const [at, branch] of branches.filter(isBranchName).entries()) {
      const commit = await server.commit("shop", { branch, files: { "n.txt": String(at) } });
      const done = await bring(100 + at, source({ branch }));
      assert.match(done.stdout, new RegExp(commit), `${branch}: ${done.stderr}`);
    }
  });

  test("reports in a sentence what is missing", async () => {
    const cases: [Partial<GitSource>, RegExp][] = [
      [{ branch: "nope" }, /^The branch nope does not exist/],
      [{ url: `${server.url}/nothing.git` }, /^The repository .* does not exist/],
      [{ commit: `${"0".repeat(39)}1` }, /^The commit 0+1 does not exist/],
      [{ url: "http://127.0.0.1:9/x.git" }, /could not be reached/],
      [{ url: "http://nowhere.invalid/x.git" }, /could not be resolved/],
    ];
    for (const [over, expected] of cases) {
      const done = await bring(50, source(over));
      assert.equal(done.code, 1);
      assert.match(done.stderr.trim().split("\n").at(-1) ?? "", expected);
    }
  });

  test("proves who it is with a password that is in no command line", async () => {
    const credentials = { username: "bot", password: "s3cr'et $(id)" };
    await server.createRepository("private", { files: { "a.txt": "1" }, credentials });
    const url = server.urlOf("private");
    const without = await bring(60, source({ url }));
    assert.match(without.stderr.trim().split("\n").at(-1) ?? "", /refused access/);
    mkdirSync(join(directory, "secrets"), { recursive: true });
    writeFileSync(join(directory, "secrets/git-username"), credentials.username);
    writeFileSync(join(directory, "secrets/git-password"), credentials.password);
    const done = await bring(61, source({ url, access: "password" }));
    assert.match(done.stdout, /^commit=[0-9a-f]{40}\n$/, done.stderr);
  });

  describe("over SSH, with the project's own key", () => {
    let ssh: GitSshServer;
    const keys: string[] = [];
    const lastLine = ({ stderr }: { stderr: string }) => stderr.trim().split("\n").at(-1) ?? "";

    before(async () => {
      const root = join(directory, "remote");
      ssh = await startGitSsh({ host: "127.0.0.1", repositoryOf: repositoriesIn(root), keysOf: () => keys });
      await server.createRepository("hidden", {
        files: { "a.txt": "1" },
        credentials: { username: "stranger", password: "nothing" },
      });
      spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "shop", "-f", layout.deployKey]);
      mkdirSync(join(directory, "secrets"), { recursive: true });
      copyFileSync(layout.deployKey, join(directory, "secrets/deploy-key"));
      chmodSync(join(directory, "secrets/deploy-key"), 0o400);
    });
    after(() => ssh.close());

    test("names the key to add while the server does not know it", async () => {
      const done = await bring(80, source({ url: ssh.urlOf("acme/hidden") }));
      assert.equal(done.code, 1);
      const key = readFileSync(`${layout.deployKey}.pub`, "utf8").trim();
      assert.match(lastLine(done), /or it is hidden\. If it is private, add this deploy key to it with read access/);
      assert.ok(lastLine(done).endsWith(`deploy again: ${key}`), lastLine(done));
      assert.ok(!`${done.stdout}${done.stderr}`.includes("PRIVATE KEY"));
    });

    test("fetches once it does, the newest commit and a certain one", async () => {
      keys.push(readFileSync(`${layout.deployKey}.pub`, "utf8").trim());
      const url = ssh.urlOf("acme/hidden");
      const newest = await bring(81, source({ url }));
      assert.match(newest.stdout, /^commit=[0-9a-f]{40}\n$/, newest.stderr);
      const pushed = await server.commit("hidden", { files: { "a.txt": "2" } });
      assert.match((await bring(82, source({ url, commit: pushed }))).stdout, new RegExp(pushed));
    });

    test("is how a repository is fetched that is not public", async () => {
      const url = server.urlOf("hidden");
      const privateUrl = ssh.urlOf("acme/hidden");
      const before = ssh.fetched.length;
      const newest = await bring(83, source({ url, privateUrl }));
      assert.match(newest.stdout, /not public: fetching it over SSH.*\ncommit=[0-9a-f]{40}\n$/s, newest.stderr);
      const pushed = await server.commit("hidden", { files: { "a.txt": "3" } });
      const certain = await bring(84, source({ url, privateUrl, commit: pushed }));
      assert.match(certain.stdout, new RegExp(`commit=${pushed}`), certain.stderr);
      assert.equal(ssh.fetched.length, before + 2);
      // A public repository is not requested over SSH.
      await bring(85, source({ url: server.urlOf("shop"), privateUrl: ssh.urlOf("acme/shop") }));
      assert.equal(ssh.fetched.length, before + 2);
    });

    test("reports what is wrong with the branch, not with the key", async () => {
      const done = await bring(
        86,
        source({ url: server.urlOf("hidden"), privateUrl: ssh.urlOf("acme/hidden"), branch: "nope" }),
      );
      assert.match(lastLine(done), /^The branch nope does not exist/);
    });

    test("refuses a server whose host key has changed", async () => {
      const { stdout } = await runBash(
        sh`ssh-keygen -q -t ed25519 -N '' -f other && cut -d ' ' -f 1,2 other.pub`,
        directory,
      );
      writeFileSync(layout.knownHosts, `[127.0.0.1]:${ssh.port} ${stdout}`);
      const done = await bring(87, source({ url: ssh.urlOf("acme/hidden") }));
      assert.match(lastLine(done), /host key of the git server is not the one seen before/);
    });
  });

  test("brings commits of either object format, and of the other after a repository was made again", async () => {
    const old = await server.createRepository("long", { files: { "a.txt": "one" }, objectFormat: "sha256" });
    assert.equal(old.length, 64);
    const newest = await server.commit("long", { files: { "a.txt": "two" } });
    const long = source({ url: server.urlOf("long") });
    for (const [release, from, commit, text] of [
      [80, long, newest, "two"],
      [81, { ...long, commit: old }, old, "one"],
      [82, source({ commit: first }), first, "1"],
      [83, { ...long, commit: newest }, newest, "two"],
    ] as const) {
      const done = await bring(release, from);
      assert.match(done.stdout, new RegExp(`^commit=${commit}$`, "m"), done.stderr);
      const target = join(directory, `release-${release}`);
      mkdirSync(target);
      assert.equal((await runBash(exportCommit(layout, release, target), directory)).code, 0);
      assert.equal(readFileSync(join(target, "a.txt"), "utf8"), text);
    }
    const nothing = await bring(84, { ...long, commit: "1".repeat(64) });
    assert.match(nothing.stderr, /The commit 1{64} does not exist/);
  });

  test("repairs a mirror that a power cut has damaged", async () => {
    const fresh = await server.commit("shop", { files: { "a.txt": "new" } });
    await runBash(sh`find ${layout.mirror}/objects -type f -exec chmod u+w {} + -exec truncate -s 0 {} +`, directory);
    writeFileSync(join(layout.mirror, "shallow.lock"), "");
    const done = await bring(70, source());
    assert.match(done.stdout, new RegExp(fresh), done.stderr);
  });
});
