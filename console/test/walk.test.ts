import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lengthy } from "../../stage/support.ts";
import { type Clouds, startClouds } from "../../test/clouds/all.ts";
import { type GitHosts, startGitHosts } from "../../test/git-hosts/all.ts";
import { openStage, type Person, type Stage } from "./stage.ts";
import { makeRecords, type Records } from "./walk/records.ts";
import { patterns } from "./walk/route-table.ts";
import { Walker } from "./walk/walker.ts";

// Visits every page of the console and presses everything on it that can be pressed, as people of three roles. A new page is
// found in the table of routes: the walk fails until something links to it.

let stage: Stage;
let hosts: GitHosts;
let clouds: Clouds;
let records: Records;

before(async () => {
  [hosts, clouds] = [await startGitHosts(), await startClouds()];
  stage = await openStage({ ...hosts.settings, ...clouds.settings, answerWithinSeconds: "1" });
  records = await makeRecords(stage, hosts);
});
after(async () => {
  await stage?.close();
  await hosts?.close();
  await clouds?.close();
});

const isOfOrganization = (pattern: string): boolean => pattern.startsWith("/o/:organization");
/** Pages without a record in their address. */
const isPlain = (pattern: string): boolean => !pattern.replace("/o/:organization", "").includes(":");

const home = () => `/o/${stage.cast.organizationId}`;
const plainPages = () => patterns.filter((pattern) => isOfOrganization(pattern) && isPlain(pattern));

/** Records that have something on each of their tabs come first; other kinds of records are found by links. */
const beginnings = () => [
  `${home()}/projects/${records.project}`,
  `${home()}/servers/${records.server}`,
  `${home()}/deployments/${records.failed}`,
  ...plainPages().map((pattern) => pattern.replace("/o/:organization", home())),
];

const withoutAccount = [
  "/setup",
  "/sign-in",
  "/forgot-password",
  "/reset-password",
  "/confirm-email",
  "/invitations/of%20the%20walk",
];

interface Walk {
  who: Person;
  as: string;
  start: () => string[];
  /** The others see less of the same pages. */
  mostPresses: number;
}

const walks: readonly Walk[] = [
  { who: "alice", as: "an Owner", start: () => [...beginnings(), "/account", "/device"], mostPresses: 60 },
  { who: "bob", as: "a restricted member", start: beginnings, mostPresses: 15 },
  { who: "victor", as: "a viewer", start: beginnings, mostPresses: 15 },
];

const isOfEachRecord = (pattern: string, who: Person): boolean => who === "alice" || isPlain(pattern);

describe("pressing everything there is", () => {
  for (const { who, as, start, mostPresses } of walks) {
    it(`breaks nothing for ${as}`, lengthy, async (t) => {
      const page = await stage.signIn(who, "/account", { reducedMotion: "reduce" });
      const walker = new Walker(page, start(), mostPresses);
      await walker.walk();
      report(t, walker);
      assert.equal(walker.problems.join("\n"), "");
      const missed = patterns.filter((pattern) => isOfOrganization(pattern) && !walker.visited.has(pattern));
      assert.deepEqual(
        missed.filter((pattern) => isOfEachRecord(pattern, who)),
        [],
        "pages that nothing links to",
      );
    });
  }

  it("breaks nothing for a person who is not signed in", async (t) => {
    const page = await stage.visit("/sign-in", { reducedMotion: "reduce" });
    const walker = new Walker(page, withoutAccount, 15);
    await walker.walk();
    report(t, walker);
    assert.equal(walker.problems.join("\n"), "");
  });
});

function report(t: { diagnostic(text: string): void }, { visited }: Walker): void {
  const presses = [...visited.values()].reduce((all, each) => all + each, 0);
  t.diagnostic(`${visited.size} pages, ${presses} presses`);
}
