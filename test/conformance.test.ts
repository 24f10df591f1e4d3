import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { routesOf } from "../src/features.ts";
import { routeTable } from "../src/http/table.ts";
import { allRules } from "./conformance/table.ts";
import { operationsOf } from "./document.ts";

const root = join(import.meta.dirname, "..");
const known = new Map<string, ReadonlySet<string>>();

/** What the tests and groups of a file are called, with `…` for what is put in; those that are skipped are not there. */
function testsOf(file: string): ReadonlySet<string> {
  const names = known.get(file) ?? readNames(readFileSync(join(root, file), "utf8"));
  known.set(file, names);
  return names;
}

function readNames(source: string): Set<string> {
  const calls = source.matchAll(/\b(?:test|it|describe)\(\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,/g);
  return new Set([...calls].map(([, literal = ""]) => nameIn(literal)));
}

const nameIn = (literal: string): string =>
  literal.startsWith('"')
    ? (JSON.parse(literal) as string)
    : literal.slice(1, -1).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…");

const operations = operationsOf(routeTable(routesOf()).document()).map(({ name }) => name);

/** What proven rules begin with: `GET /api/v1/projects`, where they are about an operation. */
const named = allRules.filter(({ proofs }) => proofs.length > 0).map(({ rule }) => rule.split(" ", 2).join(" "));

describe("the conformance table", () => {
  it("names tests that there are", () => {
    const missing = allRules.flatMap(({ proofs }) => proofs).filter(([file, name]) => !testsOf(file).has(name));
    assert.deepEqual([...new Set(missing.map(([file, name]) => `${file}: ${name}`))], []);
  });

  it("has each rule once", () => {
    const texts = allRules.map(({ rule }) => rule);
    assert.deepEqual(
      texts.filter((text, at) => texts.indexOf(text) !== at),
      [],
    );
  });

  it("has a row for every operation", () => {
    const without = operations.filter((name) => !named.some((row) => row === name));
    assert.deepEqual(without, [], "Add a row to test/conformance, with the tests that prove what it promises.");
  });

  it("calls nothing proven that is no operation", () => {
    const gone = named.filter((name) => /^[A-Z]+ \/api/.test(name) && !operations.includes(name));
    assert.deepEqual(gone, []);
  });
});
