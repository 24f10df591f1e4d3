import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import type { DatabaseWithPassword as Database, DatabaseImport, DatabaseRequest } from "../../contract/types.ts";
import { mustRun, runCommand } from "../../sandbox/command.ts";
import { cutNetwork, downServer, enterCommand, healNetwork } from "../../sandbox/sandbox.ts";
import { loadFrom } from "../../src/host/databases/dumps.ts";
import { accountConnections } from "../../src/host/databases/engine.ts";
import { passwordVerifier } from "../../src/host/databases/passwords.ts";
import { hardenEngine } from "../../src/host/databases/setup.ts";
import { withPrelude } from "../../src/host/runner/prelude.ts";
import { sh } from "../../src/host/sh.ts";
import { waitFor } from "../../stage/api-client.ts";
import { type Platform, provisionedServer, removeDirectory, startPlatform } from "../../stage/fixture.ts";
import { lengthy } from "../../stage/support.ts";
import {
  belongings,
  hostileAccounts,
  hostileProgram,
  laidFunctions,
  listBelongings,
  settingsOfOwner,
  swaps,
  traps,
} from "./hostile-databases.ts";

// Databases in real engines, the same tests for each of them.

/** LONGSHORE_TEST_HOSTILE_NAMES=1000 runs the whole proof, which takes PostgreSQL five minutes. */
const hostileNames = Number(process.env.LONGSHORE_TEST_HOSTILE_NAMES ?? 50);

/** Data with the words that are left out or changed elsewhere in a dump. */
const nastyWords = "utf8mb4_0900_ai_ci; DEFINER=`a`@`b`; USE x; SET @@GLOBAL.y=1; GRANT z; OWNER TO w;";

// As mysqldump 8 writes them with --databases from a managed service, and pg_dump 18 with owners and privileges.
const dumpFile = (file: string): string => readFileSync(new URL(`dumps/${file}.sql`, import.meta.url), "utf8");
const elsewhere = { mariadb: dumpFile("mysql"), postgresql: dumpFile("postgresql") };

const soon = { timeoutMs: 300_000 };
const withinMinutes = { timeoutMs: 540_000 };

/** How a test connects to an engine on the server: as one of its accounts over TCP, or as the administrator. */
interface Engine {
  /** Prints the answer, or the refusal. `$PASSWORD` holds the password. */
  as: (account: { username: string; database: string }, statement: string) => string;
  admin: (statement: string, database?: string) => string;
  /** As the account too, with statements on standard input, also those of the client. */
  client: (account: { username: string; database: string }) => string;
  /** Users of the connections to a database. */
  listConnected: (database: string) => string;
  lockTable: string;
  /** Takes the limit of connections from an account. */
  freeAccount: (username: string) => string;
  createForeign: string;
  listDatabases: string;
  listUsers: string;
  refusal: RegExp;
  logs: string;
}

const engines: Record<"mariadb" | "postgresql", Engine> = {
  mariadb: {
    as: ({ username, database }, statement) =>
      `MYSQL_PWD=$PASSWORD mariadb --protocol=tcp --host=127.0.0.1 --user=${username} --batch --skip-column-names --execute="${statement}" ${database} 2>&1 || true`,
    admin: (statement, database = "") => `mariadb --batch --skip-column-names ${database} <<< "${statement}"`,
    client: ({ username, database }) =>
      `MYSQL_PWD=$PASSWORD mariadb --protocol=tcp --host=127.0.0.1 --user=${username} --batch --skip-column-names ${database}`,
    listConnected: (database) => `SELECT USER FROM information_schema.PROCESSLIST WHERE DB = '${database}'`,
    lockTable: "LOCK TABLES things WRITE",
    freeAccount: (username) => `ALTER USER ${username}@localhost WITH MAX_USER_CONNECTIONS 0`,
    createForeign: `mariadb <<< "CREATE DATABASE foreign_one; CREATE USER foreign_user@localhost IDENTIFIED BY 'foreign-password';
      GRANT ALL ON foreign_one.* TO foreign_user@localhost; CREATE TABLE foreign_one.things (id INT); INSERT INTO foreign_one.things VALUES (7);"`,
    listDatabases: "SHOW DATABASES",
    listUsers: "SELECT User FROM mysql.user",
    refusal: /Access denied/,
    logs: "cat /var/log/mysql/* 2> /dev/null",
  },
  postgresql: {
    as: ({ username, database }, statement) =>
      `PGPASSWORD=$PASSWORD psql --host=127.0.0.1 --username=${username} --dbname=${database} -Atqc "${statement}" 2>&1 || true`,
    admin: (statement, database = "postgres") =>
      `cd /; runuser -u postgres -- psql -Atq -d ${database} <<< "${statement}"`,
    client: ({ username, database }) =>
      `PGPASSWORD=$PASSWORD psql --host=127.0.0.1 --username=${username} --dbname=${database} -Atq -v ON_ERROR_STOP=1`,
    listConnected: (database) => `SELECT usename FROM pg_stat_activity WHERE datname = '${database}'`,
    lockTable: "BEGIN; LOCK TABLE things",
    freeAccount: (username) => `ALTER ROLE ${username} CONNECTION LIMIT -1`,
    createForeign: `cd /; runuser -u postgres -- psql -q <<< "CREATE ROLE foreign_user LOGIN PASSWORD 'foreign-password'; CREATE DATABASE foreign_one OWNER foreign_user;"
      PGPASSWORD=foreign-password psql -q -h 127.0.0.1 -U foreign_user -d foreign_one -c 'CREATE TABLE things (id INT); INSERT INTO things VALUES (7)'`,
    listDatabases: "SELECT datname FROM pg_database",
    listUsers: "SELECT rolname FROM pg_roles",
    refusal: /permission denied|authentication failed/,
    logs: "cat /var/log/postgresql/*",
  },
};

// At the same time, since most of it is waiting for what Longshore does once a minute.
describe("databases", { concurrency: true }, () => {
  for (const name of ["mariadb", "postgresql"] as const) describeEngine(name);
});

function describeEngine(name: "mariadb" | "postgresql"): void {
  describe(`in ${name}`, { concurrency: false }, () => {
    const engine = engines[name];
    const machine = `t${process.pid}-db-${name}`;
    let platform: Platform;
    let directory: string;
    let onServer: { params: { id: number } };

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), "longshore-databases-"));
      platform = await startPlatform({
        dataDirectory: join(directory, "data"),
        env: { LONGSHORE_UNREACHABLE_AFTER_SECONDS: "20" },
      });
      const { serverId } = await provisionedServer(platform, machine, { database_engine: name });
      onServer = { params: { id: serverId } };
    }, lengthy);

    after(async () => {
      await downServer(machine);
      await platform?.stop();
      await removeDirectory(directory);
    });

    const bash = async (script: string, password = ""): Promise<string> => {
      const enter = await enterCommand(machine);
      return (await mustRun([...enter, "env", `PASSWORD=${password}`, "bash", "-uo", "pipefail", "-c", script])).trim();
    };
    const of = (database: number) => ({ params: { ...onServer.params, database } });
    const read = async (id: number): Promise<Database> =>
      (await platform.client("GET /api/v1/servers/{id}/databases/{database}", of(id))).data;
    const remove = (id: number) => platform.client("DELETE /api/v1/servers/{id}/databases/{database}", of(id));
    const setPassword = (id: number, password: string) =>
      platform.client("POST /api/v1/servers/{id}/databases/{database}/password", { ...of(id), body: { password } });
    const request = async (body: DatabaseRequest): Promise<number> =>
      (await platform.client("POST /api/v1/servers/{id}/databases", { ...onServer, body })).data.id;
    const adopt = async (body: { name: string; username: string }): Promise<number> =>
      (await platform.client("POST /api/v1/servers/{id}/databases/adopt", { ...onServer, body })).data.id;
    const addUser = async ({ id }: Database, username: string) => {
      const input = { ...of(id), body: { username } };
      const { data } = await platform.client("POST /api/v1/servers/{id}/databases/{database}/users", input);
      return { params: { ...of(id).params, user: data.id } };
    };
    type User = Awaited<ReturnType<typeof addUser>>;
    const readUser = async (user: User) =>
      (await platform.client("GET /api/v1/servers/{id}/databases/{database}/users/{user}", user)).data;
    const removeUser = (user: User) =>
      platform.client("DELETE /api/v1/servers/{id}/databases/{database}/users/{user}", user);
    const settled = (id: number): Promise<Database> =>
      waitFor(
        `database ${id} to settle`,
        async () => {
          const database = await read(id);
          return database.status !== 0 && ["applied", "failed"].includes(database.sync.state) && database;
        },
        soon,
      );
    const create = async (body: DatabaseRequest): Promise<Database> => {
      const database = await settled(await request(body));
      assert.equal(database.status, 1, database.notes ?? "");
      return database;
    };
    const ask = (database: Database, statement: string, password = database.password, name = database.database_name) =>
      bash(engine.as({ username: database.username, database: name }, statement), password);
    const namesIn = async (statement: string): Promise<string[]> => (await bash(engine.admin(statement))).split("\n");

    /** Waits until Longshore has seen a database that it did not make: it relies on that when the engine answers late. */
    const untilSeen = (database: string): Promise<unknown> =>
      waitFor(
        `${database} to be seen`,
        async () => {
          const { data } = await platform.client("GET /api/v1/servers/{id}/unmanaged-databases", onServer);
          return data.some((each) => each.name === database);
        },
        withinMinutes,
      );

    it("come with the server", lengthy, async () => {
      const [own] = (await platform.client("GET /api/v1/servers/{id}/databases", onServer)).data;
      assert.ok(own);
      assert.equal(own.status, 1, own.notes ?? "");
      assert.equal(await ask(await read(own.id), "SELECT 40 + 2"), "42");
    });

    it("are among the server's services, with the state of the engine now", lengthy, async () => {
      // It is unknown while the server does not answer within some seconds.
      const inState = (state: string) =>
        waitFor(
          `${name} to be ${state}`,
          async () => {
            const { data } = await platform.client("GET /api/v1/servers/{id}/services", onServer);
            assert.equal(data.find((each) => each.name === "nginx")?.state, "active");
            return data.find((each) => each.name === name && each.state === state);
          },
          soon,
        );
      const found = await inState("active");
      assert.match(found.version ?? "", /^[0-9]+[.][0-9]/);
      assert.equal(found.has_credentials, true);
      const { data } = await platform.client("GET /api/v1/servers/{id}/services/{service}/credentials", {
        params: { ...onServer.params, service: name },
      });
      const { username, database, password } = data;
      assert.ok(username !== null && database !== null);
      assert.equal(await bash(engine.as({ username, database }, "SELECT 40 + 2"), password), "42");
      await bash(`systemctl stop '${name}*'`);
      await inState("inactive");
      await bash(`systemctl start ${name}`);
      await inState("active");
    });

    it("are created with a user who can do everything in them, whatever is in the password", lengthy, async () => {
      for (const password of ['it\'s a \\\\ "pass" $word `x`', "Zürich ½ – пароль 密码", "plain-password-1"]) {
        const database = await create({ name: `all_${password.length}`, password });
        await ask(database, "CREATE TABLE things (id INT PRIMARY KEY)");
        await ask(database, "INSERT INTO things VALUES (1)");
        assert.equal(await ask(database, "SELECT COUNT(*) FROM things"), "1");
      }
    });

    it("are closed to users of others", lengthy, async () => {
      const [mine, theirs] = [await create({ name: "mine" }), await create({ name: "theirs" })];
      await ask(theirs, "CREATE TABLE secrets (id INT)");
      assert.match(await ask(mine, "SELECT * FROM secrets", mine.password, "theirs"), engine.refusal);
      assert.match(await ask(mine, "SELECT 1", "a-wrong-password"), /denied|authentication failed/);
      assert.match(await ask(mine, "CREATE DATABASE another"), /denied/);
      assert.match(await ask(mine, name === "mariadb" ? "CREATE USER x" : "CREATE ROLE x"), /denied/);
      if (name === "mariadb") assert.ok(!(await ask(mine, "SHOW DATABASES")).includes("theirs"));
    });

    it("are not confused by an underscore, which in a grant means any character", lengthy, async () => {
      await create({ name: "axb" });
      const under = await create({ name: "a_b" });
      assert.match(await ask(under, "CREATE TABLE t (id INT)", under.password, "axb"), engine.refusal);
    });

    it("could not be created when the engine has one that Longshore did not create", lengthy, async () => {
      await bash(engine.createForeign);
      await untilSeen("foreign_one");
      const { status, body } = await platform.client.refusal("POST /api/v1/servers/{id}/databases", {
        ...onServer,
        body: { name: "foreign_one" },
      });
      assert.equal(status, 422);
      assert.match(body.errors?.name ?? "", /Longshore did not create it/);
      // An engine that answers late lets the request through, and refuses the user itself.
      await waitFor(
        "the user to be refused",
        async () => {
          const body = { name: "fresh", username: "foreign_user" };
          const answer = await platform.client.answer("POST /api/v1/servers/{id}/databases", { ...onServer, body });
          if (!answer.ok) return /Longshore did not create it/.test(answer.body.errors?.username ?? "");
          await remove(answer.body.data.id);
          return false;
        },
        soon,
      );
    });

    it("get another password, and the former one is refused", lengthy, async () => {
      const database = await create({ name: "keyed" });
      await setPassword(database.id, "the-next-password");
      await settled(database.id);
      assert.equal(await ask(database, "SELECT 1", "the-next-password"), "1");
      assert.match(await ask(database, "SELECT 1"), /denied|authentication failed/);
    });

    it("have users who can read them, also what comes later, and nothing else", lengthy, async () => {
      const database = await create({ name: "report" });
      await ask(database, "CREATE TABLE before_user (id INT)");
      const user = await addUser(database, "reader");
      await settled(database.id);
      const { password, status } = await readUser(user);
      assert.equal(status, 1);
      await ask(database, "CREATE TABLE after_user (id INT)");
      const asReader = (statement: string, where = "report") =>
        bash(engine.as({ username: "reader", database: where }, statement), password);
      assert.equal(await asReader("SELECT COUNT(*) FROM before_user"), "0");
      assert.equal(await asReader("SELECT COUNT(*) FROM after_user"), "0");
      assert.match(await asReader("INSERT INTO before_user VALUES (1)"), /denied/);
      assert.match(await asReader("CREATE TABLE mine (id INT)"), /denied/);
      assert.match(await asReader("SELECT 1", "keyed"), engine.refusal);
      await removeUser(user);
      await settled(database.id);
      assert.match(await asReader("SELECT 1"), /denied|authentication failed/);
      assert.ok(!(await namesIn(engine.listUsers)).includes("reader"));
    });

    const clientOf = ({ username, database_name: database }: Database) => engine.client({ username, database });
    const tell = (database: Database, statements: string) =>
      bash(`${clientOf(database)} <<'END' 2>&1\n${statements}\nEND`, database.password);
    /** A client that stays connected after these statements until it is killed; its pid. */
    const connect = (database: Database, statements: string): Promise<string> =>
      bash(
        `{ cat <<'END'\n${statements}\nEND\nexec tail -f /dev/null; } 2> /dev/null | ${clientOf(database)} > /dev/null 2>&1 &\necho $!`,
        database.password,
      );

    it("are dumped as their own user, in a unit without rights", lengthy, async () => {
      const database = await create({ name: "watched" });
      await tell(database, belongings[name]);
      const blocker = await connect(database, `${engine.lockTable};`);
      const connected = () => namesIn(engine.listConnected("watched"));
      await waitFor("the lock", async () => (await connected()).length === 1, soon);
      const dump = dumpOf(database);
      await waitFor("the dump", async () => (await connected()).length > 1, soon);
      assert.deepEqual(new Set(await connected()), new Set(["watched"]));
      const program = name === "mariadb" ? "mariadb-dump" : "pg_dump";
      const status = await bash(
        `pid=$(pgrep -x ${program}); grep -E '^(Uid|CapEff|NoNewPrivs)' /proc/$pid/status; nsenter -t $pid -m ls /run/mysqld /run/postgresql /var/lib/longshore 2>&1 || true`,
      );
      assert.match(status, /^Uid:\s+(6[1-5]\d{3})\s/m, "a dynamic user");
      assert.match(status, /^CapEff:\s+0+$/m);
      assert.match(status, /^NoNewPrivs:\s+1$/m);
      assert.doesNotMatch(status, /mysqld.sock|PGSQL|runs/);
      await bash(`kill ${blocker}`);
      assert.ok((await dump).length > 0);
    });

    it("come back from a dump with all that their user made in them", lengthy, async () => {
      const database = await create({ name: "complete" });
      await tell(database, belongings[name]);
      const made = await tell(database, listBelongings[name]);
      assert.ok(made.split("\n").length > 4, made);
      const load = await loadEnd(database, await dumpOf(database), "?empty_first=true");
      assert.equal(load.status, 1, load.error ?? "");
      assert.equal(await tell(database, listBelongings[name]), made);
    });

    it("leave connections to others, however many one user wants", lengthy, async () => {
      const [greedy, other] = [await create({ name: "greedy" }), await create({ name: "modest" })];
      const limit = accountConnections(name);
      const connections = async () =>
        (await namesIn(engine.listConnected("greedy"))).filter((user) => user === "greedy").length;
      // Each connection ends with the program that holds its client's input.
      const grab = () =>
        bash(
          `for ((at = 0; at < ${limit + 30}; at++)); do tail -f /dev/null 2> /dev/null | ${clientOf(greedy)} > /dev/null 2>> /run/refused & done
           until (($(grep -ciE 'max_user_connections|too many connections for role' /run/refused) >= 30)); do sleep 0.1; done
           jobs -p > /run/greedy.pids; disown -a; rm /run/refused`,
          greedy.password,
        );
      const letGo = async () => {
        await bash("kill $(cat /run/greedy.pids) 2> /dev/null; true");
        await waitFor("the connections to end", async () => (await connections()) === 0, soon);
      };
      await grab();
      assert.equal(await connections(), limit);
      assert.equal(await ask(other, "SELECT 1"), "1");
      await letGo();
      // An account from before there were limits.
      await bash(engine.admin(engine.freeAccount("greedy")));
      await bash(withPrelude("It failed.", hardenEngine(name)).script);
      await grab();
      assert.equal(await connections(), limit);
      await letGo();
    });

    it("are loaded by a move in the sandbox of imports, without the journal of its run", lengthy, async () => {
      const database = await create({ name: "arriving" });
      const account = { engine: name, name: "arriving", username: "arriving", password: "password" };
      const restore = async (dumper: string) => {
        const script = withPrelude("It was not loaded.", loadFrom(sh`bash -c ${dumper}`, account)).script;
        const enter = await enterCommand(machine);
        await bash(
          'install -d -m 700 /run/moving; printf %s "$PASSWORD" > /run/moving/password; echo first > /run/moving/journal',
          database.password,
        );
        await mustRun([...enter, "bash", "-c", "cat > /run/moving/script"], { input: `set -euo pipefail\n${script}` });
        await bash(`systemd-run --quiet --wait --unit=longshore-run-${at++} --setenv=LONGSHORE_SECRETS=/run/moving \
          --property=StandardOutput=append:/run/moving/journal --property=StandardError=append:/run/moving/journal bash /run/moving/script || true`);
        return bash("cat /run/moving/journal");
      };
      let at = 9001;
      const source = await create({ name: "departing" });
      await tell(source, belongings[name]);
      // As the source prints it; MariaDB's older programs begin it without the line that forbids the client's own commands.
      const dumper =
        name === "mariadb"
          ? "mariadb-dump --skip-triggers departing things | sed '1{/sandbox/d}'"
          : "cd /; runuser -u postgres -- pg_dump -Fc departing";
      const journal = await restore(dumper);
      assert.match(journal, /^first\nThe dump is in the database arriving\.$/m);
      assert.equal(await ask(database, "SELECT word FROM things"), "added");
      if (name === "postgresql") return;
      const command = "touch /tmp/broke-out /run/broke-out; perl -e 'truncate(STDOUT, 0); truncate(STDERR, 0)'";
      const procedure = `DELIMITER ;;\nCREATE PROCEDURE p()\nbegin --\x01 \\! ${command}\nselect 1; end ;;\nDELIMITER ;\n`;
      await bash(`cat > /run/hostile.sql <<'END'\n${procedure}\nEND`);
      for (const begin of ["", "echo '/*M!999999\\- enable the sandbox mode */ '; "]) {
        assert.match(await restore(`${begin}cat /run/hostile.sql`), /^first\nThe dump was not loaded: .*ERROR/);
        assert.equal(await bash("ls /tmp/broke-out /run/broke-out 2> /dev/null || true"), "");
      }
      const endless = "printf 'x%.0s' {1..100000}";
      assert.ok((await restore(`${endless}; ${endless}`)).length < 2_000, "what the client prints is bounded");
    });

    if (name === "mariadb")
      it("run nothing of their owner's with the administrator's rights while they are dumped", lengthy, async () => {
        const database = await create({ name: "swapped" });
        assert.equal(await tell(database, swaps), "");
        const swapping = await connect(database, "CALL swap();");
        // A dump breaks off, or is complete, as it happens to meet tables or views.
        for (let count = 0; count < 8; count++) await dumpOf(database).catch(() => undefined);
        await bash(`kill ${swapping}`);
        assert.notEqual(
          await bash(engine.admin("SELECT COUNT(*) FROM swapped.seen")),
          "0",
          "a view was read as a table",
        );
        assert.deepEqual(
          new Set(await namesIn("SELECT who FROM swapped.seen WHERE who <> 'swapped@localhost'")),
          new Set([""]),
        );
        await remove(database.id);
      });

    if (name === "postgresql") describeAttacks();

    function describeAttacks(): void {
      // An owner's settings for its database are not this session's.
      const asAdministrator = (statement: string, where: string) =>
        bash(`cd /; PGOPTIONS='-c search_path=pg_catalog -c role=none -c default_transaction_read_only=off' \
          runuser -u postgres -- psql -Atq -v ON_ERROR_STOP=1 -d ${where} -c "${statement}"`);
      const askAll = async (database: Database, statements: readonly string[], where = database.database_name) => {
        for (const statement of statements)
          assert.equal(await ask(database, statement, database.password, where), "", statement);
      };
      const isGone = (user: string) =>
        waitFor(`${user} to go`, async () => !(await namesIn(engine.listUsers)).includes(user), soon);

      it("run nothing of their owner's with the administrator's rights", lengthy, async () => {
        const database = await create({ name: "baited" });
        await askAll(database, [...traps, ...laidFunctions]);
        assert.match(
          await ask(database, "CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION spring()"),
          /denied/,
        );
        const [searchPath = "", ...others] = settingsOfOwner("baited");
        await askAll(database, [searchPath]);
        assert.ok((await dumpOf(database)).length > 0);
        await askAll(database, others);
        const user = await addUser(database, "baited_reader");
        await settled(database.id);
        assert.equal((await readUser(user)).status, 1);
        await setPassword(database.id, "the-next-password");
        await settled(database.id);
        await removeUser(user);
        await settled(database.id);
        await isGone("baited_reader");
        assert.equal(await asAdministrator("SELECT to_regclass('public.caught') IS NULL", "baited"), "t");
        await remove(database.id);
        await isGone("baited");
      });

      it("are deleted with their users, whatever others have given to these", lengthy, async () => {
        const [given, giver] = [await create({ name: "given" }), await create({ name: "giver" })];
        await addUser(given, "given_reader");
        await settled(given.id);
        await askAll(given, ["ALTER DATABASE given IS_TEMPLATE true"]);
        await askAll(giver, [
          "CREATE TABLE things (id int)",
          "CREATE POLICY theirs ON things TO given, given_reader USING (true)",
          "GRANT ALL ON things TO given, given_reader",
          "GRANT CONNECT ON DATABASE giver TO given",
          "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO given_reader",
          ...settingsOfOwner("giver"),
        ]);
        await remove(given.id);
        await isGone("given");
        await isGone("given_reader");
        assert.ok(!(await namesIn(engine.listDatabases)).includes("given"));
        assert.equal(await asAdministrator("SELECT count(*) FROM public.things", "giver"), "0");
        await remove(giver.id);
        await isGone("giver");
      });

      it(
        "give the rights of their new owner to no account that left something in them before they were adopted",
        lengthy,
        async () => {
          const outsider = await create({ name: "outsider" });
          // As each database is before version 15.
          await bash(`cd /; runuser -u postgres -- psql -q <<< "CREATE ROLE before LOGIN PASSWORD 'before-password'; CREATE DATABASE opened OWNER before;"
          runuser -u postgres -- psql -q -d opened <<< "GRANT CREATE ON SCHEMA public TO PUBLIC; SET ROLE before; CREATE TABLE secrets AS SELECT 7 AS id;"`);
          // What a function of the account does as an event trigger, it would do with the rights of the administrator.
          await asAdministrator(
            "CREATE FUNCTION public.on_event() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN NULL; END'; CREATE EVENT TRIGGER events ON ddl_command_end EXECUTE FUNCTION public.on_event()",
            "opened",
          );
          const leave = [
            "CREATE FUNCTION public.peek() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT id FROM public.secrets'",
            "CREATE VIEW public.peeks AS SELECT * FROM public.secrets",
            "CREATE TABLE public.former AS SELECT 'outsider'::name AS rolname",
          ];
          // Its body and its table are looked at when it is used.
          await askAll(
            outsider,
            leave.map((statement) => `SET check_function_bodies = off; ${statement}`),
            "opened",
          );
          await untilSeen("opened");
          const id = await adopt({ name: "opened", username: "opener" });
          const opened = await settled(id);
          assert.equal(opened.status, 1, opened.notes ?? "");
          assert.equal(await ask(opened, "SELECT id FROM secrets"), "7");
          for (const attempt of ["SELECT public.peek()", "SELECT * FROM public.peeks", "SET ROLE opener"])
            assert.match(await ask(outsider, attempt, outsider.password, "opened"), /permission denied/, attempt);
          assert.match(
            await ask(opened, "CREATE OR REPLACE FUNCTION public.on_event() RETURNS event_trigger LANGUAGE sql AS ''"),
            /must be owner/,
          );
          const former = { username: "before", database: "opened" };
          assert.equal(await bash(engine.as(former, "SELECT id FROM secrets"), "before-password"), "7");
          await remove(id);
          await isGone("opener");
          await remove(outsider.id);
          await isGone("outsider");
        },
      );
    }

    if (name === "postgresql")
      it("are looked at without functions that an account left in the administrator's database", lengthy, async () => {
        // Before version 15 every account can make one there, until the setup of the server.
        await bash(
          engine.admin(`CREATE FUNCTION public.convert_to(it name, encoding text) RETURNS bytea LANGUAGE plpgsql AS
            'BEGIN CREATE TABLE IF NOT EXISTS public.caught AS SELECT current_user AS who;
             RETURN pg_catalog.convert_to(it::text, encoding::name); END'`),
        );
        const { id } = await create({ name: "looked_at" });
        await waitFor("the look", async () => (await read(id)).size_bytes !== null, withinMinutes);
        assert.deepEqual(await namesIn("SELECT to_regclass('public.caught') IS NULL"), ["t"]);
        await bash(engine.admin("DROP FUNCTION public.convert_to(name, text)"));
        await remove(id);
      });

    it("are found, and adopted with a user of their own beside those that they have", lengthy, async () => {
      await untilSeen("foreign_one");
      const id = await adopt({ name: "foreign_one", username: "adopter" });
      const database = await settled(id);
      assert.equal(database.status, 1, database.notes ?? "");
      assert.equal(await ask(database, "SELECT id FROM things"), "7");
      await ask(database, "INSERT INTO things VALUES (8)");
      await ask(database, "CREATE TABLE more (id INT)");
      const former = (statement: string) =>
        bash(engine.as({ username: "foreign_user", database: "foreign_one" }, statement), "foreign-password");
      assert.equal(await former("SELECT COUNT(*) FROM things"), "2");
      await former("CREATE TABLE theirs (id INT)");
      assert.equal(await ask(database, "SELECT COUNT(*) FROM theirs"), "0");
      assert.equal(await former("SELECT COUNT(*) FROM more"), "0");
    });

    it(
      "are deleted with their user while a client is connected and in the middle of a transaction",
      lengthy,
      async () => {
        const database = await create({ name: "busy" });
        await ask(database, "CREATE TABLE things (id INT)");
        await bash(
          `nohup bash -c ${JSON.stringify(engine.as({ username: "busy", database: "busy" }, `BEGIN; INSERT INTO things VALUES (1); SELECT ${name === "mariadb" ? "SLEEP" : "pg_sleep"}(300)`)).replaceAll("$", "\\$")} > /dev/null 2>&1 &`,
          database.password,
        );
        const connected =
          name === "mariadb"
            ? "SELECT USER FROM information_schema.PROCESSLIST"
            : "SELECT usename FROM pg_stat_activity";
        await waitFor("the connection", async () => (await namesIn(connected)).includes("busy"), soon);
        await remove(database.id);
        await waitFor("the database to go", async () => !(await namesIn(engine.listDatabases)).includes("busy"), soon);
        await waitFor("the user to go", async () => !(await namesIn(engine.listUsers)).includes("busy"), soon);
        assert.ok(!(await namesIn(connected)).includes("busy"));
        await create({ name: "busy" });
      },
    );

    it("are looked at: version, size, character set", lengthy, async () => {
      const found = await waitFor(
        "the engine to be looked at",
        async () => {
          const all = await platform.client("GET /api/v1/servers/{id}/databases", onServer);
          return all.data.every((each) => each.size_bytes !== null) && all;
        },
        withinMinutes,
      );
      assert.match(found.engine_version ?? "", /^\d+\.\d+/);
      for (const { character_set } of found.data)
        assert.match(character_set ?? "", name === "mariadb" ? /utf8mb4/ : /UTF8/);
      assert.ok(found.data.some(({ size_bytes }) => (size_bytes ?? 0) > 0));
    });

    it("wait for a server that is away, and are there when it is back", lengthy, async () => {
      await cutNetwork(machine);
      const id = await request({ name: "patient" });
      const waiting = await waitFor(
        "an attempt to fail",
        async () => {
          const database = await read(id);
          return database.sync.state === "failing" && database;
        },
        withinMinutes,
      );
      assert.equal(waiting.status, 0);
      assert.ok(waiting.sync.error);
      await healNetwork(machine);
      const database = await waitFor(
        "the database to exist",
        async () => (await read(id)).status === 1 && read(id),
        withinMinutes,
      );
      assert.equal(await ask(database, "SELECT 1"), "1");
    });

    const dumpOf = async (database: Database): Promise<Buffer> => {
      const { headers, body } = await platform.client.success("GET /api/v1/servers/{id}/databases/{database}/dump", {
        ...of(database.id),
        signal: AbortSignal.timeout(soon.timeoutMs),
      });
      assert.match(headers.get("content-disposition") ?? "", /attachment; filename="\w+\.(sql\.gz|dump)"/);
      return buffer(body);
    };
    const importsOf = ({ id }: Database): string =>
      `${platform.url}/api/v1/servers/${onServer.params.id}/databases/${id}/imports`;
    const upload = async (database: Database, dump: string | Buffer, query = "") => {
      const answer = await fetch(`${importsOf(database)}${query}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${platform.token}`, "Content-Type": "application/octet-stream" },
        body: new Uint8Array(Buffer.from(dump)),
      });
      return { status: answer.status, body: (await answer.json()) as { message: string; data: DatabaseImport } };
    };
    const loadEnd = async (database: Database, dump: string | Buffer, query = ""): Promise<DatabaseImport> => {
      const { status, body } = await upload(database, dump, query);
      assert.equal(status, 202, body.message);
      return waitFor(
        "the dump to be loaded",
        async () => {
          const params = { ...onServer.params, database: database.id, import: body.data.id };
          const request = platform.client("GET /api/v1/servers/{id}/databases/{database}/imports/{import}", { params });
          const load = (await request).data;
          return (load.status === 1 || load.status === 2) && load;
        },
        soon,
      );
    };

    it("are downloaded, and loaded from dumps of all kinds", lengthy, async () => {
      const origin = await create({ name: "origin" });
      await ask(origin, "CREATE TABLE things (id INT PRIMARY KEY, word VARCHAR(20))");
      await ask(origin, "INSERT INTO things VALUES (1, 'Zürich'), (2, '密码')");
      const dump = await dumpOf(origin);
      const restored = await create({ name: "restored" });
      const load = await loadEnd(restored, dump);
      assert.equal(load.status, 1, load.error ?? "");
      assert.equal(load.size_bytes, dump.length);
      assert.equal(await ask(restored, "SELECT word FROM things WHERE id = 2"), "密码");
      await ask(restored, "INSERT INTO things VALUES (3, 'own')");

      const sql = "CREATE TABLE plain (word VARCHAR(20));\nINSERT INTO plain VALUES ('a\r\nb');\n";
      const kinds = [sql, gzipSync(sql), ...(name === "postgresql" ? [gzipSync(dump)] : [])];
      for (const kind of kinds) {
        const ended = await loadEnd(restored, kind, "?empty_first=true");
        assert.equal(ended.status, 1, ended.error ?? "");
      }
      if (name === "mariadb") assert.equal(await ask(restored, "SELECT LENGTH(word) FROM plain"), "4");
      const gone = name === "mariadb" ? "plain" : "things";
      assert.equal(await ask(restored, `SELECT COUNT(*) FROM ${gone}`), name === "mariadb" ? "1" : "2");
    });

    /** Loads a dump into the emptied database. */
    const loaded = async (database: Database, dump: string | Buffer): Promise<void> => {
      const load = await loadEnd(database, dump, "?empty_first=true");
      assert.equal(load.status, 1, load.error ?? "");
    };
    const packed = async (program: string, sql: string): Promise<Buffer> =>
      Buffer.from(await bash(`${program} <<'END' | base64 -w 0\n${sql}\nEND`), "base64");

    it("are loaded from dumps of other servers, which change nothing that is data", lengthy, async () => {
      const database = await create({ name: "immigrant" });
      const dump = elsewhere[name];
      const utf16 = Buffer.from(`\ufeff${dump.replaceAll("\n", "\r\n")}`, "utf16le");
      const packages: (string | Buffer)[] = [dump, utf16, gzipSync(utf16)];
      for (const program of ["bzip2 -c", "xz -c", "zstd -qc"]) packages.push(await packed(program, dump));
      for (const each of packages) {
        await loaded(database, each);
        assert.equal(await ask(database, "SELECT body FROM pages WHERE id = 1"), nastyWords);
        assert.equal(await ask(database, "SELECT COUNT(*) FROM pages"), "3");
        assert.equal(await ask(database, "SELECT title FROM shown"), "Käse");
      }
      assert.match(
        await tell(database, "INSERT INTO pages (id, body) VALUES (9, 'x'); SELECT body FROM pages WHERE id = 9;"),
        /^x by trigger/,
      );
    });

    it("stay as they are when a file is no dump for them, with a sentence about what to do", lengthy, async () => {
      const database = await create({ name: "steady" });
      await ask(database, "CREATE TABLE kept (id INT)");
      const answers: [string | Buffer, RegExp][] = [
        ["<!DOCTYPE html><html><body>Sign in</body></html>", /web page/],
        [gzipSync(elsewhere[name]).subarray(0, -30), /not complete/],
        [elsewhere[name === "mariadb" ? "postgresql" : "mariadb"], /is a dump of .*and the database is one of/],
        [gzipSync(""), /empty/],
      ];
      for (const [dump, sentence] of answers) {
        const load = await loadEnd(database, dump, "?empty_first=true");
        assert.equal(load.status, 2);
        assert.match(load.error ?? "", sentence);
      }
      assert.equal(await ask(database, "SELECT COUNT(*) FROM kept"), "0", "nothing was removed");
      const again = await loadEnd(database, "CREATE TABLE kept (id INT);\n");
      assert.match(again.error ?? "", /exists.*Empty the database first/);
      const cut = elsewhere[name].slice(0, -40);
      assert.match((await loadEnd(database, cut, "?empty_first=true")).error ?? "", /not complete/);
      if (name === "postgresql") assert.match(await ask(database, "SELECT * FROM pages"), /does not exist/);
    });

    if (name === "postgresql")
      it(
        "are loaded from each format of pg_dump as the administrator of another server makes it",
        lengthy,
        async () => {
          await bash(`cd /; runuser -u postgres -- psql -q <<'END'
          CREATE ROLE former LOGIN; CREATE DATABASE former OWNER former;
          \\c former
          CREATE EXTENSION pgcrypto; COMMENT ON EXTENSION pgcrypto IS 'cryptographic; functions';
          CREATE TABLE things (word text); INSERT INTO things VALUES (E'OWNER TO former;\\nGRANT');
          ALTER TABLE things OWNER TO former; GRANT SELECT ON things TO former; COMMENT ON SCHEMA public IS 'ours';
          CREATE PUBLICATION all_of_it FOR ALL TABLES;
END`);
          const database = await create({ name: "settled" });
          for (const options of [
            "-Fc",
            "-Ft",
            "-Fp",
            "-Fp -C",
            "-Fp --clean --if-exists",
            "-Fc --schema=public",
            "-Fp --schema=public",
          ]) {
            const base64 = await bash(`cd /; runuser -u postgres -- pg_dump ${options} former | base64 -w 0`);
            await loaded(database, Buffer.from(base64, "base64"));
            assert.equal(await ask(database, "SELECT word FROM things"), "OWNER TO former;\nGRANT", options);
          }
          const whole = await bash("cd /; runuser -u postgres -- pg_dumpall");
          assert.match((await loadEnd(database, whole)).error ?? "", /whole server.*pg_dump/);
        },
      );

    it("are loaded with the rights of their own user, outside of everything else on the server", lengthy, async () => {
      const [attacker, victim] = [await create({ name: "attacker" }), await create({ name: "victim" })];
      await ask(victim, "CREATE TABLE secrets (id INT)");
      const attacks =
        name === "mariadb"
          ? [
              "DROP TABLE victim.secrets;",
              "INSERT INTO victim.secrets VALUES (1);",
              "SELECT 1 INTO OUTFILE '/tmp/broke-out';",
              "\\! touch /tmp/broke-out\n",
            ]
          : [
              "SET ROLE postgres;",
              "COPY pg_class TO PROGRAM 'touch /tmp/broke-out';",
              "\\! touch /srv/broke-out; exit 1\nSELECT * FROM no_such_table;",
            ];
      for (const attack of attacks) {
        const { status, error } = await loadEnd(attacker, `${attack}\n`);
        assert.equal(status, 2, attack);
        assert.match(error ?? "", /The dump was not loaded: .*(denied|ERROR|FATAL)/);
      }
      // What would be for another database is left out, and the rest is for this one.
      const elsewhere = name === "mariadb" ? "DROP DATABASE victim;\nUSE victim;" : "DROP DATABASE victim;\n\\c victim";
      const load = await loadEnd(attacker, `${elsewhere}\nCREATE TABLE here (id INT);\n`);
      assert.equal(load.status, 1, load.error ?? "");
      assert.equal(await ask(attacker, "SELECT COUNT(*) FROM here"), "0");
      assert.equal(await bash("ls /tmp/broke-out /srv/broke-out 2> /dev/null || true"), "");
      assert.equal(await ask(victim, "SELECT COUNT(*) FROM secrets"), "0");
      assert.equal(await bash("ls -A /var/lib/longshore/imports"), "", "dumps are removed");
    });

    it("take no dump that broke off, and can be loaded into afterwards", lengthy, async () => {
      const database = await create({ name: "partly" });
      const cut = gzipSync("CREATE TABLE things (id INT);").subarray(0, -6);
      assert.match((await loadEnd(database, cut)).error ?? "", /not complete/);
      assert.equal((await upload(database, "")).status, 422);
      const request = httpRequest(importsOf(database), {
        method: "POST",
        headers: { Authorization: `Bearer ${platform.token}`, "Content-Type": "application/octet-stream" },
      });
      request.on("error", () => undefined);
      request.write("CREATE TABLE broken_off (id INT);\n");
      await waitFor("the upload to begin", async () => (await bash("ls /var/lib/longshore/imports")) !== "", soon);
      assert.equal((await upload(database, "SELECT 1;")).status, 422);
      request.destroy();
      await waitFor(
        "the upload to be given up",
        async () => (await upload(database, "SELECT 1;")).status === 202,
        soon,
      );
      assert.match(await ask(database, "SELECT * FROM broken_off"), /broken_off/);
    });

    it("are made, used and dropped under hostile names, and nothing else is touched", lengthy, async () => {
      const password = "hostile-password";
      const secrets = "/run/longshore-hostile";
      const verifier = passwordVerifier(name, password);
      await bash(
        `install -d -m 700 ${secrets} /var/lib/longshore/database-users; printf %s '${verifier}' > ${secrets}/verifier`,
      );
      await create({ name: "bystander" });
      const state = async () => [
        ...(await namesIn(engine.listDatabases)).sort(),
        ...(await namesIn(engine.listUsers)).sort(),
        await bash(
          "ls -A /tmp /root / /var/lib/longshore/database-users 2> /dev/null | grep -v systemd-private || true",
        ),
      ];
      const before = await state();
      const accounts = hostileAccounts(hostileNames);
      const complaints: string[] = [];
      // A power cut is not tested here, and PostgreSQL would spend most of its time waiting for the disk.
      if (name === "postgresql") await bash(engine.admin("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();"));
      const enter = await enterCommand(machine);
      for (let at = 0; at < accounts.length; at += 50) {
        const program = hostileProgram(name, accounts.slice(at, at + 50));
        const environment = [`PASSWORD=${password}`, `LONGSHORE_SECRETS=${secrets}`];
        await mustRun([...enter, "bash", "-c", "cat > /run/hostile.sh"], { input: program });
        complaints.push(await mustRun([...enter, "env", ...environment, "bash", "-u", "/run/hostile.sh"]));
      }
      if (name === "postgresql") await bash(engine.admin("ALTER SYSTEM RESET fsync; SELECT pg_reload_conf();"));
      assert.equal(complaints.join(""), "");
      assert.deepEqual(await state(), before);
    });

    it("show no password on a command line while they are made", lengthy, async () => {
      const password = "needle-on-a-command-line";
      const [verifier] = name === "mariadb" ? [passwordVerifier(name, password)] : ["SCRAM-SHA-256"];
      const enter = await enterCommand(machine);
      await bash("rm -f /run/seen /run/seen-enough");
      const watch =
        "until [ -e /run/seen-enough ]; do cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\\0' '\\n'; done | sort -u > /run/seen";
      const watching = mustRun([...enter, "bash", "-c", watch]);
      for (const number of [1, 2, 3]) {
        const { id } = await create({ name: `watched_${number}`, password });
        await setPassword(id, `${password}-${number}`);
        await settled(id);
      }
      await bash("touch /run/seen-enough");
      await watching;
      const seen = await bash("cat /run/seen");
      assert.match(seen, name === "mariadb" ? /^mariadb$/m : /^(?:\S*\/)?psql$/m, "the creation was watched");
      assert.ok(!seen.includes(password));
      assert.ok(!seen.includes(verifier as string));
    });

    it("leave no password in logs, journals or anything else on the server", lengthy, async () => {
      const password = "needle-in-a-haystack-1";
      const database = await create({ name: "quiet", password });
      await setPassword(database.id, `${password}-more`);
      await settled(database.id);
      const traces = await bash(
        `{ journalctl --no-pager; ${engine.logs}; find /var/lib/longshore /run/longshore /tmp /root -type f -exec cat {} +; } 2> /dev/null | grep -c needle-in || true`,
      );
      assert.equal(traces, "0");
      assert.doesNotMatch(await readFile(platform.logFile, "utf8"), /needle-in/);
      // Everything that the platform stores: records, steps with their details, events, the audit log.
      const stored = await runCommand(["grep", "-rlaF", "needle-in-a-haystack", platform.dataDirectory]);
      assert.equal(stored.stdout, "");
    });
  });
}
