import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Application,
  deployNow,
  install,
  type Place,
  release,
  rollBack,
} from "../../../stage/applications/application.ts";
import { assetsIn, pageVisits, startVisitors, textOf, visitPage } from "../../../stage/applications/site.ts";
import { lengthy, openStage, type Stage } from "../../../stage/support.ts";

// What every real application has to pass on a real server: a first deployment with the defaults of its framework, a second one while
// visitors come, a rollback, and what it made itself is there after each of them.

/** Opens a server for some applications, one after the other. */
export function describeApplications(role: string, applications: readonly Application[]): void {
  let stage: Stage;
  before(async () => {
    stage = await openStage(role);
  }, lengthy);
  after(() => stage?.close());
  for (const application of applications) describeApplication(() => stage, application);
}

function describeApplication(stageOf: () => Stage, application: Application): void {
  describe(application.name, () => {
    let place: Place;
    let first: number;
    let left: unknown;

    const serves = async (wanted: string): Promise<void> => {
      for (const path of place.pages) assert.equal(await visitPage(place, path), wanted, path);
      await application.check?.(place, wanted);
    };

    /** Makes another release live while visitors come; none of them may notice. */
    const switched = async (change: () => Promise<unknown>): Promise<void> => {
      const visitors = startVisitors(place, [...pageVisits(place), ...(application.visits ?? [])]);
      await change().finally(() => visitors.stop());
      assert.deepEqual((await visitors.stop()).wrong, []);
    };

    it("is deployed with defaults", lengthy, async () => {
      ({ place, first } = await install(stageOf(), application));
      await application.setUp?.(place);
      await serves("release-1");
      await application.leave?.(place);
      left = await application.left?.(place);
    });

    it("loses no visitor when a second release takes its place", lengthy, async () => {
      const pages = await Promise.all(place.pages.map((path) => textOf(place, path)));
      await switched(() => release(place, application, "release-2"));
      await serves("release-2");
      // What visitors have open is of the first release; a process serves its own assets only.
      if (application.frameworkId >= 9) for (const path of pages.flatMap(assetsIn)) await textOf(place, path);
    });

    it("loses none when it is rolled back", lengthy, async () => {
      await switched(() => rollBack(place, first));
      await serves("release-1");
    });

    const { left: whatIsLeft } = application;
    if (whatIsLeft)
      it("has kept what was left in it", lengthy, async () => {
        assert.deepEqual(await whatIsLeft(place), left);
        await deployNow(place);
        assert.deepEqual(await whatIsLeft(place), left);
      });
  });
}
