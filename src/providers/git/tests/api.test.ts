import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { dialectA } from "../../../../test/git-hosts/git-host-a.ts";
import { dialectB } from "../../../../test/git-hosts/git-host-b.ts";
import { dialectC } from "../../../../test/git-hosts/git-host-c.ts";
import { GitHost } from "../../../../test/git-hosts/host.ts";
import { AppError } from "../../../lib/errors.ts";
import type { HostAccess } from "../git-host.ts";
import { gitHostApis } from "../git-hosts.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7mS4x8b4e5Ywq2v0yS3kqz0w2iTq9qkA2cZ8m6uE1t";
const otherKey = key.replace("IJ7m", "IJ8n");
const url = "https://panel.example.com/api/v1/hooks/git_host_a/token";
const isOurs = (text: string) => text.endsWith("/token");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

const hosts = [
  { type: "git_host_a", dialect: dialectA, label: "GitHub", path: "acme/shop" },
  { type: "git_host_b", dialect: dialectB, label: "GitLab", path: "acme/web/shop" },
  { type: "git_host_c", dialect: dialectC, label: "Bitbucket", path: "acme/shop" },
] as const;

for (const { type, dialect, label, path } of hosts) {
  describe(label, () => {
    const api = gitHostApis[type];
    let host: GitHost;
    let access: HostAccess;

    before(async () => {
      host = await new GitHost(dialect).listen();
      access = {
        apiUrl: host.apiUrl,
        credentials: { token: host.token, ...(type === "git_host_c" ? { username: "bot@example.com" } : {}) },
      };
    });
    after(() => host.close());
    beforeEach(() => {
      host.repositories.clear();
      host.addRepository(path);
      host.requests.length = 0;
    });

    const repository = () => host.repositories.get(path) ?? assert.fail();
    const refused = (expected: RegExp, isPermanent: boolean) => (error: unknown) => {
      assert.ok(error instanceof AppError, String(error));
      assert.match(error.message, expected);
      assert.equal(error.permanent, isPermanent);
      return true;
    };

    it("returns whom the credentials belong to, and refuses wrong ones in a sentence", async () => {
      assert.equal(await api.accountOf(access), host.account);
      const wrong = { ...access, credentials: { ...access.credentials, token: "wrong" } };
      await assert.rejects(api.accountOf(wrong), refused(/refused the token: it is wrong, has expired/, true));
    });

    it("lists repositories to the last page, in its own pages", async () => {
      for (let n = 0; n < 24; n += 1) host.addRepository(`acme/site-${String(n).padStart(2, "0")}`);
      for (let n = 0; n < 3; n += 1) host.addRepository(`zeta/site-${n}`, { isPrivate: false });
      const seen: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await api.listRepositories(access, { cursor, perPage: 10 });
        assert.ok(page.items.length <= 10);
        seen.push(...page.items.map((each) => each.path));
        cursor = page.next ?? undefined;
        pages += 1;
      } while (cursor !== undefined);
      assert.deepEqual(seen.toSorted(), [...host.repositories.keys()].toSorted());
      assert.equal(new Set(seen).size, seen.length);
      assert.ok(pages >= 3, `${pages} pages`);
    });

    it("lists branches, with names of any kind", async () => {
      repository().branches.set("feature/x", "b".repeat(40));
      const { items, next } = await api.listBranches(access, path, { cursor: undefined, perPage: 100 });
      assert.deepEqual(items, [
        { name: "main", commitId: "a".repeat(40) },
        { name: "feature/x", commitId: "b".repeat(40) },
      ]);
      assert.equal(next, null);
    });

    it("searches repositories by a part of their path, in any case, each once over pages", async () => {
      for (let n = 0; n < 240; n += 1) host.addRepository(`acme/site-${String(n).padStart(3, "0")}`);
      for (let n = 0; n < 13; n += 1) host.addRepository(`zeta/Blog-${n}`);
      const found = async (text: string) => {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await api.listRepositories(access, { cursor, perPage: 5, text });
          assert.ok(page.items.length <= 5);
          seen.push(...page.items.map((each) => each.path));
          cursor = page.next ?? undefined;
        } while (cursor !== undefined);
        assert.equal(new Set(seen).size, seen.length);
        return seen.toSorted();
      };
      const expected = (text: string) =>
        [...host.repositories.keys()].filter((each) => each.toLowerCase().includes(text)).toSorted();
      for (const text of ["blog", "g-1", "e-23", "zeta/", "-9", "a/"]) {
        assert.deepEqual(await found(text.toUpperCase()), expected(text), text);
      }
      for (const text of ["nothing", "site.0", "%", '"', "\\"]) assert.deepEqual(await found(text), [], text);
    });

    it("searches branches by a part of their name, as it is", async () => {
      for (const name of ["feature/Login", "fix/login-$1", "release/1.0"])
        repository().branches.set(name, "b".repeat(40));
      const found = async (text: string) =>
        (await api.listBranches(access, path, { cursor: undefined, perPage: 100, text })).items.map(({ name }) => name);
      assert.deepEqual(await found("LOGIN"), ["feature/Login", "fix/login-$1"]);
      assert.deepEqual(await found("login-$"), ["fix/login-$1"]);
      assert.deepEqual(await found("/1.0"), ["release/1.0"]);
      for (const text of ["^feature", "0$", "*", 'x" OR name ~ "', "\\"]) assert.deepEqual(await found(text), [], text);
    });

    it("reads the newest commit of a branch, directories and files", async () => {
      const { branches, files } = repository();
      branches.set("feature/x", "b".repeat(40));
      for (const [name, text] of [
        ["package.json", '{"name": "shop"}\n'],
        [".nvmrc", "20.10"],
        ["apps/web site/a+b@1.ts", "true"],
        ["apps/empty", ""],
        ["binary", "\u00e4\u0000\u20ac"],
      ] as const)
        files.set(name, text);
      for (let n = 0; n < 150; n++) files.set(`many/${n}.txt`, String(n));
      assert.equal(await api.findCommit(access, path, "feature/x"), "b".repeat(40));
      assert.equal(await api.findCommit(access, path, "gone"), undefined);
      assert.equal(await api.findCommit(access, "acme/other", "main"), undefined);
      const at = (place: string) => ({ commit: "b".repeat(40), place });
      const paths = async (place: string) =>
        (await api.listDirectory(access, path, at(place)))
          .map((each) => `${each.path}${each.isDirectory ? "/" : ""}`)
          .toSorted();
      assert.deepEqual(await paths(""), [".nvmrc", "apps/", "binary", "many/", "package.json"]);
      assert.deepEqual(await paths("apps"), ["apps/empty", "apps/web site/"]);
      assert.deepEqual(await paths("apps/web site"), ["apps/web site/a+b@1.ts"]);
      assert.equal((await paths("many")).length, 150);
      for (const [name, text] of files) {
        if (name.startsWith("many/")) continue;
        assert.equal((await api.readFile(access, path, at(name)))?.toString(), text, name);
      }
      assert.equal(await api.readFile(access, path, at("gone")), undefined);
    });

    it("finds a repository, and reports when it does not", async () => {
      assert.deepEqual(await api.getRepository(access, path), {
        path,
        isPrivate: true,
        defaultBranch: "main",
        sshUrl: `git@git.example.com:${path}.git`,
        webUrl: `https://${label.toLowerCase()}.${label === "Bitbucket" ? "org" : "com"}/${path}`,
      });
      await assert.rejects(
        api.getRepository(access, "acme/none"),
        refused(/did not find .*acme\/none, or the token/, true),
      );
    });

    it("registers a key that only reads once, however often it is asked to, and removes it", async () => {
      const asked = { title: "Longshore: Shop", publicKey: `${key} longshore-project-1` };
      const id = await api.registerKey(access, path, asked);
      assert.equal(await api.registerKey(access, path, asked), id);
      assert.equal(repository().keys.length, 1);
      await api.removeKey(access, path, { id, publicKey: key });
      await api.removeKey(access, path, { id, publicKey: key });
      assert.deepEqual(repository().keys, []);
    });

    it("finds a key whose registration it received no answer about", async () => {
      host.troubles.push({ line: /^POST .*keys$/, trouble: "no answer" });
      await assert.rejects(
        api.registerKey(access, path, { title: "x", publicKey: key }),
        refused(/could not be reached/, false),
      );
      for (let n = 0; n < 120; n += 1) repository().keys.unshift({ id: 1_000 + n, title: "x", key: otherKey });
      const id = await api.registerKey(access, path, { title: "x", publicKey: key });
      assert.equal(id, String(repository().keys.at(-1)?.id));
      await api.removeKey(access, path, { id: null, publicKey: key });
      assert.equal(repository().keys.length, 120);
    });

    it("registers a hook for pushes once, changes it where it differs, and removes it", async () => {
      const id = await api.registerHook(access, path, {
        url: "https://old.example.com/token",
        secret: "old",
        tags: false,
        isOurs,
      });
      assert.equal(await api.registerHook(access, path, { url, secret, tags: false, isOurs }), id);
      assert.equal(repository().hooks.length, 1);
      assert.deepEqual({ url: repository().hooks[0]?.url, secret: repository().hooks[0]?.secret }, { url, secret });
      await api.removeHook(access, path, { id: null, isOurs });
      await api.removeHook(access, path, { id, isOurs });
      assert.deepEqual(repository().hooks, []);
    });

    it("leaves the hooks of others alone", async () => {
      repository().hooks.push({ id: "7", url: "https://ci.example.com/hook", secret: "theirs" });
      await api.registerHook(access, path, { url, secret, tags: false, isOurs });
      await api.removeHook(access, path, { id: null, isOurs });
      assert.deepEqual(repository().hooks, [{ id: "7", url: "https://ci.example.com/hook", secret: "theirs" }]);
    });

    it("takes limits and errors of the host for passing", async () => {
      host.troubles.push({
        line: /^GET/,
        trouble: { status: 429, headers: { "retry-after": "7" }, body: "Retry later" },
      });
      await assert.rejects(api.getRepository(access, path), (error: unknown) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.headers["Retry-After"], "7");
        assert.equal(error.retryAfterMs, 7_000);
        return refused(/asks to wait/, false)(error);
      });
      host.troubles.push({ line: /^GET/, trouble: { status: 502, body: "<html>" } });
      await assert.rejects(api.getRepository(access, path), refused(/answered with an error \(502\)/, false));
      const unreachable = { ...access, apiUrl: "http://127.0.0.1:9" };
      await assert.rejects(api.getRepository(unreachable, path), refused(/could not be reached/, false));
    });

    it("waits until the date that the host gives", async () => {
      const date = new Date(Date.now() + 300_000).toUTCString();
      host.troubles.push({ line: /^GET/, trouble: { status: 429, headers: { "retry-after": date }, body: "Later" } });
      await assert.rejects(api.getRepository(access, path), (error: unknown) => {
        assert.ok(error instanceof AppError);
        const seconds = Number(error.headers["Retry-After"]);
        return seconds > 290 && seconds <= 300;
      });
    });

    it("reports the host's reason when it forbids something", async () => {
      const body = JSON.stringify({
        message: "Deploy keys are disabled here.",
        error: { message: "Deploy keys are disabled here." },
      });
      host.troubles.push({ line: /^POST/, trouble: { status: 403, body } });
      await assert.rejects(
        api.registerKey(access, path, { title: "x", publicKey: key }),
        refused(/may not do this .* Deploy keys are disabled here\./, true),
      );
    });

    it("sends the token to no address that the host names", async () => {
      const seen: (string | undefined)[] = [];
      const stranger = await new GitHost({
        ...dialect,
        isAllowed: (headers) => seen.push(headers.authorization) > 0,
      }).listen();
      try {
        host.troubles.push({
          line: /^GET/,
          trouble: { status: 301, headers: { location: `${stranger.apiUrl}/elsewhere` } },
        });
        await assert.rejects(api.getRepository(access, path), refused(/\(301\)/, true));
        assert.deepEqual(seen, []);
      } finally {
        await stranger.close();
      }
    });
  });
}

describe("what one host alone does", () => {
  it("GitHub: follows a renamed repository, and refuses a classic token that is too narrow", async () => {
    const host = await new GitHost(dialectA).listen();
    try {
      const access = { apiUrl: host.apiUrl, credentials: { token: host.token } };
      host.addRepository("acme/new");
      host.troubles.push({
        line: /old$/,
        trouble: { status: 301, headers: { location: `${host.apiUrl}/repos/acme/new` } },
      });
      assert.equal((await gitHostApis.git_host_a.getRepository(access, "acme/old")).path, "acme/new");
      host.troubles.push({
        line: /user/,
        trouble: { status: 200, headers: { "x-oauth-scopes": "read:user" }, body: "{}" },
      });
      await assert.rejects(gitHostApis.git_host_a.accountOf(access), /needs the scope repo/);
    } finally {
      await host.close();
    }
  });

  it("GitLab: an old version gets the secret in clear, a new one never does, and both report tags where that is wanted", async () => {
    const host = await new GitHost(dialectB).listen();
    try {
      const access = { apiUrl: host.apiUrl, credentials: { token: host.token } };
      const { hooks } = host.addRepository("acme/shop");
      host.knowsSigning = false;
      await gitHostApis.git_host_b.registerHook(access, "acme/shop", { url, secret, tags: false, isOurs });
      assert.equal(hooks[0]?.secret, secret);
      assert.equal(hooks[0]?.isPlain, true);
      host.knowsSigning = true;
      await gitHostApis.git_host_b.registerHook(access, "acme/shop", { url, secret, tags: false, isOurs });
      assert.equal(hooks.length, 1);
      assert.equal(hooks[0]?.isPlain, false);
      assert.equal(hooks[0]?.tags, false);
      await gitHostApis.git_host_b.registerHook(access, "acme/shop", { url, secret, tags: true, isOurs });
      assert.deepEqual([hooks.length, hooks[0]?.tags], [1, true]);
    } finally {
      await host.close();
    }
  });

  it("Bitbucket: an access token has no account, so its workspace is asked for", async () => {
    const host = await new GitHost(dialectC).listen();
    try {
      host.addRepository("acme/shop");
      host.addRepository("other/shop");
      const access = { apiUrl: host.apiUrl, credentials: { token: host.token, workspace: "acme" } };
      assert.equal(await gitHostApis.git_host_c.accountOf(access), "acme");
      const { items, next } = await gitHostApis.git_host_c.listRepositories(access, { cursor: undefined, perPage: 10 });
      assert.deepEqual([items.map((each) => each.path), next], [["acme/shop"], null]);
      const elsewhere = await gitHostApis.git_host_c.listRepositories(access, { cursor: "other?page=1", perPage: 10 });
      assert.deepEqual(elsewhere, { items: [], next: null });
    } finally {
      await host.close();
    }
  });
});
