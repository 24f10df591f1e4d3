import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { parseLook } from "../../../host/databases/look.ts";
import { call } from "../../../http/tests/support.ts";
import { recordEngineCheck } from "../engines.ts";
import { claimEngineChecks } from "../queries.ts";
import { addServer, ask, created, openStage, read, type Stage } from "./support.ts";

const hex = (text: string): string => Buffer.from(text).toString("hex").toUpperCase();

const output = [
  "version\t10.11.19-MariaDB",
  `database\t${hex("shop")}\tutf8mb4\tutf8mb4_general_ci\t3`,
  `database\t${hex("old-Shop ü\tx")}\tlatin1\tlatin1_swedish_ci\t0`,
  `user\t${hex("shop")}`,
  "size\tshop\t4096",
  "size\told@002dShop@0020@00fc@0009x\t8192",
  "database\tnot hexadecimal\tx\tx\t0",
  "anything else",
].join("\n");

describe("what a look at an engine printed", () => {
  it("is read name by name, and lines of another form are ignored", () => {
    assert.deepEqual(parseLook(output), {
      version: "10.11.19-MariaDB",
      databases: [
        { name: "shop", characterSet: "utf8mb4", collation: "utf8mb4_general_ci", connections: 3, sizeBytes: 4096 },
        {
          name: "old-Shop ü\tx",
          characterSet: "latin1",
          collation: "latin1_swedish_ci",
          connections: 0,
          sizeBytes: 8192,
        },
      ],
      users: ["shop"],
    });
  });

  it("is bounded", () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `database\t${hex(`d${n}`)}\tx\tx\t0`).join("\n");
    assert.equal(parseLook(many).databases.length, 3_000);
    assert.equal(parseLook(`version\t${"x".repeat(1_000)}`).version.length, 100);
    assert.deepEqual(parseLook(`database\t${hex("a\0b")}\tx\tx\t0`).databases, []);
  });
});

describe("a look at an engine", () => {
  let stage: Stage;

  before(async () => {
    stage = await openStage();
    await stage.pool.query("update servers set connection_status = 1");
  });

  after(() => stage?.close());

  it("is due about once a minute, on servers that are connected and have an engine", async () => {
    const none = await addServer(stage.pool, stage.cast.organizationId, { engine: "none" });
    await stage.pool.query("update servers set connection_status = 1 where id = $1", [none]);
    const due = await claimEngineChecks(stage.pool, 10);
    assert.deepEqual(
      due.map(({ server_id }) => server_id),
      [stage.serverId],
    );
    assert.deepEqual(await claimEngineChecks(stage.pool, 10), []);
  });

  it("stores sizes with the records, and what has none as found", async () => {
    const id = await created(stage, { name: "shop" });
    await recordEngineCheck(stage.ctx, stage.serverId, parseLook(output));
    const record = await read(stage, id);
    assert.deepEqual(
      [record.size_bytes, record.connections, record.character_set, record.collation],
      [4096, 3, "utf8mb4", "utf8mb4_general_ci"],
    );
    assert.ok(record.seen_at);
    const list = (await ask(stage, "GET")).body;
    assert.equal(list.engine_version, "10.11.19-MariaDB");
    assert.ok(list.seen_at);
    const line = `GET /api/v1/servers/${stage.serverId}/unmanaged-databases`;
    const found = (await call(stage.app, line, { token: stage.cast.alice })).body.data;
    assert.deepEqual(
      found.map((each: { name: string; size_bytes: number; adoptable: boolean }) => [
        each.name,
        each.size_bytes,
        each.adoptable,
      ]),
      [["old-Shop ü\tx", 8192, false]],
    );
  });
});
