import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { filterOf } from "../dumps.ts";
import type { SqlEngine } from "../engine.ts";

const collations = "ai_ci=utf8mb4_ours_ai_ci as_ci=utf8mb4_ours_as_ci as_cs=utf8mb4_ours_as_cs bin=utf8mb4_ours_bin";

/** What the filter makes of a dump, and its sentence if it gives up. */
function filtered(engine: SqlEngine, dump: string | Buffer): { text: string; problem: string | undefined } {
  const directory = mkdtempSync(join(tmpdir(), "longshore-filter-"));
  try {
    const problem = join(directory, "problem");
    const env = { ...process.env, PROBLEM: problem, COLLATIONS: collations, SETTINGS: "lock_timeout search_path" };
    const { stdout, status, stderr } = spawnSync("perl", ["-e", filterOf(engine)], {
      env,
      input: dump,
      maxBuffer: 2 ** 28,
    });
    assert.ok(status === 0 || status === 3, String(stderr));
    return { text: stdout.toString("latin1"), problem: status === 3 ? readFileSync(problem, "utf8") : undefined };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const latin = (text: string): string => Buffer.from(text).toString("latin1");
const stays = (engine: SqlEngine, dump: string): void =>
  assert.deepEqual(filtered(engine, dump), { text: latin(dump), problem: undefined });
const becomes = (engine: SqlEngine, dump: string, text: string): void =>
  assert.deepEqual(filtered(engine, dump), { text: latin(text), problem: undefined });

describe("SQL for MariaDB", () => {
  test("loses what concerns only the server of origin, and keeps its lines", () => {
    for (const statement of [
      "SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ 'a;b:1-5,\nc:1';",
      "set global max_connections = 1;",
      "SET @@SESSION.SQL_LOG_BIN = 0;",
      "SET sql_log_bin=0;",
      "SET @MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN;",
      "/*!40000 DROP DATABASE IF EXISTS `a;b`*/;",
      "CREATE DATABASE /*!32312 IF NOT EXISTS*/ `old` /*!40100 DEFAULT CHARACTER SET utf8mb4 */;",
      "ALTER DATABASE `old` CHARACTER SET utf8mb4;",
      "USE `old`;",
      "CREATE TABLESPACE `ts`\nADD DATAFILE 'ts.ibd';",
      "CHANGE MASTER TO MASTER_LOG_FILE='bin.01', MASTER_LOG_POS=4;",
    ]) {
      const around = (between: string) => `-- before\nSET NAMES utf8mb4;\n${between}\nINSERT INTO t VALUES (1);\n`;
      becomes("mariadb", around(statement), around("\n".repeat(statement.split("\n").length - 1)));
    }
    becomes("mariadb", "\ufeffmysqldump: [Warning] Using a password is insecure.\nSELECT 1;\n", "\nSELECT 1;\n");
  });

  test("gets collations that MariaDB has, and its own user as the definer", () => {
    becomes(
      "mariadb",
      "CREATE TABLE `t` (a text COLLATE utf8mb4_0900_as_cs, b text COLLATE 'utf8mb4_0900_bin') COLLATE=utf8mb4_tr_0900_ai_ci;\n",
      "CREATE TABLE `t` (a text COLLATE utf8mb4_ours_as_cs, b text COLLATE 'utf8mb4_ours_bin') COLLATE=utf8mb4_ours_ai_ci;\n",
    );
    becomes(
      "mariadb",
      "ALTER TABLE t MODIFY a varchar(9) COLLATE utf8mb4_ja_0900_as_cs_ks;\nSET collation_connection = 'utf8mb4_0900_ai_ci';\n",
      "ALTER TABLE t MODIFY a varchar(9) COLLATE utf8mb4_ours_as_cs;\nSET collation_connection = 'utf8mb4_ours_ai_ci';\n",
    );
    becomes(
      "mariadb",
      "DELIMITER $$\nCREATE DEFINER='a@b'@'%' PROCEDURE p() BEGIN SELECT DEFINER = `x` FROM t; USE_IT: BEGIN END; END$$\ndelimiter ;\nUSE old;\n",
      "DELIMITER $$\nCREATE  PROCEDURE p() BEGIN SELECT DEFINER = `x` FROM t; USE_IT: BEGIN END; END$$\ndelimiter ;\n\n",
    );
    becomes(
      "mariadb",
      "/*!50001 CREATE ALGORITHM=MERGE */\n/*!50013 DEFINER=CURRENT_USER SQL SECURITY DEFINER */\n/*!50001 VIEW v AS select 1 */;\n",
      "/*!50001 CREATE ALGORITHM=MERGE */\n/*!50013  SQL SECURITY DEFINER */\n/*!50001 VIEW v AS select 1 */;\n",
    );
  });

  test("keeps the same words in texts, names, comments and data byte for byte", () => {
    const words = "utf8mb4_0900_ai_ci; DEFINER=`a`@`b` SET @@GLOBAL.x=1;\\nUSE x; it\\'s";
    stays(
      "mariadb",
      `INSERT INTO t VALUES (1,'${words}','\n USE y;\nSET @@GLOBAL.a=1;\n'),(2,'''',"${words}"),(3,'\\\\');\n`,
    );
    stays(
      "mariadb",
      `CREATE TABLE \`utf8mb4_0900_ai_ci\` (a text DEFAULT '${words}' COMMENT 'COLLATE utf8mb4_0900_ai_ci');\n`,
    );
    stays("mariadb", "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 'DEFINER=`a`@`b`';\n");
    stays("mariadb", "/* USE a; it's */ -- USE b; it's\n# USE c; it's\nSET NAMES utf8mb4; -- CREATE DATABASE x;\n");
    stays("mariadb", "INSERT INTO t VALUES (5--3, 4/2, 1-1, '-- \\' USE x;');\nREPLACE INTO t SELECT 'a' /* ; */;\n");
    stays(
      "mariadb",
      "SET @saved = 'GLOBAL utf8mb4_0900_ai_ci';\nUPDATE t SET a = 'x' WHERE b = 'COLLATE utf8mb4_0900_ai_ci';",
    );
  });
});

describe("SQL for PostgreSQL", () => {
  test("loses owners, privileges and what only other servers and versions have, and keeps its lines", () => {
    for (const statement of [
      "ALTER TABLE public.t OWNER TO admin;",
      "ALTER FUNCTION public.f(a text DEFAULT 'x;y') OWNER TO \"some; one\";",
      "GRANT SELECT ON TABLE public.t TO reader;",
      "REVOKE ALL ON SCHEMA public\nFROM PUBLIC;",
      "ALTER DEFAULT PRIVILEGES FOR ROLE a IN SCHEMA public GRANT ALL ON TABLES TO b;",
      "COMMENT ON EXTENSION pgcrypto IS 'it''s; fine';",
      "CREATE SCHEMA public;",
      "DROP SCHEMA IF EXISTS public;",
      "SET transaction_timeout = 0;",
      "SET default_tablespace = fast;",
      "SET SESSION AUTHORIZATION 'admin';",
      "CREATE DATABASE old WITH TEMPLATE = template0;",
      "CREATE PUBLICATION p FOR ALL TABLES;",
      "SELECT * FROM pg_catalog.pg_restore_relation_stats('version', '180000'::integer);",
      "\\connect old",
      "\\restrict aBc",
    ]) {
      const around = (between: string) => `-- before\nSET lock_timeout = 0;\n${between}\nINSERT INTO t VALUES (1);\n`;
      becomes("postgresql", around(statement), around("\n".repeat(statement.split("\n").length - 1)));
    }
    becomes("postgresql", "pg_dump: warning: there are circular constraints\nSELECT 1;\n", "\nSELECT 1;\n");
  });

  test("keeps the same words in texts, names, functions, comments and data byte for byte", () => {
    stays(
      "postgresql",
      "INSERT INTO t VALUES ('GRANT a;\nGRANT b; \\', E'it\\'s; \\\\', $$;\nGRANT c;$$, $x$ $$; GRANT d; $x$);\n",
    );
    stays(
      "postgresql",
      "COPY public.t (a) FROM stdin;\n1\tit's\nGRANT ALL ON t TO me;\n\\\\.\n\\N\n$$ /* \"\n\\.\nSELECT 1;\n",
    );
    stays(
      "postgresql",
      "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $_$\nGRANT x;\nALTER TABLE t OWNER TO x;\n$_$;\n",
    );
    stays("postgresql", "/* a /* ; GRANT */ it's */ -- it's; GRANT\nSELECT $1, type'x', a$b$c, 5-3, 4/2;\n");
    stays(
      "postgresql",
      "COMMENT ON TABLE public.t IS 'ALTER TABLE t OWNER TO x;';\nCREATE SCHEMA public2;\nSET my.setting = 'x';\n",
    );
    stays("postgresql", 'CREATE TABLE "OWNER TO" ("GRANT;" text);\nCOPY t FROM stdin WITH (FORMAT csv);\na,"b\n\\.\n');
    stays("postgresql", "CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;\nSET search_path TO public;\n");
  });
});

// What stands at the end of one reading and at the beginning of the next.
test("data of any length stays as it is, wherever it is cut in reading", () => {
  const rows = (quote: (text: string) => string) =>
    Array.from({ length: 4_000 }, (_, at) => `(${at},${quote(`${"x".repeat(at % 97)}USE a; -- GRANT b; E `)})`).join(
      ",",
    );
  const escaped = (text: string) => `'${text}\\'\\\\;\n USE c;\n'`;
  stays("mariadb", `INSERT INTO t VALUES ${rows(escaped)};\n`);
  const plain = (text: string) => `E'${text}\\';\nGRANT c;\n' /* ' ; */, $q$${text}; ' $$ $q$`;
  stays("postgresql", `INSERT INTO t VALUES ${rows(plain)};\n`);
  const lines = Array.from({ length: 9_000 }, (_, at) => `${at}\t${"y".repeat(at % 89)} GRANT 'a; $$ \\\\.\n`).join("");
  stays("postgresql", `COPY t FROM stdin;\n${lines}\\.\nSELECT 1;\n`);
  const long = "z".repeat(200_000);
  stays(
    "mariadb",
    `/* ${long} */ INSERT INTO t VALUES ('${long}', x'${"0f".repeat(90_000)}', "${long}");\n-- ${long}\n`,
  );
  stays("postgresql", `/* ${long} */ INSERT INTO t VALUES ('${long}', "${long}", $a$${long}$a$); -- ${long}\n`);
});

test("binary data of a dump stays as it is", () => {
  const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));
  const blob = Buffer.from(
    bytes.toString("latin1").replaceAll(/[\\'\0]/g, (found) => `\\${found === "\0" ? "0" : found}`),
    "latin1",
  );
  const dump = Buffer.concat([Buffer.from("INSERT INTO t VALUES (_binary '"), blob, Buffer.from("');\nSELECT 1;\n")]);
  assert.equal(filtered("mariadb", dump).text, dump.toString("latin1"));
});

test("a dump that cannot be loaded is answered with what to do", () => {
  const problem = (engine: SqlEngine, dump: string) => filtered(engine, dump).problem ?? "";
  assert.match(problem("mariadb", "USE `a`;\nSELECT 1;\nUSE b;\n"), /several databases \(a, b\).*mysqldump b > b\.sql/);
  assert.ok(problem("mariadb", `USE a;\nUSE \`${"b".repeat(100_000)}\`;\n`).length <= 1_000, "whatever a dump names");
  assert.match(
    problem("postgresql", "\\connect a\nSELECT 1;\n\\connect -reuse-previous=on \"dbname='b'\"\n"),
    /\(a, b\)/,
  );
  assert.match(problem("mariadb", "-- MySQL dump 10.13  Distrib 8.4.0\nSELECT 1;\n"), /not complete/);
  assert.match(problem("mariadb", "INSERT INTO t VALUES ('cut"), /not complete/);
  assert.match(problem("postgresql", "--\n-- PostgreSQL database dump\n--\nSELECT 1;\n"), /not complete/);
  assert.match(problem("postgresql", "COPY t FROM stdin;\n1\n2"), /not complete/);
  assert.equal(problem("mariadb", "-- MariaDB dump 10.19\nUSE a;\nUSE `a`;\n-- Dump completed on 2026-11-26\n"), "");
});
