import assert from "node:assert/strict";
import { test } from "node:test";
import { coalesced } from "../coalesce.ts";

/** Work that ends when the test lets it; each piece returns its number. */
function pieces() {
  const begun: { key: string; end: (error?: Error) => void }[] = [];
  const work = (key: string) =>
    new Promise<number>((resolve, reject) => {
      const number = begun.length + 1;
      begun.push({ key, end: (error) => (error ? reject(error) : resolve(number)) });
    });
  return { begun, ask: coalesced((key: string) => key, work) };
}

const turn = () => new Promise((done) => setImmediate(() => setImmediate(done)));

test("shares the work of those who ask at once", async () => {
  const { begun, ask } = pieces();
  const answers = Promise.all([ask("a"), ask("a"), ask("b")]);
  await turn();
  for (const { end } of begun) end();
  assert.deepEqual(await answers, [1, 1, 2]);
});

test("gives no caller what was begun before its call", async () => {
  const { begun, ask } = pieces();
  const first = ask("a");
  await turn();
  const later = [ask("a"), ask("a")];
  await turn();
  assert.equal(begun.length, 1);
  begun[0]?.end();
  assert.equal(await first, 1);
  await turn();
  begun[1]?.end();
  assert.deepEqual(await Promise.all(later), [2, 2]);
});

test("continues after a failure, which only those who shared it get", async () => {
  const { begun, ask } = pieces();
  const first = ask("a");
  await turn();
  const second = ask("a");
  begun[0]?.end(new Error("broken"));
  await assert.rejects(first, /broken/);
  await turn();
  begun[1]?.end();
  assert.equal(await second, 2);
});
