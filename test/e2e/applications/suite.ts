import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { after, before, describe, it } from "node:test";
import { deploy, firstDeployment, logTail, must } from "../../api-client.ts";
import type { Files } from "../../git-server.ts";
import { createProject, endOf, openStage, type Project, type Stage, waiting } from "../support.ts";
import { assetsIn, pageVisits, type Site, startVisitors, textOf, type Visit, visitPage } from "./site.ts";

// What every real application has to pass on a real server: a first deployment with the defaults of its framework, a second one while
// visitors come, a rollback, and what it made itself is there after each of them.

export interface Application {
  /** Also the folder of its files, in which the text "release-1" is its version. */
  name: string;
  frameworkId: number;
  /** Addresses that answer 200 with the release in their text. */
  pages: readonly string[];
  /** Settings of its project, where the defaults are not meant to do. */
  settings?: Record<string, unknown>;
  /** Files that its own are added to, made in the directory; resolves with their folder. */
  base?(directory: string): Promise<string>;
  /** What a person does once after the first deployment. */
  setUp?(place: Place): Promise<unknown>;
  /** What has to hold besides, of each release. */
  check?(place: Place, release: string): Promise<unknown>;
  /** What visitors do besides loading pages, while releases are switched. */
  visits?: readonly Visit[];
  /** Leaves something in the application; `left` resolves with what has to stay as it was. */
  leave?(place: Place): Promise<unknown>;
  left?(place: Place): Promise<unknown>;
}

/** An application on its server, for what a test asks of it. */
export interface Place extends Site {
  stage: Stage;
  project: Project;
}

/** Opens a server for some applications, one after the other. */
export function describeApplications(role: string, applications: readonly Application[]): void {
  let stage: Stage;
  before(async () => {
    stage = await openStage(role);
  });
  after(() => stage?.close());
  for (const application of applications) describeApplication(() => stage, application);
}

function describeApplication(stageOf: () => Stage, application: Application): void {
  describe(application.name, () => {
    let place: Place;
    let first: number;
    let left: unknown;

    const serves = async (release: string): Promise<void> => {
      for (const path of place.pages) assert.equal(await visitPage(place, path), release, path);
      await application.check?.(place, release);
    };

    /** Makes another release live while visitors come; none of them may notice. */
    const switched = async (change: () => Promise<number>): Promise<void> => {
      const visitors = startVisitors(place, [...pageVisits(place), ...(application.visits ?? [])]);
      await succeeded(place.stage, change).finally(() => visitors.stop());
      assert.deepEqual((await visitors.stop()).wrong, []);
    };

    it("is deployed with defaults", async () => {
      ({ place, first } = await install(stageOf(), application));
      await application.setUp?.(place);
      await serves("release-1");
      await application.leave?.(place);
      left = await application.left?.(place);
    });

    it("loses no visitor when a second release takes its place", async () => {
      const pages = await Promise.all(place.pages.map((path) => textOf(place, path)));
      await place.stage.git.commit(application.name, { files: await changedFiles(application) });
      await switched(() => deploy(place.stage.client, place.project.id));
      await serves("release-2");
      // What visitors have open is of the first release; a process serves its own assets only.
      if (application.frameworkId >= 9) for (const path of pages.flatMap(assetsIn)) await textOf(place, path);
    });

    it("loses none when it is rolled back", async () => {
      await switched(() => rollBack(place.stage, first));
      await serves("release-1");
    });

    const { left: whatIsLeft } = application;
    if (whatIsLeft)
      it("has kept what was left in it", async () => {
        assert.deepEqual(await whatIsLeft(place), left);
        await succeeded(place.stage, () => deploy(place.stage.client, place.project.id));
        assert.deepEqual(await whatIsLeft(place), left);
      });
  });
}

/** Makes its repository and its project; resolves when the first deployment has succeeded. */
export async function install(stage: Stage, application: Application): Promise<{ place: Place; first: number }> {
  const { name, frameworkId, pages, settings = {}, base } = application;
  const fromDirectory = await base?.(stage.directory);
  await stage.git.createRepository(name, { files: await filesOf(name), ...(fromDirectory && { fromDirectory }) });
  const project = await createProject(stage, { name, frameworkId, more: settings });
  const first = await firstDeployment(stage.client, project.id, waiting);
  await succeeded(stage, async () => first);
  return { place: { stage, project, address: stage.server.address, domain: project.domain, pages }, first };
}

async function succeeded(stage: Stage, request: () => Promise<number>): Promise<void> {
  const ended = await endOf(stage, await request());
  assert.equal(ended.status, 1, `${ended.error}\n${logTail(ended)}`);
  assert.deepEqual(ended.warnings, []);
}

const rollBack = async ({ client }: Stage, id: number): Promise<number> =>
  (await must("Rolling back", client.post<{ deployment_id: number }>(`/api/v1/deployments/${id}/rollback`)))
    .deployment_id;

/** The files of an application's first release. */
export async function filesOf(name: string): Promise<Record<string, string>> {
  const folder = join(import.meta.dirname, name);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, "utf8")])),
  );
}

/** What a commit of its second release changes. */
export async function changedFiles({ name }: Pick<Application, "name">, release = "release-2"): Promise<Files> {
  const files = Object.entries(await filesOf(name)).filter(([, content]) => content.includes("release-1"));
  return Object.fromEntries(files.map(([path, content]) => [path, content.replaceAll("release-1", release)]));
}
