import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { addOwnDatabase, settleOwnDatabase } from "../service.ts";
import { addServer, ask, list, openStage, read, type Stage } from "./support.ts";

let stage: Stage;
/** The database that came with the stage's server. */
let id: number;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

beforeEach(async () => {
  stage.serverId = await addServer(stage.pool, stage.cast.organizationId);
  await addOwnDatabase(stage.pool, stage.ctx, { id: stage.serverId, engine: "mariadb" });
  id = (await list(stage))[0]?.id as number;
});

const settle = (failure?: { reason: string }) =>
  transaction(stage.pool, (tx) => settleOwnDatabase(tx, stage.serverId, failure));

const stateOf = async () => {
  const { status, notes } = await read(stage, id);
  return [status, notes];
};

const note = async (notes: string) => {
  const reply = await ask(stage, "PUT", `/${id}`, { body: { notes } });
  assert.equal(reply.status, 200, reply.text);
};

const countEvents = async () => {
  const events = sql`select 1 from events where name = 'database.updated' and server_id = ${stage.serverId}`;
  return (await rows(stage.pool, events)).length;
};

describe("the database that came with a server", () => {
  it("keeps its notes when a setup completes, the first and any later one", async () => {
    await note("Orders since 2024");
    await settle();
    assert.deepEqual(await stateOf(), [1, "Orders since 2024"]);
    await settle();
    await settle({ reason: "MariaDB did not start." });
    assert.deepEqual(await stateOf(), [1, "Orders since 2024"]);
  });

  it("has the reason in its notes while it could not be created, and not afterwards", async () => {
    await settle({ reason: "MariaDB did not start." });
    assert.deepEqual(await stateOf(), [2, "MariaDB did not start."]);
    await settle({ reason: "The disk is full." });
    assert.equal((await read(stage, id)).notes, "The disk is full.");
    await settle();
    assert.deepEqual(await stateOf(), [1, null]);
  });

  it("is announced when a setup changed it, and only then", async () => {
    const { updated_at: updatedAt } = await read(stage, id);
    await settle({ reason: "The disk is full." });
    assert.equal(await countEvents(), 1);
    assert.ok((await read(stage, id)).updated_at > updatedAt);
    await settle({ reason: "The disk is full." });
    assert.equal(await countEvents(), 1);
    await settle();
    assert.equal(await countEvents(), 2);
    const settled = await read(stage, id);
    await settle();
    assert.equal(await countEvents(), 2);
    assert.deepEqual(await read(stage, id), settled);
  });
});
