import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { deploy, firstDeployment, logTail, requestRollback } from "../api-client.ts";
import type { Files } from "../git-server.ts";
import { createProject, endOf, type NewProject, type Project, type Stage } from "../support.ts";
import type { Site, Visit } from "./site.ts";

/** The first deployment installs real packages and builds; within what `lengthy` allows. */
const waiting = { timeoutMs: 1_500_000 };

// A real application as data, and what is done with it: tests and the benchmark share it.

export interface Application {
  /** Also the folder of its files, in which the text "release-1" is its version. */
  name: string;
  frameworkId: number;
  /** Addresses that answer 200 with the release in their text. */
  pages: readonly string[];
  /** Settings of its project, where the defaults are not meant to do. */
  settings?: NonNullable<NewProject["more"]>;
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

/** Makes its repository and its project; resolves when the first deployment has succeeded. */
export async function install(stage: Stage, application: Application): Promise<{ place: Place; first: number }> {
  const { name, frameworkId, pages, settings = {}, base } = application;
  const fromDirectory = await base?.(stage.directory);
  await stage.git.createRepository(name, { files: await filesOf(name), ...(fromDirectory && { fromDirectory }) });
  const project = await createProject(stage, { name, frameworkId, more: settings });
  const first = await firstDeployment(stage.client, project.id, waiting);
  await succeeded(stage, first);
  return { place: { stage, project, address: stage.server.address, domain: project.domain, pages }, first };
}

/** Deploys what the branch holds; resolves with the deployment's id when it has succeeded. */
export const deployNow = async ({ stage, project }: Place): Promise<number> =>
  succeeded(stage, await deploy(stage.client, project.id));

/** Commits a release of this name and deploys it. */
export async function release(place: Place, application: Application, name: string): Promise<number> {
  await place.stage.git.commit(application.name, { files: await changedFiles(application, name) });
  return deployNow(place);
}

export const rollBack = async ({ stage }: Place, id: number): Promise<number> =>
  succeeded(stage, await requestRollback(stage.client, id));

async function succeeded(stage: Stage, id: number): Promise<number> {
  const ended = await endOf(stage, id, waiting);
  assert.equal(ended.status, 1, `${ended.error}\n${logTail(ended)}`);
  assert.deepEqual(ended.warnings, []);
  return id;
}

/** The files of an application's first release. */
async function filesOf(name: string): Promise<Record<string, string>> {
  const folder = join(import.meta.dirname, name);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, "utf8")])),
  );
}

/** What a commit of another release changes. */
async function changedFiles({ name }: Application, release: string): Promise<Files> {
  const files = Object.entries(await filesOf(name)).filter(([, content]) => content.includes("release-1"));
  return Object.fromEntries(files.map(([path, content]) => [path, content.replaceAll("release-1", release)]));
}
