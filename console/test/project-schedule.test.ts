import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { filterIn, searchOf, typesOf } from "../src/pages/project/logs/filters.ts";
import { scheduleText } from "../src/parts/schedule-text.ts";

describe("a schedule in words", () => {
  for (const [expression, text] of [
    ["* * * * *", "Every minute"],
    ["*/5 * * * *", "Every 5 minutes"],
    ["0 * * * *", "Every hour"],
    ["15 * * * *", "Every hour at minute 15"],
    ["5 */6 * * *", "Every 6 hours at minute 5"],
    ["0 3 * * *", "Every day at 03:00"],
    ["30 7 * * 1-5", "Monday to Friday at 07:30"],
    ["0 3 * * 7", "Every Sunday at 03:00"],
    ["0 0 1 * *", "On day 1 of each month at 00:00"],
    ["@weekly", "Every Sunday at 00:00"],
    ["@reboot", "When the server starts"],
  ] as const) {
    it(expression, () => assert.equal(scheduleText(expression), text));
  }

  it("is left out where words would be longer, or wrong", () => {
    for (const expression of ["", "* * *", "0 3 1 1 *", "0,30 3 * * *", "0 3 1 * 1", "* 3 * * *", "0 9-17 * * *"]) {
      assert.equal(scheduleText(expression), undefined, expression);
    }
  });
});

describe("the filters of logs", () => {
  it("survive the address, and name only logs that there are", () => {
    const types = typesOf("php");
    const filter = { type: "php", since: "1h", q: "a&b" } as const;
    assert.deepEqual(filterIn(searchOf(filter), types), filter);
    assert.deepEqual(filterIn(new URLSearchParams("type=output&since=toString"), types), { type: "access", q: "" });
    assert.deepEqual(types, ["access", "error", "php", "app"]);
    assert.deepEqual(typesOf("node"), ["output", "access", "error"]);
  });
});
