import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cronLine, nextRun, readCronExpression } from "../cron.ts";

const read = (text: string): string | undefined => {
  const result = readCronExpression(text);
  return "expression" in result ? result.expression : undefined;
};

describe("cron expressions", () => {
  test("are five fields or a nickname, with single spaces and in lower case", () => {
    assert.equal(read("  */5\t 4  1,15 * MON-Fri "), "*/5 4 1,15 * mon-fri");
    assert.equal(read("0 0 29 2 *"), "0 0 29 2 *");
    assert.equal(read("0-30/10,45 0,12 * jan,jul 7"), "0-30/10,45 0,12 * jan,jul 7");
    for (const name of ["@daily", "@Hourly", "@reboot", "@midnight", "@annually"]) {
      assert.equal(read(name), name.toLowerCase());
    }
  });

  test("that the servers' cron does not understand are refused with a sentence", () => {
    const wrong = [
      "",
      "* * * *",
      "* * * * * *",
      "60 * * * *",
      "* 24 * * *",
      "* * 0 * *",
      "* * 32 * *",
      "* * * 13 *",
      "* * * * 8",
      "*/0 * * * *",
      "*/ * * * *",
      "5/10 * * * *",
      "1-5-7 * * * *",
      "1-5-x * * * *",
      "5-1 * * * *",
      "fri-mon * * * *",
      "* * * * sat-sun",
      "-1 * * * *",
      "1, * * * *",
      "* * L * *",
      "* * ? * *",
      "* * * * 1#2",
      "@every 5m",
      "@constructor",
      "@daily x",
      "* * * * *\n* * * * * root id",
      "* * * * *%",
      "$(id) * * * *",
      `${"1,".repeat(80)}1 * * * *`,
    ];
    for (const text of wrong) {
      const result = readCronExpression(text);
      assert.match("error" in result ? result.error : "", /^[A-Z].*\.$/s, JSON.stringify(text));
    }
  });

  test("that never come are refused", () => {
    assert.match(JSON.stringify(readCronExpression("0 0 30 2 *")), /never comes/);
  });

  test("tell when they come next, in the server's time zone", () => {
    const after = new Date("2026-07-01T12:00:00Z");
    assert.equal(nextRun("30 4 * * *", "Europe/Berlin", after)?.toISOString(), "2026-07-02T02:30:00.000Z");
    assert.equal(nextRun("@weekly", "UTC", after)?.toISOString(), "2026-07-05T00:00:00.000Z");
    assert.equal(nextRun("@reboot", "UTC", after), undefined);
  });
});

describe("lines of a crontab", () => {
  test("escape percent signs, which would begin the command's input", () => {
    const line = cronLine({ schedule: "@daily", user: "project-7", command: "date +%F" });
    assert.equal(line, "@daily project-7 date +\\%F\n");
  });

  test("have no newline of their own", () => {
    assert.throws(() => cronLine({ schedule: "@daily", user: "project-7", command: "a\n* * * * * root id" }));
  });
});
