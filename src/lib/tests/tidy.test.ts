import assert from "node:assert/strict";
import { it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { tidyAfter } from "../tidy.ts";

it("frees what passed through buffers, without a collection of the whole heap", () => {
  setFlagsFromString("--expose-gc");
  globalThis.gc = runInNewContext("gc");
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let at = 0; at < 400; at++) {
    const { length } = Buffer.alloc(256 * 1024);
    tidyAfter(length);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  assert.ok(most < 8 << 20, `${most} bytes`);
});
