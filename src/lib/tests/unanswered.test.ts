import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { unansweredReason, unreachableSentence } from "../unanswered.ts";

const failureOf = (url: string, signal?: AbortSignal): Promise<unknown> =>
  fetch(url, signal ? { signal } : {}).then(
    () => assert.fail(`${url} answered`),
    (error: unknown) => error,
  );

/** The address of a server that treats connections so. */
async function serving(connected: (end: () => void) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    connected(() => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

describe("a request without an answer", () => {
  it("says that nothing listens", async () => {
    const { url, close } = await serving(() => undefined);
    close();
    const sentence = unreachableSentence("GitHub", await failureOf(url));
    assert.equal(sentence, "GitHub could not be reached: it refused the connection.");
  });

  it("says that the connection was closed", async () => {
    const { url, close } = await serving((end) => end());
    assert.equal(unansweredReason(await failureOf(url)), "closed the connection without an answer");
    close();
  });

  it("says that the time was over", async () => {
    const { url, close } = await serving(() => undefined);
    assert.equal(unansweredReason(await failureOf(url, AbortSignal.timeout(1))), "did not answer in time");
    close();
  });

  it("says that the name leads nowhere, without the words of the system", async () => {
    const sentence = unreachableSentence("The host", await failureOf("https://longshore.invalid/"));
    assert.match(
      sentence,
      /^The host could not be reached: it has a name (without an address|that could not be looked up)\.$/,
    );
  });

  it("takes the number of an error whose code is another library's", () => {
    const error = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:25"), { code: "ESOCKET", errno: -111 });
    assert.equal(unansweredReason(error), "refused the connection");
  });

  it("has the words of an error that it does not know", () => {
    assert.equal(
      unreachableSentence("The host", new Error("it broke", { cause: new Error("of age") })),
      "The host could not be reached: of age.",
    );
    assert.equal(unansweredReason(new Error("no")), undefined);
  });
});
