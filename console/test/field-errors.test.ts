import assert from "node:assert/strict";
import { test } from "node:test";
import { numberIn } from "../src/parts/form-text.ts";
import { inWordsOfPage } from "../src/ui/field-errors.ts";
import { formatCount, formatList } from "../src/ui/format.ts";

const shown = (name: string, sentence: string, label: string): string =>
  inWordsOfPage(sentence, { other: "The other is required.", [name]: sentence }, label);

test("a sentence begins with what the page calls its field", () => {
  assert.equal(
    shown("target", "The target must be email addresses; x is not one.", "Addresses"),
    "“Addresses” must be email addresses; x is not one.",
  );
  assert.equal(shown("config.url", "The url is required.", "Address"), "“Address” is required.");
  assert.equal(shown("newPassword", "The newPassword is required.", "Password"), "“Password” is required.");
  assert.equal(shown("starts_at", "The field starts_at is required.", "Starts"), "“Starts” is required.");
  assert.equal(
    shown("grace_seconds", "The grace must be at least 30 seconds.", "Delay"),
    "“Delay” must be at least 30 seconds.",
  );
  assert.equal(
    shown("grace_seconds", "The grace in seconds must be an integer.", "Delay"),
    "“Delay” must be an integer.",
  );
});

test("a sentence in the words of the page, or about something else, stays", () => {
  for (const [name, sentence, label] of [
    ["name", "The name is required.", "Name"],
    ["public_ip", "The public IP must be an IPv4 or IPv6 address.", "Public IP"],
    ["grace_seconds", "The grace must be at least 30 seconds.", "Grace"],
    ["server", "The server web-1 is off.", "Runs on"],
    ["slug", "Another page has this address.", "Address"],
    ["variables.(A+", "The value is too long.", "Value of (A+"],
  ] as const) {
    assert.equal(shown(name, sentence, label), sentence);
  }
});

test("only digits are sent as a number", () => {
  assert.deepEqual([" 42 ", "4.2", "much", ""].map(numberIn), [42, "4.2", "much", ""]);
});

test("counts and lists read as sentences do", () => {
  assert.equal(formatCount(1, "project is", "projects are"), "1 project is");
  assert.equal(formatCount(1_200, "project is", "projects are"), "1,200 projects are");
  assert.equal(formatCount(2, "line"), "2 lines");
  assert.deepEqual([[], ["A"], ["A", "B"], ["A", "B", "C"]].map(formatList), ["", "A", "A and B", "A, B and C"]);
});
