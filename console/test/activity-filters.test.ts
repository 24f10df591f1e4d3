import assert from "node:assert/strict";
import { test } from "node:test";
import { exportAddress, filterIn, searchWith } from "../src/pages/activity/filters.ts";
import { subjectsOf } from "../src/pages/activity/subjects.ts";

test("an address keeps the filters that the API knows", () => {
  const given = new URLSearchParams(
    "q= shop &user_id=5&subject=project:7&before=12&from=never&to=2026-03-01&color=red",
  );
  assert.deepEqual(filterIn(given), { q: "shop", subject: "project:7", to: "2026-03-01", user_id: 5, before: 12 });
  assert.deepEqual(filterIn(new URLSearchParams("user_id=-1&before=x&q=")), {});
});

test("another filter begins with the newest entries", () => {
  assert.equal(searchWith({ q: "shop", before: 12 }, { user_id: 5 }), "?q=shop&user_id=5");
  assert.equal(searchWith({ q: "shop", before: 12 }, { q: "" }), "");
  assert.equal(searchWith({ q: "shop" }, { before: 3 }), "?q=shop&before=3");
});

test("the download has the filters of the page", () => {
  assert.equal(
    exportAddress(7, "csv", { q: "a&b", before: 12 }),
    "/api/v1/organizations/7/audit-log?q=a%26b&format=csv",
  );
  assert.equal(exportAddress(7, "ndjson", {}), "/api/v1/organizations/7/audit-log?format=ndjson");
});

test("subjects have the names of today, and those that are gone lead nowhere", () => {
  const entry = {
    subjects: ["project:5", "server-order:9", "domain:6"],
    subject_names: { "project:5": "Shop", "domain:6": "shop.example.com" },
  };
  assert.deepEqual(subjectsOf(7, entry), [
    { key: "project:5", name: "Shop", href: "/o/7/projects/5" },
    { key: "server-order:9", name: "server order 9", href: undefined },
    { key: "domain:6", name: "shop.example.com", href: "/o/7/projects/5/domains" },
  ]);
});
