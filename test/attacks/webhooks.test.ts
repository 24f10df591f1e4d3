import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, describe, it, type TestContext } from "node:test";
import { ask, startTarget, type Target } from "./api.ts";

let target: Target;
before(async () => {
  target = await startTarget();
});
after(() => target?.close());

const mib = 1024 * 1024;
/** The test fails instead of waiting for the platform to give up on the request. */
const timeout = 30_000;

/** Announces a body and sends none of it. */
async function announce(t: TestContext, path: string, bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(target.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    "Content-Type: application/json",
    `Content-Length: ${bytes}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n{`);
  return socket;
}

const statusOf = async (socket: Socket): Promise<number> =>
  Number(/^HTTP\/1.1 (\d+)/.exec(String((await once(socket, "data"))[0]))?.[1]);

describe("a client that does not know a webhook's address", () => {
  it("is refused before a body of some megabytes is received", { timeout }, async (t) => {
    assert.equal(await statusOf(await announce(t, "/api/v1/hooks/git/nosuchtoken", 5 * mib)), 404);
    assert.equal(await statusOf(await announce(t, `/api/v1/hooks/git/${"x".repeat(200)}`, 5 * mib)), 404);
  });
});

describe("a client that has proven nothing", () => {
  it("cannot have more than 64 MiB of bodies kept, nor keep small requests of others out", { timeout }, async (t) => {
    const held = await Promise.all(Array.from({ length: 70 }, () => announce(t, "/api/v1/invitations/accept", mib)));
    const refused = await Promise.all(held.slice(0, 6).map(() => announce(t, "/api/v1/nothing", mib).then(statusOf)));
    assert.ok(
      refused.every((status) => status === 503),
      refused.join(),
    );
    const small = await ask(target, "POST /api/v1/invitations/accept", { body: { token: "lsi_x" } });
    assert.equal(small.status, 404);
    for (const socket of held) socket.destroy();
  });
});
