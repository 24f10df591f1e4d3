import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "../csv.ts";

test("a line has numbers as they are, texts in quotes, and nothing for null", () => {
  assert.equal(
    csvLine([7, "web-1", null, 'says "no", twice', "two\nlines"]),
    '7,"web-1",,"says ""no"", twice","two\nlines"\r\n',
  );
  assert.equal(csvLine([["project:5", "server:1"], { kind: "cli" }]), '"project:5 server:1","{""kind"":""cli""}"\r\n');
});

test("no cell begins a formula", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =cmd|' /C calc'!A0", "\u00a0=1", "＝1"]) {
    assert.equal(csvLine([text]), `"'${text}"\r\n`);
    assert.equal(csvLine([[text, "more"]]), `"'${text} more"\r\n`);
  }
  assert.equal(csvLine([-1]), "-1\r\n");
});
