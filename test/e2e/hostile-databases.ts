import {
  createDatabase,
  createReader,
  type DatabaseAccount,
  dropDatabase,
} from "../../src/host/databases/databases.ts";
import type { SqlEngine } from "../../src/host/databases/engine.ts";
import { withPrelude } from "../../src/host/runner/prelude.ts";
import { quote, type Script } from "../../src/host/sh.ts";

// Names that the API does not accept, for the scripts that quote them: a server's safety must not depend on the API's
// rules.

const nasty = [
  ..."'\"`\\%_;#*?~!|&<>=@.,/{}[]()$:^ \t\n\r\x01\x7f",
  ...[
    "''",
    "\\'",
    '\\"',
    "``",
    "--",
    "-- ",
    "/*",
    "*/",
    "$$",
    "//",
    "..",
    "%s",
    "%n",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands it
    "${IFS}",
    "$PATH",
    "\x1b[31m",
    "\r\n",
  ],
  ...[
    "$(touch /tmp/broke-out)",
    "`touch /tmp/broke-out`",
    "'; DROP DATABASE bystander; -- ",
    "`; DROP DATABASE bystander; -- ",
  ],
  ...[
    '"; DROP DATABASE bystander; -- ',
    "'@'%",
    "'@localhost'",
    "@0027",
    ":name",
    ":'name'",
    ':"username"',
    "\\gexec",
    "\n\\q\n",
  ],
  ...[
    "\nDELIMITER //\n",
    "\nquit\n",
    "\n\\! touch /tmp/broke-out\n",
    "END//",
    "bystander",
    "NULL",
    "public",
    "--help",
    "-e",
  ],
  ...["é", "ß", "İ", "ı", "K", "пароль", "密码", "\u200b", "\u202e", "\ufeff", "ﬁ", "e\u0301"],
];

/** The same in each run: a failing name can be examined. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/**
 * As long as both engines allow, ending in a number that makes it unique. MariaDB does not allow a space at the end of
 * a name.
 */
function hostileName(number: number, random: (below: number) => number): string {
  const first = nasty[number % nasty.length] as string;
  const parts = [first, ...Array.from({ length: 3 }, () => nasty[random(nasty.length)] as string)];
  let name = "";
  for (const part of parts) if (bytesOf(name + part) <= 45) name += part;
  return `${name}${number}`;
}

/** A database with its user, and for some a reader, each with its own hostile name. */
export interface HostileAccount {
  number: number;
  name: string;
  username: string;
  reader: string | undefined;
}

export function hostileAccounts(count: number): HostileAccount[] {
  const random = randomNumbers(1);
  return Array.from({ length: count }, (_, number) => ({
    number,
    name: hostileName(number, random),
    username: hostileName(number + count, random),
    reader: number % 5 === 0 ? hostileName(number + 2 * count, random) : undefined,
  }));
}

const asUser: Record<SqlEngine, string> = {
  mariadb: `as_user() { # USERNAME DATABASE, statements on standard input
    mariadb --no-defaults --default-character-set=utf8mb4 --protocol=tcp --host=127.0.0.1 --user="$1" --database="$2" --batch --skip-column-names 2>&1
  }`,
  postgresql: `as_user() { # USERNAME DATABASE, statements on standard input
    PGUSER=$1 PGDATABASE=$2 psql --no-psqlrc --host=127.0.0.1 -Atq -v ON_ERROR_STOP=1 2>&1
  }`,
};

// What an owner sees: its own database, no access to another one and no further rights.
const ownerAsks: Record<SqlEngine, string> = {
  mariadb: `CREATE TABLE things (id INT); INSERT INTO things VALUES (1);
    SELECT LOWER(HEX(CONVERT(DATABASE() USING utf8mb4))), (SELECT COUNT(*) FROM information_schema.SCHEMATA) - 1,
      (SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE <> 'USAGE')`,
  postgresql: `CREATE TABLE things (id INT); INSERT INTO things VALUES (1);
    SELECT concat_ws(chr(9), encode(convert_to(current_database(), 'UTF8'), 'hex'),
      (SELECT count(*) FROM pg_database WHERE has_database_privilege(oid, 'CONNECT') AND NOT has_database_privilege('public', oid, 'CONNECT')),
      (SELECT count(*) FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)))`,
};

/**
 * A program for the server: creates all of these with the scripts of the product, checks each as its users, and drops them.
 * Prints a line for each error. It needs `$PASSWORD` and the directory `$LONGSHORE_SECRETS` with `verifier`.
 */
export const hostileProgram = (engine: SqlEngine, accounts: readonly HostileAccount[]): string =>
  [
    "export MYSQL_PWD=$PASSWORD PGPASSWORD=$PASSWORD",
    asUser[engine],
    `attempt() { # WHAT, the script is the function \`script\`
      local answer
      answer=$(script 2>&1) || printf '%s: %q\\n' "$1" "$answer"
    }
    expect() { # WHAT EXPECTED ANSWER
      [[ $3 == $2 ]] || printf '%s: %q\\n' "$1" "$3"
    }`,
    ...accounts.flatMap((each) => creation(engine, each)),
    ...accounts.flatMap((each) => looks(engine, each)),
    ...accounts.map((each) =>
      attempt(`drop ${each.number}`, dropDatabase(accountOf(engine, each), { readers: readersOf(engine, each) })),
    ),
  ].join("\n");

const accountOf = (engine: SqlEngine, { number, name, username }: HostileAccount): DatabaseAccount => ({
  engine,
  name,
  username,
  secret: "verifier",
  mark: `longshore-database-hostile-${number}`,
  remote: false,
});

const readersOf = (engine: SqlEngine, each: HostileAccount): DatabaseAccount[] =>
  each.reader === undefined
    ? []
    : [{ ...accountOf(engine, each), username: each.reader, mark: `longshore-database-user-hostile-${each.number}` }];

const attempt = (what: string, script: Script): string =>
  `script() (\nset -euo pipefail\n${withPrelude("It failed.", script).script}\n)\nattempt ${quote(what)}`;

const creation = (engine: SqlEngine, each: HostileAccount): string[] => [
  attempt(`create ${each.number}`, createDatabase(accountOf(engine, each), { checks: true })),
  // A creation that was interrupted at its end is repeated.
  ...(each.number % 10 === 0
    ? [attempt(`repeat ${each.number}`, createDatabase(accountOf(engine, each), { checks: true }))]
    : []),
  ...readersOf(engine, each).map((reader) => attempt(`reader ${each.number}`, createReader(reader, { checks: true }))),
];

function looks(engine: SqlEngine, { number, name, username, reader }: HostileAccount): string[] {
  const ask = (who: string, statements: string) => `"$(as_user ${quote(who)} ${quote(name)} <<< ${quote(statements)})"`;
  const found = `${Buffer.from(name).toString("hex")}\t1\t0`;
  const asOwner = `expect ${quote(`owner ${number}`)} ${quote(found)} ${ask(username, ownerAsks[engine])}`;
  if (reader === undefined) return [asOwner];
  return [
    asOwner,
    `expect ${quote(`reader ${number} reads`)} 1 ${ask(reader, "SELECT COUNT(*) FROM things")}`,
    `expect ${quote(`reader ${number} writes`)} '*denied*' ${ask(reader, "INSERT INTO things VALUES (2)")}`,
  ];
}

const spring = "BEGIN CREATE TABLE IF NOT EXISTS public.caught AS SELECT current_user AS who; RETURN NULL; END";
const trap = (signature: string, returns: string): string =>
  `CREATE FUNCTION public.${signature} RETURNS ${returns} LANGUAGE plpgsql AS '${returns.startsWith("SETOF") ? spring.replace(" NULL", "") : spring}'`;
const watched = ["pg_roles", "pg_database", "pg_namespace", "pg_class", "pg_proc", "pg_type", "pg_depend"];
const operand = (type: string): string[] =>
  ["=", "<>"].map(
    (name) =>
      `CREATE OPERATOR public.${name} (LEFTARG = ${type}, RIGHTARG = ${type}, FUNCTION = public.spring_${type}s)`,
  );

/**
 * Statements by which the owner of a PostgreSQL database puts its own in the place of everything that the product's scripts use
 * there: what runs one of them makes the table `caught`.
 */
export const traps: readonly string[] = [
  trap("spring(text)", "boolean"),
  // Each matches the arguments better than PostgreSQL's own function of that name, or as well.
  trap("format(text, name, text)", "text"),
  trap("format(text, name, name, name)", "text"),
  trap("unnest(text[])", "SETOF text"),
  trap("shobj_description(oid, name)", "text"),
  trap("current_database()", "name"),
  trap("current_setting(text)", "text"),
  trap("pg_terminate_backend(integer)", "boolean"),
  trap("convert_to(text, name)", "bytea"),
  trap("encode(bytea, text)", "text"),
  trap("spring_names(name, name)", "boolean"),
  trap("spring_oids(oid, oid)", "boolean"),
  trap("spring_like(name, text)", "boolean"),
  ...operand("name"),
  ...operand("oid"),
  "CREATE OPERATOR public.~~ (LEFTARG = name, RIGHTARG = text, FUNCTION = public.spring_like)",
  "CREATE DOMAIN public.regclass AS text CHECK (public.spring(VALUE))",
  "CREATE DOMAIN public.regprocedure AS text CHECK (public.spring(VALUE))",
  "CREATE TYPE public.bait AS (word text)",
  trap("spring_bait(public.bait)", "text"),
  "CREATE CAST (public.bait AS text) WITH FUNCTION public.spring_bait(public.bait) AS IMPLICIT",
  ...watched.map((name) => `CREATE VIEW public.${name} AS SELECT * FROM pg_catalog.${name} WHERE public.spring('')`),
  "CREATE TABLE public.former AS SELECT 'postgres'::name AS rolname",
  "CREATE TABLE public.strangers AS SELECT 10::oid AS oid",
  "CREATE TABLE public.guarded (id int)",
  "ALTER TABLE public.guarded ENABLE ROW LEVEL SECURITY",
  "CREATE POLICY springs ON public.guarded USING (public.spring(''))",
  "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC",
  "ALTER DEFAULT PRIVILEGES REVOKE ALL ON FUNCTIONS FROM PUBLIC",
];

/** What the owner sets for all sessions in its database, to make the administrator's use the traps, or fail. */
export const settingsOfOwner = (database: string): string[] =>
  [
    "search_path = public, pg_catalog",
    `role = ${database}`,
    "client_encoding = 'SJIS'",
    "standard_conforming_strings = off",
    "lock_timeout = 1",
    "default_transaction_read_only = on",
  ].map((setting) => `ALTER DATABASE ${database} SET ${setting}`);

/**
 * Statements by which the owner of a MariaDB database has 40 tables, and views of a function that notes for whom it runs, change
 * places without end (`CALL swap()`): what a client has seen as a table may be a view when it reads it.
 */
export const swaps = `
  CREATE TABLE seen (who VARCHAR(100)) ENGINE=Aria;
  DELIMITER //
  CREATE FUNCTION note() RETURNS INT MODIFIES SQL DATA SQL SECURITY INVOKER
    BEGIN INSERT INTO seen VALUES (CURRENT_USER()); RETURN 1; END//
  CREATE PROCEDURE swap() BEGIN
    DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
    WHILE TRUE DO
      FOR i IN 1..40 DO
        EXECUTE IMMEDIATE CONCAT('RENAME TABLE t', i, ' TO x', i, ', v', i, ' TO t', i, ', x', i, ' TO v', i);
      END FOR;
    END WHILE;
  END//
  BEGIN NOT ATOMIC
    FOR i IN 1..40 DO
      EXECUTE IMMEDIATE CONCAT('CREATE TABLE t', i, ' (a INT) ENGINE=Aria');
      EXECUTE IMMEDIATE CONCAT('CREATE SQL SECURITY INVOKER VIEW v', i, ' AS SELECT note() AS a');
    END FOR;
  END//
  DELIMITER ;
`;

/** All kinds of things that a user makes in a database of its own, each of which a dump has to bring back. */
export const belongings: Record<SqlEngine, string> = {
  mariadb: `
    CREATE TABLE things (id INT PRIMARY KEY, word VARCHAR(20));
    CREATE VIEW words AS SELECT word FROM things;
    DELIMITER //
    CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n//
    CREATE PROCEDURE add_thing(n INT) BEGIN INSERT INTO things VALUES (n, 'added'); END//
    CREATE TRIGGER doubles BEFORE INSERT ON things FOR EACH ROW SET NEW.id = twice(NEW.id)//
    CREATE EVENT yearly ON SCHEDULE EVERY 1 YEAR DO CALL add_thing(5)//
    DELIMITER ;
    CALL add_thing(1);`,
  postgresql: `
    CREATE TABLE things (id int PRIMARY KEY, word text CHECK (word <> ''));
    CREATE VIEW words AS SELECT word FROM things;
    CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 2 * n';
    CREATE PROCEDURE add_thing(n int) LANGUAGE sql AS 'INSERT INTO things VALUES (n, ''added'')';
    CREATE FUNCTION doubling() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id = public.twice(NEW.id); RETURN NEW; END';
    CREATE TRIGGER doubles BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION doubling();
    CREATE INDEX ON things (twice(id));
    CALL add_thing(1);`,
};

/** Answers a line for each of them. */
export const listBelongings: Record<SqlEngine, string> = {
  mariadb: `SELECT CONCAT_WS(' ', ROUTINE_NAME, DEFINER, ROUTINE_DEFINITION) FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()
    UNION SELECT CONCAT_WS(' ', TRIGGER_NAME, DEFINER, ACTION_STATEMENT) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE()
    UNION SELECT CONCAT_WS(' ', EVENT_NAME, DEFINER, STATUS) FROM information_schema.EVENTS WHERE EVENT_SCHEMA = DATABASE()
    UNION SELECT CONCAT_WS(' ', TABLE_NAME, DEFINER, SECURITY_TYPE) FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()
    UNION SELECT CONCAT_WS(' ', id, word) FROM things ORDER BY 1;`,
  postgresql: `SELECT concat_ws(' ', proname, pg_get_userbyid(proowner), prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION SELECT concat_ws(' ', viewname, viewowner, definition) FROM pg_views WHERE schemaname = 'public'
    UNION SELECT concat_ws(' ', id, word) FROM things ORDER BY 1;`,
};

/**
 * PostgreSQL: functions in all places where the engine itself calls them. Each notes for whom it runs, unless that is the owner, in
 * the table `caught`.
 */
export const laidFunctions: readonly string[] = [
  `CREATE FUNCTION public.note() RETURNS boolean LANGUAGE plpgsql AS
    'BEGIN IF current_user <> current_database() THEN CREATE TABLE IF NOT EXISTS public.caught AS SELECT current_user AS who; END IF; RETURN true; END'`,
  "CREATE FUNCTION public.watch() RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN public.note(); END'",
  "CREATE FUNCTION public.watched(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN public.watch() THEN n END'",
  "CREATE DOMAIN public.checked AS int CHECK (public.watch())",
  "CREATE TABLE public.laid (id int DEFAULT public.watched(1) CHECK (public.watch()), twice int GENERATED ALWAYS AS (public.watched(id)) STORED, more public.checked)",
  "CREATE INDEX ON public.laid (public.watched(id)) WHERE public.watch()",
  "CREATE STATISTICS public.laid_statistics ON (public.watched(id)), (public.watched(id) + 1) FROM public.laid",
  "INSERT INTO public.laid (more) SELECT n FROM generate_series(1, 200) n",
  "CREATE VIEW public.laid_view AS SELECT * FROM public.laid WHERE public.watch()",
  "CREATE MATERIALIZED VIEW public.laid_rows AS SELECT * FROM public.laid WHERE public.watch()",
  "CREATE RULE laid_rule AS ON INSERT TO public.laid_view DO INSTEAD SELECT public.watch()",
  "ALTER TABLE public.laid ENABLE ROW LEVEL SECURITY",
  "CREATE POLICY laid_policy ON public.laid USING (public.watch())",
];
