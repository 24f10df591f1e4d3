import assert from "node:assert/strict";
import { test } from "node:test";
import { kinds } from "../../src/features/overview/attention/kinds.ts";
import { mendOf } from "../src/data/mends.ts";

/** They lead to the page of the record, which asks for the file, or before something is deleted. */
const onPages = ["deleteServerSnapshotsId", "getServersId", "postProjectsProjectIdCertificatesCustom"];

test("every operation that mends something is known to the overview", () => {
  const operations = Object.values(kinds).flatMap((kind) => ("mend" in kind ? [kind.mend.operation] : []));
  const unknown = operations.filter((operation) => mendOf({ operation }) === undefined);
  assert.deepEqual(new Set(unknown), new Set(onPages));
});

test("an operation of a later version is none that one press does", () => {
  assert.equal(mendOf({ operation: "postServersIdReplace" }), undefined);
  assert.equal(mendOf({ operation: null }), undefined);
});
