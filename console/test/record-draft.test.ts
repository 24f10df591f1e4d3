import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginDraft, type Draft, type DraftAction, dirtyFields, nextDraft } from "../src/parts/record-draft/draft.ts";

interface Values {
  name: string;
  branch: string;
}

const shop = { name: "Shop", branch: "main" };
const after = (...actions: DraftAction<Values>[]): Draft<Values> =>
  actions.reduce<Draft<Values>>(nextDraft, beginDraft(shop, "1"));
const typed = (values: Partial<Values>): DraftAction<Values> => ({ type: "set", values });
const becomes = (values: Partial<Values>, updatedAt = "2"): DraftAction<Values> => ({
  type: "follow",
  values: { ...shop, ...values },
  updatedAt,
});

describe("a form whose record changes elsewhere", () => {
  it("follows in fields that were not touched, and keeps what was typed in the others", () => {
    const draft = after(typed({ name: "My shop" }), becomes({ branch: "next" }));
    assert.deepEqual(draft.values, { name: "My shop", branch: "next" });
    assert.deepEqual(draft.changedElsewhere, ["branch"]);
    assert.deepEqual(dirtyFields(draft), ["name"]);
    assert.equal(draft.updatedAt, "2");
  });

  it("keeps a field that both changed, and names it", () => {
    const draft = after(typed({ name: "My shop" }), becomes({ name: "Our shop" }));
    assert.equal(draft.values.name, "My shop");
    assert.deepEqual(draft.changedElsewhere, ["name"]);
    assert.deepEqual(dirtyFields(draft), ["name"]);
  });

  it("has nothing to save when both typed the same", () => {
    assert.deepEqual(dirtyFields(after(typed({ name: "Store" }), becomes({ name: "Store" }))), []);
  });

  it("shows what was stored after a save, and not as a change of someone else", () => {
    const stored = { values: { name: "Store", branch: "next" }, updatedAt: "2" };
    const draft = after(
      typed({ name: "Store " }),
      { type: "send" },
      { type: "follow", ...stored },
      { type: "saved", ...stored },
    );
    assert.deepEqual(draft.values, stored.values);
    assert.deepEqual(draft.changedElsewhere, []);
    assert.deepEqual(dirtyFields(draft), []);
  });

  it("keeps what is typed while a save is under way", () => {
    const draft = after(typed({ name: "Store" }), { type: "send" }, typed({ branch: "next" }), {
      type: "saved",
      values: { name: "Store", branch: "main" },
      updatedAt: "2",
    });
    assert.deepEqual(draft.values, { name: "Store", branch: "next" });
    assert.deepEqual(dirtyFields(draft), ["branch"]);
  });

  it("follows what arrived during a save that was refused", () => {
    const draft = after(typed({ name: "Store" }), { type: "send" }, becomes({ branch: "next" }), { type: "refused" });
    assert.deepEqual(draft.values, { name: "Store", branch: "next" });
    assert.deepEqual(draft.changedElsewhere, ["branch"]);
    assert.equal(draft.updatedAt, "2");
  });
});
