import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { readMigrations } from "../../src/db/migrate.ts";
import { newKey } from "../../src/lib/secrets.ts";
import { version } from "../../src/lib/version.ts";
import { longshore, type Platform, startPlatform } from "../../src/tests/platform.ts";
import { type Api, api } from "../../stage/api-client.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { key } from "./fill.ts";

// The databases of all releases, as `./longshore release` wrote them. This version starts on each, and its migrations are those
// that the releases applied.

const releases = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.replace(/\.sql$/, ""));

/** Routes that list something, without parameters. */
const lists = await listPaths();

async function listPaths(): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, "../../contract/openapi.json"), "utf8");
  const { paths } = JSON.parse(text) as { paths: Record<string, { get?: { parameters?: { required?: boolean }[] } }> };
  return Object.entries(paths)
    .filter(
      ([path, { get }]) =>
        get &&
        path.startsWith("/api/v1/") &&
        !/[{]|events$/.test(path) &&
        !get.parameters?.some(({ required }) => required),
    )
    .map(([path]) => path);
}

describe("a version with a release's number", () => {
  it("is kept with its database", () => {
    if (version.includes("-")) return;
    assert.ok(releases.includes(version), `Keep the database of ${version}: ./longshore release`);
  });
});

for (const release of releases) {
  describe(`the database of ${release}`, () => {
    let database: TestDatabase;
    let platform: Platform;
    let client: Api;
    const env = () => ({ DATABASE_URL: database.url, LONGSHORE_SECRET_KEY: key, LONGSHORE_DNS: "127.0.0.1:9" });

    before(async () => {
      database = await testDatabase({ migrated: false });
      const session = new pg.Client(database.url);
      await session.connect();
      await session.query(await readFile(join(import.meta.dirname, `${release}.sql`), "utf8"));
      await session.end();
    });
    after(async () => {
      platform?.signal("SIGTERM");
      await platform?.ended;
      await database?.drop();
    });

    it("was made by the migrations that are here", async () => {
      const found = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));
      const { rows } = await database.pool.query<{ name: string; checksum: string }>(
        "select name, checksum from schema_migrations order by number",
      );
      const changed = rows.filter(({ name, checksum }) => found.get(name) !== checksum).map(({ name }) => name);
      const remedy =
        release === version
          ? `If ${release} is not published yet, ./longshore release keeps its database again. Otherwise put`
          : "Put";
      const sentence = `${release} was released with ${changed.join(", ")}, and its installations compare the checksums. ${remedy} the files back, and change the schema in a new one.`;
      assert.deepEqual(changed, [], sentence);
      if (release !== version) return;
      const added = [...found.keys()].slice(rows.length);
      assert.deepEqual(
        added,
        [],
        `${release} is kept without ${added.join(", ")}: ./longshore release keeps it again.`,
      );
    });

    it("is one that this version starts on", async () => {
      platform = await startPlatform("/nonexistent", env());
      assert.equal((await fetch(`${platform.url}/api/v1/health`)).status, 200);
    });

    it("is one that admin works on", async () => {
      const args = ["--email", "alice@example.com", "--name", "after the upgrade", "--permissions", "*", "--json"];
      const { stdout, stderr } = await longshore(["admin", "token", ...args], env());
      assert.equal(stderr, "");
      client = api({ url: platform.url, token: (JSON.parse(stdout) as { token: string }).token });
    });

    it("is one that every list is read from", async () => {
      const answers = await Promise.all(
        lists.map(async (path) => ({ path, ...(await client.unchecked(`GET ${path}`)) })),
      );
      const failed = answers.filter(({ status }) => status !== 200).map(({ path, status }) => `${path}: ${status}`);
      assert.deepEqual(failed, []);
      const servers = answers.find(({ path }) => path === "/api/v1/servers")?.body as { data: { name: string }[] };
      assert.ok(servers.data.some(({ name }) => name === "hidden server"));
    });

    it("is one whose secrets are all read, and put under another key", async () => {
      const both = { ...env(), LONGSHORE_SECRET_KEY: `${newKey()},${key}` };
      const { stdout, stderr } = await longshore(["admin", "rotate-key", "--json"], both);
      assert.equal(stderr, "");
      assert.ok((JSON.parse(stdout) as { rotated: number }).rotated > 20);
    });
  });
}
