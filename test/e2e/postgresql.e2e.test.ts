import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { distributionNames } from "../../sandbox/distributions.ts";
import { downServer, upServer } from "../../sandbox/sandbox.ts";
import { newKey } from "../../src/lib/secrets.ts";
import { longshore, type Platform, startPlatform } from "../../src/tests/platform.ts";
import { api, waitFor } from "../../stage/api-client.ts";
import { bashOn } from "../../stage/stage.ts";
import { lengthy } from "../../stage/support.ts";

// The PostgreSQL that distributions package, prepared as docs/operations.md says, and two processes that share it over the network.
// LONGSHORE_TEST_DISTRIBUTIONS=jammy also runs it on Ubuntu 22.04, whose PostgreSQL is the oldest; `all` on every one.

const root = join(import.meta.dirname, "../..");

/** The major version of each distribution. */
const packaged: Record<string, number> = { bookworm: 15, trixie: 17, jammy: 14, noble: 16, resolute: 18 };

const asked = process.env.LONGSHORE_TEST_DISTRIBUTIONS ?? "";
const others = asked === "all" ? distributionNames : asked.split(",").filter(Boolean);

/** The statement of the document that makes the database. */
async function documentedStatement(): Promise<string> {
  const text = await readFile(join(root, "docs/operations.md"), "utf8");
  const [, statement] = /`(create database longshore [^`]*)`/.exec(text.replaceAll(/\s+/g, " ")) ?? [];
  assert.ok(statement, "docs/operations.md has the statement");
  return statement;
}

for (const codeName of new Set(["bookworm", ...others])) {
  describe(`on the PostgreSQL of ${codeName}, an installation of two processes`, () => {
    const name = `postgresql-${codeName}-${process.pid}`;
    let directory: string;
    let env: Record<string, string>;
    const running: Platform[] = [];

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), "longshore-postgresql-"));
      const { address } = await upServer({ name, distribution: codeName });
      const own = address.replace(/\d+$/, "1");
      const version = await bashOn(name)(`
        export DEBIAN_FRONTEND=noninteractive
        { apt-get update && apt-get install -y --no-install-recommends postgresql; } > /dev/null 2>&1
        settings=$(echo /etc/postgresql/*/main)
        echo "listen_addresses = '*'" >> "$settings/postgresql.conf"
        echo 'host all all ${own}/32 scram-sha-256' >> "$settings/pg_hba.conf"
        systemctl restart postgresql
        cd / && runuser -u postgres -- psql -q <<'SQL'
          create role longshore login password 'a p@ssword';
          ${await documentedStatement()};
SQL
        runuser -u postgres -- psql -At -c 'show server_version_num'`);
      assert.equal(Math.floor(Number(version) / 10_000), packaged[codeName]);
      const url = `postgresql://longshore:${encodeURIComponent("a p@ssword")}@${address}:5432/longshore`;
      env = { DATABASE_URL: url, LONGSHORE_SECRET_KEY: newKey() };
    }, lengthy);

    after(async () => {
      for (const { signal } of running) signal("SIGKILL");
      await Promise.all(running.map(({ ended }) => ended));
      await downServer(name);
      await rm(directory, { recursive: true, force: true });
    });

    const start = async (role: string): Promise<Platform> => {
      const platform = await startPlatform(directory, { ...env, LONGSHORE_ROLE: role });
      running.push(platform);
      return platform;
    };

    it("stores, searches and works", lengthy, async () => {
      const { url } = await start("api");
      await start("worker");
      await longshore(["admin", "user", "--email", "alice@example.com", "--name", "Alice", "--organization", "A"], env);
      const args = ["--email", "alice@example.com", "--name", "test", "--permissions", "*", "--json"];
      const { stdout } = await longshore(["admin", "token", ...args], env);
      const client = api({ url, token: (JSON.parse(stdout) as { token: string }).token });
      // In an address block for documentation: the worker reports that nothing answers there.
      const body = { name: "Öland 1", server_os: "debian_12", public_ip: "192.0.2.1" } as const;
      const { server_id: id } = await client("POST /api/v1/servers", { body });
      const { data } = await client("GET /api/v1/search", { query: { q: "öland" } });
      assert.ok(JSON.stringify(data).includes("Öland 1"), JSON.stringify(data));
      const isReported = async () => {
        const { data: server } = await client("GET /api/v1/servers/{id}", { params: { id } });
        return "connection_error" in server && server.connection_error !== null;
      };
      await waitFor("the worker's report", isReported, { timeoutMs: 120_000 });
    });

    it("has the indexes that searches use", async () => {
      const indexes = await bashOn(name)(
        `cd / && runuser -u postgres -- psql -At longshore -c "select count(*) from pg_indexes where indexdef like '%gin_trgm_ops%'"`,
      );
      assert.ok(Number(indexes) > 0);
    });
  });
}
