import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { forcedCommand } from "../src/features/moves/source.ts";
import { probeEngine } from "../src/host/databases/databases.ts";
import { dumpDatabase, loaderOf } from "../src/host/databases/dumps.ts";
import { projectLayout } from "../src/host/layout.ts";
import { textOf as programText } from "../src/host/script-file.ts";
import { quote } from "../src/host/sh.ts";
import { allPlans } from "./plans.ts";

// The administrator of an engine touches nothing of a project's: what is in a database is its owner's, and a table is a view of a
// function of its owner's by the time the administrator reads it. Clients that open a database have the rights of its own user. The
// lists of this file may only get shorter.

/** The files with calls of an engine's client, and whose rights the client has. */
const clients: Record<string, "administrator" | "owner"> = {
  "host/databases/mariadb/administrator.sh": "administrator",
  "host/databases/postgresql/administrator.sh": "administrator",
  // In a unit without other rights (client.sh).
  "host/databases/mariadb/dump.sh": "owner",
  "host/databases/mariadb/load.sh": "owner",
  "host/databases/postgresql/dump.sh": "owner",
  "host/databases/postgresql/load.sh": "owner",
  // In the project's sandbox.
  "features/apps/scripts/mariadb.sh": "owner",
  "features/apps/scripts/postgresql.sh": "owner",
};

/** The administrator's statements, each with the reason why no code of a project's runs in it. */
const statements: Record<string, string> = {
  // MariaDB. Accounts are in tables of its own.
  "CREATE USER IF NOT EXISTS _ _": "defines an account",
  "ALTER USER _ _": "defines an account",
  "DROP USER IF EXISTS _": "removes an account",
  "DROP USER": "removes an account",
  "GRANT _ ON _.* TO _": "a privilege on a database as a whole, which opens nothing in it",
  "CREATE DATABASE IF NOT EXISTS _ CHARACTER SET utf8mb4 COMMENT _": "makes a directory",
  "DROP DATABASE IF EXISTS _": "removes files: no trigger runs",
  "DROP DATABASE IF EXISTS test": "as above",
  "KILL HARD CONNECTION seen.ID": "ends a connection by its number",
  "SET SESSION sql_mode =": "a setting of the session",
  "DECLARE found TEXT DEFAULT": "a variable of the session",
  "DECLARE CONTINUE HANDLER FOR 1094 BEGIN END": "of the session",
  "SIGNAL SQLSTATE": "an error of its own",
  // PostgreSQL. Databases and roles are in tables that all databases share.
  "CREATE ROLE _ LOGIN": "defines a role",
  "COMMENT ON ROLE _ IS _": "defines a role",
  "ALTER ROLE _ LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT _ PASSWORD _":
    "defines a role",
  "ALTER ROLE _ CONNECTION LIMIT _": "defines a role",
  "ALTER ROLE _ NOLOGIN": "defines a role",
  "ALTER ROLE _ IN DATABASE _ SET role = _": "a setting for later sessions of that role alone",
  "DROP ROLE IF EXISTS _": "removes a role",
  "GRANT _ TO _": "membership in a role",
  "CREATE DATABASE _ OWNER _": "copies template1, which is closed to all others",
  "ALTER DATABASE _ OWNER TO _": "an owner in pg_database",
  "ALTER DATABASE _ IS_TEMPLATE false": "a flag in pg_database",
  "ALTER DATABASE _ IS_TEMPLATE false ALLOW_CONNECTIONS false": "flags in pg_database",
  "GRANT CONNECT ON DATABASE _ TO _": "a privilege in pg_database",
  "GRANT CONNECT, TEMPORARY ON DATABASE _ TO _": "a privilege in pg_database",
  "REVOKE ALL ON DATABASE _ FROM PUBLIC": "a privilege in pg_database",
  "REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC": "a privilege in pg_database",
  // In a project's database: entries of catalogs. Default values, checks, indexes, rules and policies are not evaluated for them, and
  // triggers of events do not run in these sessions (administrator.sh).
  "ALTER SCHEMA _ OWNER TO _": "an owner in pg_namespace",
  "ALTER SCHEMA public OWNER TO _": "an owner in pg_namespace",
  "REVOKE CREATE ON SCHEMA public FROM PUBLIC": "a privilege in pg_namespace",
  "GRANT USAGE ON SCHEMA _ TO _": "a privilege in pg_namespace",
  "GRANT SELECT ON ALL TABLES IN SCHEMA _ TO _": "privileges in pg_class",
  "GRANT SELECT ON ALL SEQUENCES IN SCHEMA _ TO _": "privileges in pg_class",
  "ALTER DEFAULT PRIVILEGES FOR ROLE _ GRANT _ TO _": "privileges in pg_default_acl",
  "ALTER _ _._ OWNER TO _": "owners in pg_class and pg_type",
  "ALTER ROUTINE _ OWNER TO _": "an owner in pg_proc",
  "DROP DATABASE IF EXISTS _ WITH": "removes files, after it has ended all sessions",
  "DROP OWNED BY _": "removes entries of catalogs: no trigger of a table runs, and none of an event",
  "CREATE TEMPORARY TABLE strangers ON COMMIT DROP": "a table of the session, from catalogs",
  "CREATE TEMPORARY TABLE former ON COMMIT DROP": "a table of the session, from catalogs",
  "DO $$ BEGIN RAISE": "an error of its own",
};

/** What the administrator reads: tables of the engine's own, for which it opens none of a database's, and the session's. */
const relations = new Set([
  // MariaDB reads directories for SCHEMATA. TABLES, COLUMNS and others of that schema open what they list.
  ...["information_schema.SCHEMATA", "information_schema.PROCESSLIST", "mysql.user"],
  ...["pg_database", "pg_roles", "pg_shdepend", "pg_stat_activity", "pg_namespace", "pg_class", "pg_proc", "pg_type"],
  ...["pg_depend", "pg_event_trigger", "former", "strangers"],
]);

const engines = ["mariadb", "postgresql"] as const;

const root = join(import.meta.dirname, "../src");
const sources = globSync("**/*.{sh,ts}", { cwd: root })
  .filter((file) => !file.includes("/tests/"))
  .sort();
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

const programs =
  "(?:mariadb|mysql)(?:-?(?:dump|admin|check|import|show|slap|binlog)|[-_]upgrade)?|psql|pg_(?:dump|dumpall|restore|basebackup|amcheck)|(?:create|drop)(?:db|user)|(?:vacuum|reindex|cluster)db";
// A word of its own, outside of quotes. What a script finds by a pattern is in `programs`.
const call = new RegExp(
  String.raw`(?<![\w"'$.=/-])(?:/[\w/*]*bin/)?(?:${programs})(?=$|[ )"\\])|"\$\{programs\[-1\]\}"`,
);
// What only speaks of one.
const mention =
  /== mariadb|(?:passwd|chown) mysql\b|Default: mariadb|\bpsql --version|^for program in.*|^\s*\w+=\([^$]*\)$|^ {2}\[".*/g;
const callsIn = (text: string): string[] => text.split("\n").filter((line) => call.test(line.replaceAll(mention, "")));

/** The text with every value of its statements as `_`. */
const withoutValues = (text: string): string =>
  text
    .replaceAll("\\$", "$")
    .replaceAll("$anonymous ", "")
    .replaceAll(/:(["'])\w+\1|%[sdIL]|'%s'/g, "_")
    .replaceAll(/\$connections\b|:connections/g, "_")
    .replaceAll(/\n\s+/g, " ");

const verbs =
  "CREATE|ALTER|DROP|GRANT|REVOKE|INSERT|UPDATE|DELETE|MERGE|CALL|EXECUTE|DO \\$\\$|COMMENT ON|SET (?:SESSION|ROLE|LOCAL|GLOBAL)|ANALYZE|VACUUM|REASSIGN|REINDEX|REFRESH|CLUSTER|LOCK|COPY|TRUNCATE|CHECK TABLE|OPTIMIZE|REPAIR|RENAME|SHOW|USE|LOAD|KILL|DECLARE|SIGNAL|FLUSH|IMPORT|EXPLAIN|HANDLER|PREPARE|SECURITY LABEL";
const statement = new RegExp(`(?<=^|[\\n;'"(] ?|\\bTHEN |\\bAS |\\\\n)(?:${verbs})(?![A-Z_a-z])[^;'"\\\\(\\n]*`, "g");
const statementsIn = (text: string): string[] =>
  Array.from(withoutValues(text).matchAll(statement), ([found]) => found.replace(/ (?:WHERE|AS SELECT) .*/, "").trim());

const relationsIn = (text: string): string[] =>
  Array.from(text.matchAll(/\b(?:FROM|JOIN|INTO|TABLE) ([a-z_][\w.]*)/g), ([, relation]) => relation as string);

// Of the administrator's files, only the lines that are no comments.
const administrators = sources.filter(
  (file) => file.startsWith("host/databases/") && !(file in clients) && !/passwords\.ts|\/look\.ts/.test(file),
);
const codeOf = (file: string): string =>
  textOf(file)
    .split("\n")
    .filter((line) => !/^\s*(?:#|\/\/|\*|--|\/\*\*)/.test(line))
    .join("\n");

// What units run is a value of a script, also of one that is a value itself.
const values = [
  ...Object.keys(clients)
    .filter((file) => file.endsWith("/dump.sh"))
    .map((file) => programText(new URL(`../src/${file}`, import.meta.url))),
  ...engines.map(loaderOf),
]
  .map(quote)
  .flatMap((value) => [value, value.replaceAll("'", "'\\''")]);
const withoutPrograms = (script: string): string =>
  values.reduce((text, value) => text.replaceAll(value, () => "''"), script);

describe("the administrator of an engine", () => {
  it("is in two files, and every other client of an engine has the rights of a database's user", () => {
    const found = sources.filter((file) => callsIn(codeOf(file)).length > 0);
    assert.deepEqual(found, Object.keys(clients).sort());
    for (const [file, account] of Object.entries(clients)) {
      if (account === "owner") assert.match(textOf(file), /\$USERNAME|\$username/, file);
    }
  });

  it("is asked by the scripts about databases alone", () => {
    const asking = sources.filter((file) =>
      /\b(?:ask_mariadb|ask_postgresql|run_statements|run_psql)\b/.test(codeOf(file)),
    );
    assert.deepEqual(
      asking.filter((file) => !file.startsWith("host/databases/")),
      [],
    );
  });

  it("starts no client in root's part of a plan, or of another script, but for the two", () => {
    const layout = projectLayout(7);
    const databases = engines.map((engine) => ({
      engine,
      name: engine,
      username: engine,
      readers: [],
    }));
    const scripts = [
      ...allPlans.flatMap(({ steps }) =>
        steps.filter(({ sandbox }) => sandbox === undefined).flatMap(({ script, undo = "" }) => [script, undo]),
      ),
      ...databases.flatMap((database) => [dumpDatabase(database).script, probeEngine(database.engine).script]),
      forcedCommand({ deploymentId: 12, layout, ports: [], databases }).script,
    ];
    const calls = scripts.flatMap((script) => callsIn(withoutPrograms(script)));
    const own = engines.flatMap((engine) => callsIn(codeOf(`host/databases/${engine}/administrator.sh`)));
    assert.equal(own.length, 2);
    assert.deepEqual([...new Set(calls)].sort(), own.sort());
  });

  it("gives only statements in which no code of a project's runs", () => {
    const found = administrators.flatMap((file) => statementsIn(codeOf(file)));
    assert.ok(found.length > 40, `${found.length} statements`);
    assert.deepEqual(
      [...new Set(found)].filter((text) => !(text in statements)),
      [],
      "statements without a reason",
    );
    assert.deepEqual(
      Object.keys(statements).filter((text) => !found.includes(text)),
      [],
      "reasons without a statement",
    );
  });

  it("reads tables of the engine's own alone, and calls no function by the name of a schema", () => {
    const read = administrators.flatMap((file) => relationsIn(codeOf(file)));
    assert.deepEqual(
      [...new Set(read)].filter((name) => !relations.has(name)),
      [],
    );
    assert.deepEqual(
      [...relations].filter((name) => !read.includes(name)),
      [],
    );
    const qualified = administrators
      .filter((file) => file.endsWith(".sh"))
      .flatMap((file) => codeOf(file).match(/\b[a-z_]+\.[a-z_]+\(/g) ?? []);
    assert.deepEqual(qualified, []);
  });

  it("would be seen to do more", () => {
    const calls = [
      "mariadb-dump --no-defaults shop",
      "exec mysqldump shop",
      "answer=$(mariadb <<< 'SELECT 1')",
      "cd / && PGOPTIONS=x runuser -u postgres -- psql -qAt",
      "from_source dump | MYSQL_PWD=x setpriv --reuid=7 -- mariadb shop",
      "  pg_restore --dbname=shop",
      "PGDATABASE=shop pg_dump",
      "sudo -u postgres vacuumdb --all",
      "if ! /usr/bin/psql -c 'x'; then",
    ];
    assert.deepEqual(
      calls.filter((line) => callsIn(line).length === 0),
      [],
    );
    const more = [
      "ANALYZE;",
      "REASSIGN OWNED BY a TO b;",
      "ask_mariadb <<< 'CHECK TABLE t'",
      'run_psql "$name" <<< "SELECT 1; REFRESH MATERIALIZED VIEW v"',
      "SELECT format('REINDEX TABLE %I', relname) FROM pg_class",
      "INSERT INTO t VALUES (1)",
      "printf 'UPDATE mysql.proc SET x = 1;'",
      "CALL p()",
    ];
    assert.deepEqual(
      more.filter((line) => !statementsIn(line).some((text) => !(text in statements))),
      [],
    );
    const reads = ["SELECT 1 FROM information_schema.TABLES", "SELECT * FROM shop.orders", "TABLE orders"];
    assert.deepEqual(
      reads.filter((line) => !relationsIn(line).some((name) => !relations.has(name))),
      [],
    );
  });
});
