import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { FreshServer, passwords } from "./fresh-server.ts";

// The plans of servers that hold data, one after the other on one real server.

/** For a whole setup, and another one. */
const lengthy = { timeout: 1_800_000 };

let server: FreshServer;

before(async () => {
  server = await FreshServer.boot("data", "bookworm");
});

after(() => server?.down());

const peers = ["10.99.0.7", "fd00::7"];

const firewall = (): Promise<string> => server.bash("nft list chain inet longshore input");

describe("setting up a cache server", () => {
  it("succeeds with every step, and changes nothing when it runs again", lengthy, async () => {
    const steps = server.steps({ serverType: 2, peers });
    assert.deepEqual(await server.failuresOf(steps), []);
    const afterSetup = await server.state();
    assert.deepEqual(await server.failuresOf(steps), []);
    assert.equal(await server.state(), afterSetup);
    assert.match((await server.facts()).get("redis_version") ?? "", /^\d+\.\d+\.\d+$/);
  });

  it("has a Redis that asks for its password", async () => {
    assert.match(await server.bash("redis-cli ping 2>&1"), /NOAUTH/);
    assert.equal(await server.bash(`REDISCLI_AUTH=${passwords.redis_password} redis-cli ping`), "PONG");
    assert.equal(await server.bash("stat -c '%a %U %G' /etc/redis/longshore.conf"), "640 root redis");
  });

  it("lets the organization's other servers through and no others", async () => {
    assert.match(await firewall(), /ip saddr 10\.99\.0\.7 tcp dport 6379 accept/);
    assert.match(await firewall(), /ip6 saddr fd00::7 tcp dport 6379 accept/);
    assert.doesNotMatch(await firewall(), /dport \{ 80/);
  });
});

describe("setting up a search server", () => {
  it("reports in one sentence why there is no Meilisearch when no release is configured", lengthy, async () => {
    const failures = await server.failuresOf(server.steps({ serverType: 3, peers }));
    assert.deepEqual(
      failures.map(({ key, output }) => [key, output.trim().split("\n").at(-1)]),
      [
        [
          "meilisearch",
          "Meilisearch was not installed: no address of a release is configured, and no distribution packages it.",
        ],
        ["meilisearch-settings", "Meilisearch is not installed, so it was not set up."],
        ["meilisearch-answers", "Meilisearch is not installed, so it was not started."],
        ["services", "These services do not run or do not start with the server: meilisearch."],
      ],
    );
  });

  // Meilisearch cannot be downloaded in every network: a stand-in responds as it does.
  const standIn = `#!/usr/bin/env python3
import http.server, os, sys
if "--version" in sys.argv:
    print("meilisearch 1.99.0")
    sys.exit()
host, port = os.environ["MEILI_HTTP_ADDR"].split(":")
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        key = "Bearer " + os.environ["MEILI_MASTER_KEY"]
        self.send_response(200 if self.path == "/health" or self.headers["Authorization"] == key else 401)
        self.end_headers()
http.server.ThreadingHTTPServer((host, int(port)), Handler).serve_forever()
`;

  const search = { url: "file:///root/stand-in", sha256: createHash("sha256").update(standIn).digest("hex") };

  it("throws a release away that is not what its checksum says", async () => {
    await server.bash(`cat > /root/stand-in <<'END'\n${standIn}END`);
    const wrong = server.steps({ serverType: 3, peers, search: { ...search, sha256: "0".repeat(64) } });
    const [first] = await server.failuresOf(wrong.filter((step) => step.key === "meilisearch"));
    assert.match(first?.output ?? "", /is not what its checksum says\.\s*$/);
  });

  it("succeeds with every step, and changes nothing when it runs again", lengthy, async () => {
    const steps = server.steps({ serverType: 3, peers, search });
    assert.deepEqual(await server.failuresOf(steps), []);
    const afterSetup = await server.state();
    assert.deepEqual(await server.failuresOf(steps), []);
    assert.equal(await server.state(), afterSetup);
    assert.equal((await server.facts()).get("search_version"), "1.99.0");
  });

  it("gives it a master key that only root reads", async () => {
    const ask = (key: string) =>
      server.bash(
        `curl -s -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${key}' http://127.0.0.1:7700/keys`,
      );
    assert.equal(await ask("no"), "401");
    assert.equal(await ask(passwords.search_key), "200");
    assert.equal(await server.bash("stat -c '%a %U' /etc/longshore/meilisearch.env"), "600 root");
    assert.match(await firewall(), /ip saddr 10\.99\.0\.7 tcp dport 7700 accept/);
  });
});

describe("Meilisearch", () => {
  it("is confined", async () => {
    const report = await server.bash("systemd-analyze security --no-pager meilisearch.service");
    assert.ok(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1]) <= 4, report);
  });
});

describe("setting up a database server with PostgreSQL", () => {
  it("succeeds with every step, and changes nothing when it runs again", lengthy, async () => {
    const steps = server.steps({ serverType: 1, databaseEngine: "postgresql", peers });
    assert.deepEqual(await server.failuresOf(steps), []);
    const afterSetup = await server.state();
    assert.deepEqual(await server.failuresOf(steps), []);
    assert.equal(await server.state(), afterSetup);
    assert.match((await server.facts()).get("database_version") ?? "", /^PostgreSQL \d+\.\d+$/);
  });

  it("gives the database's user the database and no other, whatever is in the password", async () => {
    const connect = (database: string) =>
      server.bash(
        `PGPASSWORD=$(< /run/longshore-test/database_password) psql -h 127.0.0.1 -U app_user -d ${database} -Atc 'select 1' 2>&1 || true`,
      );
    assert.equal(await connect("app"), "1");
    assert.match(await connect("postgres"), /permission denied/);
    assert.match(
      await server.bash("PGPASSWORD=wrong psql -h 127.0.0.1 -U app_user -d app -c 'select 1' 2>&1 || true"),
      /password authentication failed/,
    );
  });

  it("listens to the organization's other servers", async () => {
    assert.match(await server.bash("ss -Hltn 'sport = :5432'"), /0\.0\.0\.0:5432/);
    assert.match(await firewall(), /ip saddr 10\.99\.0\.7 tcp dport 5432 accept/);
  });
});

describe("setting up an App server with PostgreSQL", () => {
  it("has the database, and closes its port", lengthy, async () => {
    // The rest is the same as with MariaDB, which the App server's test covers.
    const phases = ["security", "database"];
    const steps = server.steps({ databaseEngine: "postgresql" }).filter(({ phase }) => phases.includes(phase));
    assert.deepEqual(await server.failuresOf(steps), []);
    assert.match(await server.bash("ss -Hltn 'sport = :5432'"), /127\.0\.0\.1:5432/);
    assert.doesNotMatch(await firewall(), /5432/);
  });
});
