import assert from "node:assert/strict";
import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { appFor, contextOn } from "./support.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

interface Seen {
  status: number | undefined;
  closes: boolean;
}

const ask = (port: number, agent: Agent): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const request = get({ port, host: "127.0.0.1", path: "/api/v1/health", agent }, (response) => {
      response.resume();
      const closes = response.headers.connection === "close";
      response.on("end", () => resolve({ status: response.statusCode, closes }));
    });
    request.on("error", reject);
  });

test("busy clients get an answer that closes their connection, not a reset", async (t) => {
  const app = appFor(t, contextOn(database.pool));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const client = async (): Promise<Seen> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const seen = await ask(port, agent);
      if (seen.closes) return seen;
    }
  };
  const clients = Promise.all(Array.from({ length: 10 }, client));
  await ask(port, new Agent({ keepAlive: true }));
  await app.close();
  // Each of them saw the state in which a load balancer leaves.
  assert.deepEqual(
    await clients,
    Array.from({ length: 10 }, () => ({ status: 503, closes: true })),
  );
});

test("for as long as the setting says, new connections are answered and health is 503", async (t) => {
  const app = appFor(t, contextOn(database.pool, { drainSeconds: "2" }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  assert.equal((await ask(port, new Agent())).status, 200);
  const begunAt = performance.now();
  const closed = app.close();
  const answers: Seen[] = [];
  while (performance.now() - begunAt < 1_500) answers.push(await ask(port, new Agent()));
  await closed;
  assert.ok(performance.now() - begunAt >= 1_990);
  assert.ok(answers.length > 0 && answers.every(({ status, closes }) => status === 503 && closes));
});
