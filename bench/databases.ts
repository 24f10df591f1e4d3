import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { downServer, type SandboxServer } from "../sandbox/sandbox.ts";
import { startEmbeddedPostgres } from "../src/db/embedded.ts";
import { engineLabels, type SqlEngine } from "../src/host/databases/engine.ts";
import { sh } from "../src/host/sh.ts";
import { connect } from "../src/host/ssh/connect.ts";
import type { Connection } from "../src/host/ssh/connection.ts";
import { type Api, waitFor } from "../stage/api-client.ts";
import { provisionedServer } from "../stage/fixture.ts";
import { type BareControlPlane, startBareControlPlane } from "./bare-databases.ts";
import { type Measurement, median, type Result, type Session, secondsOf } from "./benchmark.ts";
import { startBenchPlatform } from "./stage.ts";

const rounds = 15;
const atOnce = 100;
const engines: readonly SqlEngine[] = ["mariadb", "postgresql"];

/** Factor on the duration of the same SQL. */
const createBar = 1.3;
/** Seconds for all. */
const atOnceBar = 15;

const often = { timeoutMs: 120_000, intervalMs: 5 };

/** Databases on a server of each engine. */
export async function measureDatabases(session: Session): Promise<Result> {
  const platform = await startBenchPlatform(session, {}, "databases");
  const postgres = await startEmbeddedPostgres(join(session.directory, "bare"));
  session.cleanUp(postgres.stop);
  const measurements: Measurement[] = [];
  const failures: string[] = [];
  for (const engine of engines) {
    const name = `bench-${engine}-${process.pid}`;
    session.cleanUp(() => downServer(name));
    session.update(`${engine}: booting a provisioned server`);
    const { server, serverId } = await provisionedServer(platform, name, { database_engine: engine });
    const measured = await measureEngine(session, engine, {
      server,
      client: platform.client,
      serverId,
      databaseUrl: postgres.url,
    });
    measurements.push(...measured.measurements);
    failures.push(...measured.failures);
    await downServer(name);
  }
  return { measurements, failures };
}

interface Place {
  server: SandboxServer;
  client: Api;
  serverId: number;
  /** Where the bare control plane stores its records. */
  databaseUrl: string;
}

async function measureEngine(session: Session, engine: SqlEngine, place: Place): Promise<Result> {
  const label = engineLabels[engine];
  const connection = await connectTo(place.server);
  const bare = await startBareControlPlane(place.databaseUrl, connection, clients[engine]);
  const { own, barely, theirs } = await takeTurns(session, engine, place, { connection, bare });
  await bare.close();
  connection.close();
  session.update(`${engine}: ${atOnce} databases at once`);
  const names = Array.from({ length: atOnce }, (_, number) => `many_${number}`);
  const all = await secondsOf(() => createAndSee(place, names));
  const [value, other] = [median(own), median(theirs)];
  const compared = [
    { to: "the same SQL over a kept SSH connection", value: other },
    { to: "a bare control plane: request, two commits, SSH, unit, SQL", value: median(barely) },
  ];
  return {
    measurements: [
      { what: `${label}: one exists`, unit: "s", value, compared },
      { what: `${label}: ${atOnce} at once exist`, unit: "s", value: all },
    ],
    failures: [
      ...(value > createBar * other ? [`${label}: one database takes more than ${createBar} times the same SQL`] : []),
      ...(all > atOnceBar ? [`${label}: ${atOnce} databases take more than ${atOnceBar} s`] : []),
    ],
  };
}

interface Others {
  connection: Connection;
  bare: BareControlPlane;
}

/** In turns, so that all have the same load. */
async function takeTurns(session: Session, engine: SqlEngine, place: Place, { connection, bare }: Others) {
  const own: number[] = [];
  const barely: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < (session.quick ? 3 : rounds); round++) {
    session.update(`${engine}: database ${round + 1}`);
    own.push(await secondsOf(() => createAndSee(place, [`bench_${round}`])));
    barely.push(await secondsOf(() => bare.execute(statements[engine](`bare_${round}`))));
    theirs.push(await secondsOf(() => bySql(connection, engine, `sql_${round}`)));
  }
  return { own, barely, theirs };
}

/** Requests databases, all at once, and polls the list until each of them exists. */
async function createAndSee({ client, serverId }: Place, names: readonly string[]): Promise<void> {
  const params = { id: serverId };
  const create = async (name: string) =>
    (await client("POST /api/v1/servers/{id}/databases", { params, body: { name } })).data.id;
  const wanted = new Set(await Promise.all(names.map(create)));
  await waitFor(
    "the databases to exist",
    async () => {
      const { data } = await client("GET /api/v1/servers/{id}/databases", { params });
      return data.filter(({ id, status }) => wanted.has(id) && status === 1).length === names.length;
    },
    often,
  );
}

const connectTo = async ({ name, address, privateKeyPath }: SandboxServer): Promise<Connection> =>
  connect({ name, host: address, port: 22, privateKey: await readFile(privateKeyPath, "utf8") }, 10_000);

// The SQL of a database's creation, without its checks.
const statements: Record<SqlEngine, (name: string) => string> = {
  mariadb: (name) => `CREATE DATABASE ${name} CHARACTER SET utf8mb4;
    CREATE USER ${name}@localhost IDENTIFIED BY 'password-of-${name}';
    GRANT ALL PRIVILEGES ON \`${name}\`.* TO ${name}@localhost;`,
  postgresql: (name) => `CREATE ROLE ${name} LOGIN PASSWORD 'password-of-${name}';
    CREATE DATABASE ${name} OWNER ${name};
    REVOKE ALL ON DATABASE ${name} FROM PUBLIC;`,
};

const clients: Record<SqlEngine, ReturnType<typeof sh>> = {
  mariadb: sh`mariadb --batch`,
  postgresql: sh`cd /; exec runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 -d postgres`,
};

async function bySql(connection: Connection, engine: SqlEngine, name: string): Promise<void> {
  const { exitCode, stderr } = await connection.exec(clients[engine], { input: statements[engine](name) });
  if (exitCode !== 0) throw new Error(`The SQL to compare with failed: ${stderr}`);
}
