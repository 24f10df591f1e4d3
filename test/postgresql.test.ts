import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import pg from "pg";
import { runCommand } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { longshore } from "../src/tests/platform.ts";
import { debianPostgres, packagedPostgres, startInstalledPostgres } from "./installed-postgres.ts";

// DATABASE_URL may name PostgreSQL 14 or a newer one. The other tests use the embedded 18; these use older ones.

const root = join(import.meta.dirname, "..");

const everyRoute = "test/route-coverage.test.ts";

/** The schema, the queue, and what works in the background. */
const files = [
  "test/upgrades/upgrades.test.ts",
  "src/db/tests/migrate.test.ts",
  "src/db/tests/connection-check.test.ts",
  "src/engine/queue/tests/queue.test.ts",
  "src/engine/reconcile/tests/reconcile.test.ts",
  "src/engine/schedule/tests/schedule.test.ts",
  "src/features/monitors/tests/jobs.test.ts",
  "src/features/servers/tests/delete.test.ts",
  "src/features/projects/groups/tests/groups.test.ts",
];

const versions = [
  { name: "the oldest PostgreSQL, 14", programs: () => packagedPostgres(14), tests: [everyRoute, ...files] },
  {
    name: "Debian 12's PostgreSQL, 15",
    programs: async () => {
      await ensurePackages(["postgresql-15"], "the tests use an older PostgreSQL too");
      return debianPostgres;
    },
    tests: files,
  },
];

for (const { name, programs, tests } of versions) {
  describe(`on ${name}`, () => {
    let directory: string;
    before(async () => {
      directory = await programs();
    });

    for (const file of tests) {
      it(`${file} passes`, async () => {
        const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
        const env = { ...inherited, TEST_POSTGRES: directory };
        const args = ["--disable-warning=ExperimentalWarning", "--test", "--test-reporter=dot", join(root, file)];
        const { exitCode, stdout, stderr } = await runCommand([process.execPath, ...args], { env });
        assert.equal(exitCode, 0, stdout + stderr);
      });
    }
  });
}

describe("on PostgreSQL 13", () => {
  it("Longshore refuses to start, in one sentence, and creates nothing", async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "longshore-old-"));
    const postgres = await startInstalledPostgres(await packagedPostgres(13), directory);
    t.after(async () => {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    });
    const { exitCode, stderr } = await longshore(["up", "--data", directory, "--port", "0"], {
      DATABASE_URL: postgres.url,
    });
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /^longshore: DATABASE_URL: PostgreSQL at \S+ is version 13\.\d+; Longshore needs 14 or newer\. Upgrade it, or use another one\.$/m,
    );
    const client = new pg.Client(postgres.url);
    await client.connect();
    const { rows } = await client.query("select relname from pg_class where relnamespace = 'public'::regnamespace");
    await client.end();
    assert.deepEqual(rows, []);
  });
});
