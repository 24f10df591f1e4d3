import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nextRun, readCronExpression } from "../cron.ts";
import { entryOf, nextRunOfDaemon, yearIn } from "./cron-daemon.ts";

/** Numbers that are the same at each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomNumbers(20_261_126);
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fields: { low: number; high: number; names?: string[] }[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: months },
  { low: 0, high: 7, names: weekdays },
];

function randomPart({ low, high, names }: (typeof fields)[number]): string {
  const word = (value: number) => (names && random(3) === 0 ? (names[value - low] ?? String(value)) : String(value));
  const from = low + random(high - low + 1);
  const to = from + random(high - from + 1);
  // A name of a number above it is the one below: sunday is 0.
  const range = pick(["*", "*", word(from), `${from}-${to}`]);
  return range === word(from) || /^\w+$/.test(range) || random(2) === 0 ? range : `${range}/${1 + random(high * 2)}`;
}

const randomField = (field: (typeof fields)[number]): string =>
  random(3) === 0
    ? "*"
    : Array.from({ length: random(4) === 0 ? 2 + random(2) : 1 }, () => randomPart(field)).join(",");

// Half of them at the hours at which clocks change.
const randomExpression = (): string =>
  fields
    .map((field, at) =>
      at === 1 && random(2) === 0 ? pick(["0", "1", "2", "3", "1-3", "*/2", "2,3"]) : randomField(field),
    )
    .join(" ");

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll", "Asia/Kolkata", "UTC"];
// Around these minutes clocks change somewhere.
const changes = [
  "2026-03-29T01:00Z",
  "2026-10-25T01:00Z",
  "2026-03-08T07:00Z",
  "2026-11-01T06:00Z",
  "2026-04-04T15:00Z",
  "2026-10-03T15:30Z",
];

const randomStart = (): number =>
  random(2) === 0
    ? Date.parse(pick(changes)) / 60_000 - 300 + random(600)
    : Date.parse("2026-01-01T12:00Z") / 60_000 + random(360 * 1_440);

describe("the next run of an expression", () => {
  test("is that of the servers' cron, for any expression and whatever clocks do", () => {
    const years = new Map(zones.map((zone) => [zone, yearIn(zone, 2026)]));
    let compared = 0;
    for (let count = 0; count < 10_000; count++) {
      const expression = randomExpression();
      const read = readCronExpression(expression);
      if ("error" in read) {
        assert.match(read.error, /never comes/, expression);
        continue;
      }
      const zone = pick(zones);
      const entry = entryOf(expression);
      let after = randomStart();
      for (let run = 0; run < 2; run++) {
        const year = years.get(zone) as ReturnType<typeof yearIn>;
        const right = nextRunOfDaemon(entry, year, after);
        const next = nextRun(read.expression, zone, new Date(after * 60_000 + random(60_000)));
        const from = `${expression} in ${zone} after ${new Date(after * 60_000).toISOString()}`;
        // The daemon's year ends a day before its clocks'.
        if (right === undefined) {
          assert.ok(next === undefined || next.getTime() >= (year.start + year.shown.length) * 60_000, from);
          break;
        }
        assert.equal(next?.toISOString(), new Date(right * 60_000).toISOString(), from);
        after = right;
        compared++;
      }
    }
    assert.ok(compared > 10_000, String(compared));
  });

  test("is that of the first value where a step is larger than its field", () => {
    const after = new Date("2026-11-26T10:30:00Z");
    const next = (expression: string) => nextRun(expression, "UTC", after)?.toISOString().slice(0, 16);
    assert.equal(next("*/75 * * * *"), "2026-11-26T11:00");
    assert.equal(next("15 */100 * * *"), "2026-11-27T00:15");
    assert.equal(next("0 0 */40 * *"), "2026-12-01T00:00");
    assert.equal(next("0 0 1 */999999999 *"), "2027-01-01T00:00");
    assert.equal(next("0 0 * * */9"), "2026-11-29T00:00");
    assert.equal(next("10-20/30 * * * *"), "2026-11-26T11:10");
  });

  test("needs both days where one of them begins with an asterisk", () => {
    const after = new Date("2026-11-26T10:30:00Z");
    const next = (expression: string) => nextRun(expression, "UTC", after)?.toISOString().slice(0, 10);
    assert.equal(next("30 5 8-14 * */7"), "2026-12-13");
    assert.equal(next("30 5 */10 * 5"), "2026-12-11");
    assert.equal(next("30 5 *,3 * fri"), "2026-11-27");
    assert.equal(next("30 5 13 * fri"), "2026-11-27");
    assert.equal(next("0 0 29 2 */7"), "2032-02-29");
  });

  test("is known where a time zone skipped a day", () => {
    const samoa = (expression: string) =>
      nextRun(expression, "Pacific/Apia", new Date("2011-12-30T09:00:00Z"))?.toISOString();
    assert.equal(samoa("0 12 30 12 *"), "2012-12-29T22:00:00.000Z");
    assert.equal(samoa("0 12 31 12 *"), "2011-12-30T22:00:00.000Z");
  });
});

test("an expression whose days exclude each other never comes", () => {
  for (const text of ["0 0 31 2,4,6 */2", "0 0 30-31 feb *", "* * 31 9 *", "0 0 31 11 */3"]) {
    assert.match(JSON.stringify(readCronExpression(text)), /never comes/, text);
  }
  assert.deepEqual(readCronExpression("0 0 31 2 2"), { expression: "0 0 31 2 2" });
});
