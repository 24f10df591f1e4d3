import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { openPool } from "../src/db/pool.ts";
import { type Script, sh } from "../src/host/sh.ts";
import type { Connection } from "../src/host/ssh/connection.ts";

export interface BareControlPlane {
  /** Resolves when the SQL was executed and its result is stored. */
  execute(statements: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The least between a request and SQL on a server that survives the death of the connection: an HTTP request, a committed record,
 * one command over the kept connection, which runs `client` in a unit of its own, and a committed result. No user, permission,
 * queue, audit log, event, step or log, and nothing that continues after a crash.
 */
export async function startBareControlPlane(
  databaseUrl: string,
  connection: Connection,
  client: Script,
): Promise<BareControlPlane> {
  const pool = openPool(databaseUrl, { applicationName: "bare" });
  await pool.query(`create table if not exists bare_works (
    id bigint generated always as identity primary key, statements text not null, exit_code integer)`);
  const work = async (request: IncomingMessage): Promise<number> => {
    const input = await text(request);
    const inserted = await pool.query("insert into bare_works (statements) values ($1) returning id", [input]);
    const command = sh`systemd-run --quiet --wait --collect --pipe bash -c ${client.script}`;
    const { exitCode } = await connection.exec(command, { input });
    await pool.query("update bare_works set exit_code = $1 where id = $2", [exitCode, inserted.rows[0].id]);
    return exitCode === 0 ? 200 : 500;
  };
  const server = createServer((request, response) => {
    work(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async execute(statements) {
      const { ok } = await fetch(url, { method: "POST", body: statements });
      if (!ok) throw new Error("The bare control plane did not execute the SQL.");
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await pool.end();
    },
  };
}
