import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openPool } from "../../src/db/pool.ts";
import { runDirectory } from "../../src/host/runner/runner.ts";
import { waitFor } from "../../stage/api-client.ts";
import { readServer } from "../../stage/fixture.ts";
import { lengthy, openStage, type Stage } from "../../stage/support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage("reboot");
}, lengthy);
after(() => stage?.close());

const read = () => readServer(stage.client, stage.serverId);

const bootId = () => stage.bash("cat /proc/sys/kernel/random/boot_id");

/** The events that a listener receives, by name, with the time of receipt. */
async function listen(): Promise<{ names: string[]; stop: () => void }> {
  const stopping = new AbortController();
  const names: string[] = [];
  const events = await stage.client("GET /api/v1/events", { signal: stopping.signal });
  const collect = async () => {
    for await (const text of events.pipeThrough(new TextDecoderStream())) {
      names.push(...[...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name ?? ""));
    }
  };
  collect().catch(() => undefined);
  return { names, stop: () => stopping.abort() };
}

describe("a server that is rebooted over the API", () => {
  it("really boots, is seen to be away, and comes back connected", async () => {
    const before = await bootId();
    const events = await listen();
    const { server_id } = await stage.client("POST /api/v1/servers/{id}/reboot", { params: { id: stage.serverId } });
    assert.equal(server_id, stage.serverId);
    assert.equal((await read()).connection_status, 0);

    const back = await waitFor(
      "the server to be connected again",
      async () => {
        const server = await read();
        return server.connection_status === 1 && server;
      },
      { timeoutMs: 180_000 },
    );

    assert.deepEqual([back.connection_error, back.server_status], [null, 10]);
    assert.notEqual(await bootId(), before);
    assert.deepEqual([...new Set(events.names)].sort(), ["attention.updated", "server.updated"]);
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
    await stage.client("POST /api/v1/servers/{id}/reboot", { params: { id: stage.serverId } });
    await waitFor("the server to be connected again", async () => (await read()).connection_status === 1, {
      timeoutMs: 180_000,
    });
    assert.notEqual(await bootId(), before);
  });
});

describe("a server's time zone", () => {
  it("changes on the server with the record", async () => {
    await stage.client("PUT /api/v1/servers/{id}", {
      params: { id: stage.serverId },
      body: { timezone: "Asia/Tokyo" },
    });
    await waitFor("the time zone", async () => (await stage.bash("date +%Z")) === "JST", { timeoutMs: 60_000 });
  });
});
