import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pagesOf } from "../src/data/pages.ts";
import { nextSort, searchOf, viewIn } from "../src/pages/projects/filters.ts";

const view = (search: string) => viewIn(new URLSearchParams(search));

describe("the filters of projects in the address", () => {
  it("are the same after a round trip", () => {
    const search = {
      q: "shop",
      state: "failed,live",
      server_id: "3,12",
      project_group_id: "2",
      environment: "staging",
      framework_id: "5",
      pinned: "true",
      sort: "-last_deployed_at",
    };
    assert.deepEqual(searchOf(viewIn(new URLSearchParams(search))), search);
  });

  it("leave out what the API would refuse", () => {
    const { filter, sort } = view(
      "state=live,burning&server_id=x,-1,7,1e9&environment=moon&pinned=maybe&sort=colour&q=%20",
    );
    assert.deepEqual(filter, { state: ["live"], server_id: [7] });
    assert.equal(sort, "name");
  });

  it("have no default in the address", () => {
    assert.deepEqual(searchOf(view("")), { sort: undefined });
  });
});

describe("the head of a column", () => {
  it("sorts names upwards and times by the newest first, and turns around", () => {
    assert.equal(nextSort("last_deployed_at", "name"), "name");
    assert.equal(nextSort("name", "name"), "-name");
    assert.equal(nextSort("name", "created_at"), "-created_at");
    assert.equal(nextSort("-created_at", "created_at"), "created_at");
  });
});

describe("the pages of a range", () => {
  it("are those that the rows are on, besides the first", () => {
    assert.deepEqual(pagesOf({ first: 0, last: 99 }, 100), []);
    assert.deepEqual(pagesOf({ first: 90, last: 100 }, 100), [2]);
    assert.deepEqual(pagesOf({ first: 5_050, last: 5_210 }, 100), [51, 52, 53]);
  });
});
