import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { pino } from "pino";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { continueIds, readLastIds } from "../../../db/last-ids.ts";
import type { Connection } from "../../../host/ssh/connection.ts";
import { newKey, openSecretBox } from "../../../lib/secrets.ts";
import { createServer } from "../../tests/support.ts";
import { continueAfter, sealer } from "../last-ids.ts";

describe("a database that was restored from an older backup", () => {
  let database: TestDatabase;
  const secrets = openSecretBox({ key: newKey(), file: "" });
  const log = pino({ level: "silent" });

  before(async () => {
    database = await testDatabase();
  });
  after(() => database?.drop());
  beforeEach(() =>
    database.pool.query(
      "alter sequence servers_id_seq restart; alter sequence projects_id_seq restart; truncate servers cascade",
    ),
  );

  /** A server that answers what it has. */
  const serverWith = (highestProject: number, ...seals: string[]) =>
    ({
      exec: async () => ({ exitCode: 0, stdout: `${highestProject}\n${seals.join("\n")}\n`, stderr: "" }),
    }) as unknown as Connection;
  const meet = (connection: Connection) => continueAfter({ ...database, secrets, log }, connection, 1);

  it("gives no id again that a server has had", async () => {
    for (const _ of [1, 2, 3]) await createServer(database.pool);
    const { text } = await sealer({ pool: database.pool, secrets })();
    await database.pool.query("delete from servers where id > 1; alter sequence servers_id_seq restart with 2");
    await meet(serverWith(0, "seal of another installation", text));
    assert.equal(await createServer(database.pool), 4);
  });

  it("gives no number of a project's directory again, even one from before runs brought ids", async () => {
    await meet(serverWith(41));
    assert.equal((await readLastIds(database.pool)).projects_id_seq, 41);
  });

  it("continues by itself where it is ahead, and believes no ids that its key did not seal", async () => {
    for (const _ of [1, 2]) await createServer(database.pool);
    const forged = openSecretBox({ key: newKey(), file: "" }).encrypt('{"lastIds":{"servers_id_seq":900}}');
    await meet(serverWith(0, forged.toString("base64"), '{"lastIds":{"servers_id_seq":900}}'));
    assert.equal(await createServer(database.pool), 3);
  });

  it("never goes back while others take ids", async () => {
    const taken: number[] = [];
    const take = async () => {
      const { rows } = await database.pool.query("select nextval('servers_id_seq') as id");
      taken.push(Number(rows[0].id));
    };
    await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        at % 5 === 0 ? continueIds(database.pool, { servers_id_seq: at }) : take(),
      ),
    );
    assert.equal(new Set(taken).size, taken.length);
  });

  it("has seals that are made after they were asked for, and order by their ids", async () => {
    const seal = sealer({ pool: database.pool, secrets });
    const first = await seal();
    const [one, two] = [seal(), seal()];
    assert.equal(one, two);
    await createServer(database.pool);
    const later = await seal();
    assert.ok(later.order > first.order);
  });
});
