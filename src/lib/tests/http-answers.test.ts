import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readText, retryAfterMs } from "../http-answers.ts";

describe("readText", () => {
  it("reads the whole body, with characters that two pieces share", async () => {
    const bytes = new TextEncoder().encode("grün");
    const body = ReadableStream.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    assert.equal(await readText(body, 5), "grün");
  });

  it("reads an answer without a body as an empty text", async () => {
    assert.equal(await readText(null, 5), "");
  });

  it("rejects a larger body, and reads no more of it", async () => {
    let pulled = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(4));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    await assert.rejects(readText(endless, 10), { message: "its answer is too large" });
    assert.ok(isCancelled);
    assert.ok(pulled <= 5, `${pulled} pieces were read`);
  });
});

describe("retryAfterMs", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  it("reads seconds and dates", () => {
    assert.equal(retryAfterMs("90", now), 90_000);
    assert.equal(retryAfterMs(" 1.5 ", now), 1_500);
    assert.equal(retryAfterMs("0", now), 0);
    assert.equal(retryAfterMs("Sun, 01 Mar 2026 13:00:00 GMT", now), 3_600_000);
  });

  it("is 0 for a date in the past", () => {
    assert.equal(retryAfterMs("Sun, 01 Mar 2020 00:00:00 GMT", now), 0);
  });

  it("is undefined without a header, and for values of another form", () => {
    for (const header of [undefined, null, "", "soon", "-5", "1e3", "12345678901"]) {
      assert.equal(retryAfterMs(header, now), undefined, `${header}`);
    }
  });
});
