import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, it } from "node:test";
import { type SshServer, sshServer } from "../../../../test/ssh-server.ts";
import { row, sql } from "../../../db/sql.ts";
import { type Script, sh } from "../../../host/sh.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { call } from "../../../http/tests/support.ts";
import { AppError } from "../../../lib/errors.ts";
import { serverChecks } from "../hooks.ts";
import { addProvisioned, checkConnections, openStage, type Stage } from "./support.ts";

let stage: Stage;
let server: SshServer;
let hosts: Hosts;
/** How often the server was asked. */
let asked = 0;
/** Printed in place of what the command prints. */
let replacement: string | undefined;

before(async () => {
  stage = await openStage();
  server = await sshServer({
    exec: (command, channel) => {
      asked++;
      const bash = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
      bash.stdout.on("data", (bytes) => replacement === undefined && channel.write(bytes));
      bash.on("close", (code) => {
        if (replacement !== undefined) channel.write(replacement);
        channel.exit(code ?? 1);
        channel.end();
      });
    },
  });
  hosts = new Hosts({ lookUp: async () => server.address, pin: async () => {}, connectTimeoutMs: 5_000 });
});
after(async () => {
  await hosts?.close();
  server?.close();
  await stage?.close();
});

/** Checks a new server with these scripts; its id, and the outputs that were passed on. */
async function check(scripts: Record<string, Script>) {
  const id = await addProvisioned(stage);
  const settled: Record<string, string> = {};
  const hooks = Object.entries(scripts).map(([name, script]) =>
    serverChecks({
      name,
      script,
      settle: async (_, serverId, output) => {
        assert.equal(serverId, id);
        settled[name] = output;
        if (output === "fail\n") throw new Error("It cannot be read.");
      },
    }),
  );
  asked = 0;
  await checkConnections({ ...stage, ctx: { ...stage.ctx, hosts, hooks } });
  return { id, settled };
}

const connectionOf = (id: number) =>
  row(stage.pool, sql`select connection_status, connection_error from servers where id = ${id}`);

it("one query has the parts of all checks, and each gets its own output", async () => {
  const { settled } = await check({
    processes: sh`printf 'one\n\ttwo "3"\n'; exit`,
    load: sh`cat; printf 'four'`,
    nothing: sh`true`,
  });
  assert.deepEqual(settled, { processes: 'one\n\ttwo "3"\n', load: "four", nothing: "" });
  assert.equal(asked, 1);
});

it("a check that fails, takes too long, or prints too much or rubbish affects no other one, nor the connection", async () => {
  const { id, settled } = await check({
    first: sh`echo first`,
    failing: sh`echo "half of it"; exit 3`,
    cut: sh`head -c 2000000 /dev/zero`,
    slow: sh`trap '' TERM; echo "half of it"; while true; do sleep 1; done`,
    rubbish: sh`printf 'check-7 cnViYmlzaA==\n)\n'; head -c 300 /dev/urandom; echo "bad" >&2`,
    broken: sh`if then )`,
    unreadable: sh`echo fail`,
    last: sh`echo last`,
  });
  assert.deepEqual(Object.keys(settled), ["first", "rubbish", "unreadable", "last"]);
  assert.deepEqual([settled.first, settled.last], ["first\n", "last\n"]);
  assert.deepEqual(await connectionOf(id), { connection_status: 1, connection_error: null });
});

it("a server that answers with anything else is connected, and nothing is settled", async () => {
  replacement = "Welcome!\n\ncheck-1 <html>\n";
  const { id, settled } = await check({ one: sh`echo one`, other: sh`echo other` });
  assert.deepEqual(settled, {});
  assert.deepEqual(await connectionOf(id), { connection_status: 1, connection_error: null });
});

it("a check that fails is recorded with the kind of its failure, until one succeeds", async () => {
  const failures = [
    { error: new AppError("authentication_refused", "Refused."), problem: "key_refused" },
    { error: new AppError("host_key_changed", "Changed."), problem: "host_key_changed" },
    { error: new Error("No route."), problem: "unreachable" },
  ];
  const id = await addProvisioned(stage);
  const problemAfter = async (lookUp: () => Promise<typeof server.address>) => {
    await stage.pool.query("update servers set connection_checked_at = null where id = $1", [id]);
    const checked = new Hosts({ lookUp, pin: async () => {}, connectTimeoutMs: 5_000 });
    await checkConnections({ ...stage, ctx: { ...stage.ctx, hosts: checked, hooks: [] } });
    await checked.close();
    const { body } = await call(stage.app, `GET /api/v1/servers/${id}`, { token: stage.cast.alice });
    return body.data.connection_problem;
  };
  for (const { error, problem } of failures) {
    assert.equal(await problemAfter(() => Promise.reject(error)), problem);
    // As it was recorded before there were kinds: the same error names its kind.
    await stage.pool.query("update servers set connection_problem = null where id = $1", [id]);
    assert.equal(await problemAfter(() => Promise.reject(error)), problem);
  }
  assert.equal(await problemAfter(async () => server.address), null);
});

const readingOf = (id: number) =>
  row<{ seen_at: string; usage: { load: unknown; memory: unknown } | null; measured_at: string | null }>(
    stage.pool,
    sql`select seen_at, usage, measured_at from server_readings where server_id = ${id}`,
  );

it("the query also asks how busy the server is, and what it says stays while it does not answer", async () => {
  replacement = undefined;
  const { id } = await check({ one: sh`echo one` });
  assert.equal(asked, 1);
  const first = await readingOf(id);
  assert.ok(first?.usage?.load && first.usage.memory);

  await stage.pool.query("update servers set connection_checked_at = null where id = $1", [id]);
  replacement = `check-1 ${Buffer.from("load 9.99 9.99 9.99 1").toString("base64")}\ncheck-1 more\n`;
  await checkConnections({ ...stage, ctx: { ...stage.ctx, hosts, hooks: [] } });
  const silent = await readingOf(id);
  assert.deepEqual([silent?.usage, silent?.measured_at], [first.usage, first.measured_at]);
  assert.ok((silent?.seen_at ?? "") > first.seen_at);

  await stage.pool.query("update servers set connection_checked_at = null where id = $1", [id]);
  await checkConnections(stage);
  assert.deepEqual(await readingOf(id), silent);
  replacement = undefined;
});
