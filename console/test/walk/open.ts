import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { type Clouds, startClouds } from "../../../test/clouds/all.ts";
import { type GitHosts, startGitHosts } from "../../../test/git-hosts/all.ts";
import { openStage, type Person, type Stage } from "../stage.ts";
import { makeRecords, type Records } from "./records.ts";
import { patterns } from "./route-table.ts";
import { Walker, type Way } from "./walker.ts";

export interface Walk {
  stage: Stage;
  /** Fails when something breaks, or nothing links to a page that was expected: default: all that are walked. */
  press(t: TestContext, who: Person, way: Omit<Way, "start"> & { isExpected?: Way["isWalked"] }): Promise<void>;
  close(): Promise<void>;
}

/** A control plane with the records of an organization, and a browser. */
export async function openWalk(): Promise<Walk> {
  const [hosts, clouds]: [GitHosts, Clouds] = [await startGitHosts(), await startClouds()];
  const stage = await openStage({ ...hosts.settings, ...clouds.settings, answerWithinSeconds: "1" });
  const beginnings = addresses(stage, await makeRecords(stage, hosts));
  return {
    stage,
    press: async (t, who, way) => {
      const page = await stage.signIn(who, "/account", { reducedMotion: "reduce" });
      const walker = new Walker(page, { start: beginnings, ...way });
      await walker.walk();
      report(t, walker);
      const { isExpected = way.isWalked } = way;
      const missed = patterns.filter((pattern) => isExpected(pattern) && !walker.visited.has(pattern));
      assert.deepEqual(missed, [], "pages that nothing links to");
    },
    close: async () => {
      await stage.close();
      await hosts.close();
      await clouds.close();
    },
  };
}

export const isOfOrganization = (pattern: string): boolean => pattern.startsWith("/o/:organization");
/** Pages without a record in their address. */
export const isPlain = (pattern: string): boolean => !pattern.replace("/o/:organization", "").includes(":");

/** Records that have something on each of their tabs come first; other kinds of records are found by links. */
function addresses({ cast }: Stage, { project, server, failed }: Records): string[] {
  const home = `/o/${cast.organizationId}`;
  return [
    `${home}/projects/${project}`,
    `${home}/servers/${server}`,
    `${home}/deployments/${failed}`,
    ...patterns
      .filter((pattern) => isOfOrganization(pattern) && isPlain(pattern))
      .map((pattern) => pattern.replace("/o/:organization", home)),
    "/account",
    "/authorize",
    "/device",
  ];
}

/** Fails when the walk found something. */
export function report(t: TestContext, { visited, problems }: Walker): void {
  const presses = [...visited.values()].reduce((all, each) => all + each, 0);
  t.diagnostic(`${visited.size} pages, ${presses} presses`);
  assert.equal(problems.join("\n"), "");
}
