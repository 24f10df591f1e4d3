import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openPool } from "../../src/db/pool.ts";
import { runDirectory } from "../../src/host/runner/runner.ts";
import { must, waitFor } from "../../stage/api-client.ts";
import { lengthy, openStage, type Stage } from "../../stage/support.ts";

interface Server {
  connection_status: number;
  connection_error: string | null;
  server_status: number;
}

let stage: Stage;

before(async () => {
  stage = await openStage("reboot");
}, lengthy);
after(() => stage?.close());

const readServer = async (): Promise<Server> => {
  const path = `/api/v1/servers/${stage.serverId}`;
  return (await must("Reading the server", stage.client.get<{ data: Server }>(path))).data;
};

const bootId = () => stage.bash("cat /proc/sys/kernel/random/boot_id");

/** The events that a listener receives, by name, with the time of receipt. */
async function listen(): Promise<{ names: string[]; stop: () => void }> {
  const stopping = new AbortController();
  const names: string[] = [];
  const { url, token } = stage.platform;
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/v1/events`, { headers, signal: stopping.signal });
  assert.equal(response.status, 200);
  const read = async () => {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      names.push(...[...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name ?? ""));
    }
  };
  read().catch(() => undefined);
  return { names, stop: () => stopping.abort() };
}

describe("a server that is rebooted over the API", () => {
  it("really boots, is seen to be away, and comes back connected", async () => {
    const before = await bootId();
    const events = await listen();
    const reply = await stage.client.post<{ server_id: number }>(`/api/v1/servers/${stage.serverId}/reboot`);
    assert.equal(reply.status, 202);
    assert.equal(reply.body.server_id, stage.serverId);
    assert.equal((await readServer()).connection_status, 0);

    const back = await waitFor(
      "the server to be connected again",
      async () => {
        const server = await readServer();
        return server.connection_status === 1 && server;
      },
      { timeoutMs: 180_000 },
    );

    assert.deepEqual([back.connection_error, back.server_status], [null, 10]);
    assert.notEqual(await bootId(), before);
    assert.deepEqual([...new Set(events.names)], ["server.updated"]);
    events.stop();
  });

  it("has the run's journal ended as succeeded, each step reported once", async () => {
    const { url } = JSON.parse(await readFile(join(stage.platform.dataDirectory, "lock"), "utf8")) as { url: string };
    const pool = openPool(url, { max: 1 });
    const { rows } = await pool.query<{ id: number }>("select id from runs where kind = 'reboot'");
    await pool.end();
    assert.equal(rows.length, 1);
    const journal = await stage.bash(`cat ${runDirectory(Number(rows[0]?.id))}/journal | tr '\\036' '#'`);
    assert.match(journal, /The server has booted\./);
    assert.match(journal, /^#\S+ resume \d+$/m);
    assert.match(journal, /^#\S+ end succeeded \d+$/m);
    for (const position of [0, 1])
      assert.equal([...journal.matchAll(new RegExp(`^#\\S+ done ${position} 0 `, "gm"))].length, 1);
  });

  it("can be rebooted again, which is another boot", async () => {
    const before = await bootId();
    await must("Rebooting", stage.client.post(`/api/v1/servers/${stage.serverId}/reboot`));
    await waitFor("the server to be connected again", async () => (await readServer()).connection_status === 1, {
      timeoutMs: 180_000,
    });
    assert.notEqual(await bootId(), before);
  });
});

describe("a server's time zone", () => {
  it("changes on the server with the record", async () => {
    await must("Changing", stage.client.put(`/api/v1/servers/${stage.serverId}`, { timezone: "Asia/Tokyo" }));
    await waitFor("the time zone", async () => (await stage.bash("date +%Z")) === "JST", { timeoutMs: 60_000 });
  });
});
