import { deployed, finishRun } from "../../../src/features/deployments/tests/support.ts";
import { restrict } from "../../../src/http/tests/support.ts";
import type { GitHosts } from "../../../test/git-hosts/all.ts";
import { World } from "../../../test/route-world.ts";
import { fillProjects } from "../many-projects.ts";
import { begin, endStep, print, startStep } from "../printed-log.ts";
import type { Stage } from "../stage.ts";

/** The records that the walk begins with, and from which it finds the others. */
export interface Records {
  project: number;
  server: number;
  failed: number;
}

/** An organization that has used the installation for a while: some records of each kind, many projects. */
export async function makeRecords(stage: Stage, hosts: GitHosts): Promise<Records> {
  const world = new World(stage.ctx, stage.cast);
  const [server] = await fillProjects(stage, 40);
  const project = await world.project({ serverId: server });
  await stage.pool.query("update projects set name = 'Buchladen' where id = $1", [project]);
  await addTo(world, project);
  const { database } = await world.database();
  await stage.pool.query("update databases set project_id = $1, server_id = $2 where id = $3", [
    project,
    server,
    database,
  ]);
  await addAround(world);
  hosts.git_host_a.addRepository("acme/shop");
  await restrict(stage.pool, "bob", stage.cast.organizationId, { projects: [project] });
  return { project, server, failed: await makeDeployments(stage, project, server) };
}

async function makeDeployments(stage: Stage, project: number, server: number): Promise<number> {
  await deployed(stage, project, server, "succeeded", "a".repeat(40));
  await deployed(stage, project, server, "succeeded", "b".repeat(40));
  const failed = await begin(stage, project, server);
  await startStep(stage, failed, 0);
  await print(stage, failed, "fetching\n");
  await endStep(stage, failed, 0);
  await startStep(stage, failed, 1);
  await print(stage, failed, "\u001b[31mnpm error code ELIFECYCLE\u001b[0m\n");
  await endStep(stage, failed, 1, 1);
  await finishRun(stage, failed, "failed", {}, "The build failed: npm error code ELIFECYCLE");
  return failed;
}

/** What belongs to a project. */
async function addTo(world: World, project: number): Promise<void> {
  await world.domainOf(project, {});
  await world.domainOf(project, { redirectTo: "https://shop.example.com" });
  await world.certificate(project, "acme");
  for (const kind of ["scheduled", "background"] as const) await world.job(kind, project);
}

/** One of each of the others. */
async function addAround(world: World): Promise<void> {
  await world.command({ hasEnded: true });
  await world.variable();
  await world.pinned();
  await world.pinnedServer();
  await world.balanced();
  await world.cacheServer();
  await world.sshAccess();
  await world.lostServer();
  await world.snapshot("ready");
  await world.databaseUser();
  await world.databaseImport();
  await world.foundDatabase("left_over");
  await world.installedApp("app_cms", 1);
  await world.sourceProvider();
  await world.channel("webhook");
  await world.channel("email");
  await world.maintenanceWindow();
  await world.statusIncident();
  await world.group();
  await world.token();
  await world.member();
  await world.invitation("of the walk");
}
