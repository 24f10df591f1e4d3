import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstAnswer, hookPoint, isAny } from "../hooks.ts";

interface Part {
  name: string;
  answer?: () => Promise<string | undefined>;
  agrees?: () => Promise<boolean>;
}

const greetings = hookPoint<Part>();
const others = hookPoint<Part>();

describe("a hook point", () => {
  it("has the parts that were added to it, in their order", () => {
    const hooks = [greetings({ name: "a" }), others({ name: "b" }), greetings({ name: "c" })];
    assert.deepEqual(
      greetings.of({ hooks }).map(({ name }) => name),
      ["a", "c"],
    );
    assert.deepEqual(others.of({ hooks: [] }), []);
  });

  it("takes the first answer, and asks none of the later parts", async () => {
    const asked: string[] = [];
    const part = (name: string, text: string | undefined): Part => ({
      name,
      answer: async () => {
        asked.push(name);
        return text;
      },
    });
    const parts = [{ name: "silent" }, part("a", undefined), part("b", ""), part("c", "late")];
    assert.equal(await firstAnswer(parts, (each) => each.answer?.()), "");
    assert.deepEqual(asked, ["a", "b"]);
    assert.equal(await firstAnswer([], () => "never"), undefined);
  });

  it("is true for any part that agrees", async () => {
    const part = (agrees: boolean): Part => ({ name: "", agrees: async () => agrees });
    const ask = (each: Part) => each.agrees?.();
    assert.equal(await isAny([{ name: "silent" }, part(false), part(true)], ask), true);
    assert.equal(await isAny([{ name: "silent" }, part(false)], ask), false);
  });
});
