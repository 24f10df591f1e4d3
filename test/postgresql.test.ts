import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { runCommand } from "../sandbox/command.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { debianPostgres } from "./installed-postgres.ts";

// DATABASE_URL may name PostgreSQL 14 or a newer one. The other tests use the embedded 18; these use Debian 12's 15.

const root = join(import.meta.dirname, "..");

/** Every route, the queue, and what works in the background. */
const files = [
  "test/route-coverage.test.ts",
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

describe("on Debian 12's PostgreSQL", () => {
  before(() => ensurePackages(["postgresql-15"], "the tests use an older PostgreSQL too"));

  for (const file of files) {
    it(`${file} passes`, async () => {
      const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
      const env = { ...inherited, TEST_POSTGRES: debianPostgres };
      const args = ["--disable-warning=ExperimentalWarning", "--test", "--test-reporter=dot", join(root, file)];
      const { exitCode, stdout, stderr } = await runCommand([process.execPath, ...args], { env });
      assert.equal(exitCode, 0, stdout + stderr);
    });
  }
});

// No package has 14: its SQL is looked through for what only newer ones have. Test by hand with TEST_POSTGRES (CONTRIBUTING.md).
describe("the SQL of the product", () => {
  const newer: Record<number, RegExp[]> = {
    15: [
      /nulls not distinct/,
      /on delete set (?:null|default) \(/,
      /\bmerge into\b/,
      /security_invoker/,
      /\bregexp_(?:count|instr|like|substr)\(/,
    ],
    16: [
      /^\s+\w+ \w+(?:\[\])? storage \w+/m,
      /\bany_value\(/,
      /\bis (?:not )?json\b/,
      /\bjson_(?:array|object|arrayagg|objectagg)\(/,
      /\b(?:array_sample|array_shuffle|random_normal|date_add|date_subtract|pg_input_is_valid)\(/,
      /\b0[xob]_?[\da-f]+\b(?=\s*(?:,|\)|;|::|from))/,
    ],
    17: [
      /\bjson_(?:table|query|value|exists|scalar|serialize)\(/,
      /\bmerge_action\(/,
      /\bat local\b/,
      /\b(?:to_bin|to_oct|uuid_extract_\w+|transaction_timeout)\b/,
      /\blocale_provider\b/,
    ],
    18: [
      /\buuidv[47]\(/,
      /\breturning (?:with \(|(?:old|new)\.)/,
      /\bgenerated always as \([^)]*\) virtual\b/,
      /\bwithout overlaps\b/,
      /\bnot enforced\b/,
      /\b(?:casefold|array_sort|array_reverse|crc32c?)\(/,
    ],
  };

  /** Migrations, and files that send SQL to Longshore's own database. */
  const sources = globSync("src/**/*.{sql,ts}", { cwd: root })
    .filter((file) => !/\/(?:tests|host)\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
    .filter(({ file, text }) => file.endsWith(".sql") || /\bsql`/.test(text));

  for (const [version, patterns] of Object.entries(newer)) {
    it(`has nothing that needs PostgreSQL ${version}`, () => {
      const found = sources.flatMap(({ file, text }) => {
        const statements = text.replace(/^\s*(?:--|\/\/|\*).*$/gm, "").toLowerCase();
        return patterns.filter((pattern) => pattern.test(statements)).map((pattern) => `${file}: ${pattern.source}`);
      });
      assert.deepEqual(found, []);
    });
  }
});
