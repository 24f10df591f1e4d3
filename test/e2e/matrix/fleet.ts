import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPool, type Pool } from "../../../src/db/pool.ts";
import { runDirectory } from "../../../src/host/runner/runner.ts";
import { waitFor } from "../../../stage/api-client.ts";
import { logTailOf } from "../../../stage/fixture.ts";
import type { Files } from "../../../stage/git-server.ts";
import { visit } from "../../../stage/projects.ts";
import { type Project, type Stage, stateOf } from "../../../stage/support.ts";
import { type Action, type Family, families, frameworkIds, jobFamilies, type Kind, settings } from "./kinds.ts";

// Many small projects on one server, all alike except for their family: a test of one tests all at once.

export interface Member extends Project {
  family: Family;
  inPlace: boolean;
  /** What its visitors get. */
  serves: string;
  /** What they get again after maintenance. */
  behind?: string;
}

/** What was started for a project. */
export interface Begun {
  member: Member;
  kind: Kind;
  /** What its visitors get when it succeeds. */
  leadsTo: string;
}

/** Whether it creates a deployment's record that stays: a removal deletes the record of the deployment in progress. */
export const deploys = ({ action }: Kind): boolean =>
  !["site publication", "maintenance", "job set-up", "project removal"].includes(action);

export class Fleet {
  readonly stage: Stage;
  readonly pool: Pool;
  private version = 0;
  private count = 0;
  private jobs = 0;

  private constructor(stage: Stage, pool: Pool) {
    this.stage = stage;
    this.pool = pool;
  }

  /** The repositories of the families, with a first version. */
  static async open(stage: Stage): Promise<Fleet> {
    const { url } = JSON.parse(await readFile(join(stage.platform.dataDirectory, "lock"), "utf8")) as { url: string };
    const fleet = new Fleet(stage, openPool(url, { max: 3 }));
    for (const family of families) await stage.git.createRepository(family, { files: filesOf(family, "") });
    await fleet.commit();
    return fleet;
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /** A new version of every family; later deployments serve it. */
  async commit(): Promise<string> {
    const body = `version ${++this.version}\n`;
    await Promise.all(families.map((family) => this.stage.git.commit(family, { files: filesOf(family, body) })));
    return body;
  }

  get newest(): string {
    return `version ${this.version}\n`;
  }

  /** Creates a project, which queues its installation. */
  async add(family: Family, { inPlace = false } = {}): Promise<Member> {
    const { client, git, serverId } = this.stage;
    const name = `${family}-${++this.count}`;
    const domain = `${name}.example.test`;
    const { project_id } = await client("POST /api/v1/projects", {
      body: {
        name,
        server_id: serverId,
        domain,
        framework_id: frameworkIds[family],
        git_repository: { type: "git", repo: git.urlOf(family), branch: "main" },
        custom_commands: settings.commands,
        shared_directories: [...settings.sharedDirectories],
        shared_files: [...settings.sharedFiles],
        environment_variables: "GREETING=hello-from-the-environment\n",
        zero_downtime: !inPlace,
      },
    });
    const id = Number(project_id);
    return { id, name, domain, home: `/srv/longshore/projects/${id}`, family, inPlace, serves: "status 503" };
  }

  /** How many deployments run at once; null for all. */
  private async limitQueue(queue_limit: number | null): Promise<void> {
    const { client, serverId } = this.stage;
    await client("PUT /api/v1/servers/{id}", { params: { id: serverId }, body: { queue_limit } });
  }

  /** Queues a deployment of each; all are requested at once, and run in turn. */
  async deployAll(members: readonly Member[]): Promise<void> {
    await this.limitQueue(8);
    await this.stage.client("POST /api/v1/deployments", { body: { project_ids: members.map(({ id }) => id) } });
    await this.installed(members, 400_000);
    await this.limitQueue(null);
    for (const member of members) member.serves = this.newest;
  }

  /** Waits until no work is left for the projects, and checks that the last deployment of each succeeded. */
  async installed(members: readonly Member[], timeoutMs?: number): Promise<void> {
    await this.settled(members, timeoutMs);
    for (const { id, name } of members) {
      const last = await this.lastRun(id, "deployment");
      assert.equal(last.state, "succeeded", `${name}: ${last.error}\n${await this.endOfLog(last.id)}`);
    }
  }

  /** Waits until no work is queued or in progress for the projects. */
  async settled(members: readonly Pick<Member, "id">[], timeoutMs = 300_000): Promise<void> {
    const ids = members.map(({ id }) => id);
    const query = `
      select r.id as run, format('run %s (%s) %s at %s', r.id, r.kind, r.state, (
        select string_agg(key, ', ') from run_steps s where s.run_id = r.id and s.status = 'running')) as what
      from runs r where r.ended_at is null and ${projectOfRun} = any($1)
      union all
      select null, 'deployment ' || id || ' with status ' || status from deployments
      where status in (0, 3, 4) and project_id = any($1)
      union all
      select null, kind || ' of project ' || subject_id from targets
      where kind in ('site', 'project-removal') and subject_id = any($1)
        and applied_version < wanted_version and given_up_version < wanted_version`;
    let open: { run: number | null; what: string }[] = [];
    const isSettled = async (): Promise<boolean> => {
      open = (await this.pool.query<(typeof open)[number]>(query, [ids])).rows;
      return open.length === 0;
    };
    await waitFor("what was begun to end", isSettled, { timeoutMs }).catch(async (cause: unknown) => {
      const units = await this.stage.bash("systemctl list-units --no-legend --plain --all 'longshore-run-*'");
      const journals = await Promise.all(open.flatMap(({ run }) => (run === null ? [] : this.endOfJournal(run))));
      const log = await logTailOf(join(this.stage.platform.dataDirectory, "platform.log"));
      const what = open.map((each) => each.what).join(", ");
      throw new Error(
        `These did not end: ${what}.\nAt work on the server:\n${units}\n${journals.join("\n")}\nThe log:\n${log}`,
        { cause },
      );
    });
  }

  /** The last record of a run on the server, independent of what was stored of it. */
  private endOfJournal(runId: number): Promise<string> {
    const file = `${runDirectory(runId)}/journal`;
    return this.stage.bash(`echo "The end of ${file}:"; tail -n 5 ${file} 2>&1 || true`);
  }

  /** The number of the next project. */
  async nextProjectId(): Promise<number> {
    const { rows } = await this.pool.query("select last_value + is_called::integer as id from projects_id_seq");
    return Number(rows[0].id);
  }

  /** The largest upload that a project's record allows. */
  async maxUploadMb({ id }: Member): Promise<number> {
    const query = "select max_upload_mb as mb from sites where project_id = $1";
    return (await this.pool.query<{ mb: number }>(query, [id])).rows[0]?.mb ?? 0;
  }

  /** The web server has the state of the project's record. */
  async assertPublished(member: Member): Promise<void> {
    const file = `/etc/nginx/sites-available/longshore-project-${member.id}.conf`;
    const has = await this.stage.bash(
      `grep -oP 'client_max_body_size \\K[0-9]+' ${file} | sort -u; nginx -t -q; ls ${file}*`,
    );
    assert.equal(has, `${await this.maxUploadMb(member)}\n${file}`, member.name);
  }

  /** The newest run of the action's kind for a project. */
  async lastRun(projectId: number, action: Action): Promise<RunRow> {
    const query = `select r.* from runs r where ${projectOfRun} = $1 and r.kind = $2 order by r.id desc limit 1`;
    const { rows } = await this.pool.query<RunRow>(query, [projectId, runKinds[action] ?? "deployment"]);
    assert.ok(rows[0], `there was never a run for the ${action} of project ${projectId}`);
    return rows[0];
  }

  async run(id: number): Promise<RunRow> {
    const { rows } = await this.pool.query<RunRow>("select * from runs where id = $1", [id]);
    return rows[0] as RunRow;
  }

  /** The end of a run's output. */
  private async endOfLog(runId: number): Promise<string> {
    const query = "select text from run_output where run_id = $1 order by journal_offset desc limit 20";
    const { rows } = await this.pool.query<{ text: string }>(query, [runId]);
    return rows
      .map(({ text }) => text)
      .reverse()
      .join("");
  }

  async newestDeployment(projectId: number): Promise<{ id: number; status: number }> {
    const query = "select id, status from deployments where project_id = $1 order by id desc limit 1";
    return (await this.pool.query(query, [projectId])).rows[0];
  }

  /** Waits until no cancel is in transit to the server any more. */
  async cancelsDecided(members: readonly Pick<Member, "id">[]): Promise<void> {
    const query = "select id from deployments where status = 4 and project_id = any($1)";
    const ids = members.map(({ id }) => id);
    const isDecided = async (): Promise<boolean> => (await this.pool.query(query, [ids])).rowCount === 0;
    await waitFor("the server to decide on the cancels", isDecided, { timeoutMs: 180_000 });
  }

  async addJob({ id }: Pick<Member, "id">): Promise<void> {
    const body = { name: `job-${++this.jobs}`, command: "exec sleep infinity" };
    await this.stage.client("POST /api/v1/projects/{id}/background-jobs", { params: { id }, body });
  }

  /** Adds a background job to the projects whose family has one, and waits until it runs. */
  async giveJobs(members: readonly Member[]): Promise<void> {
    const given = members.filter(({ family, inPlace }) => jobFamilies.includes(family) && !inPlace);
    for (const member of given) await this.addJob(member);
    await this.settled(given);
    for (const member of given) await this.assertJobsAreActive(member);
  }

  /** Waits until the jobs whose setup failed were retried and succeeded. */
  async jobsAreRetried(member: Member): Promise<void> {
    const open = "select 1 from project_jobs where project_id = $1 and status <> 'active'";
    const isDone = async (): Promise<boolean> => (await this.pool.query(open, [member.id])).rowCount === 0;
    await waitFor("the jobs to be set up after all", isDone, { timeoutMs: 180_000 });
    await this.assertJobsAreActive(member);
  }

  async assertJobsAreActive({ id, name }: Member): Promise<void> {
    const { rows } = await this.pool.query("select id, status from project_jobs where project_id = $1", [id]);
    assert.ok(rows.length > 0, name);
    const units = `systemctl list-units --no-legend --plain --state=active 'longshore-project-${id}-job-*' | wc -l`;
    assert.deepEqual(
      [rows.filter(({ status }) => status !== "active"), await this.stage.bash(units)],
      [[], `${rows.length}`],
    );
  }

  /** Everything on the server that a failure must not change, by project. */
  async states(members: readonly Member[]): Promise<Map<number, string>> {
    const states = new Map<number, string>();
    for (const member of members) states.set(member.id, withoutWorkers(await stateOf(this.stage, member)));
    return states;
  }

  /** Waits after a reboot until everything that starts with the server has started, and no process is still being waited for. */
  async booted(members: readonly Member[]): Promise<void> {
    await this.stage.bash("systemctl is-system-running --wait > /dev/null || true");
    // A project that was interrupted while it is replaced in place may not answer.
    for (const member of members.filter(({ inPlace }) => !inPlace)) {
      const answers = async () => !/^status 50[24]$/.test(await this.bodyOf(member));
      await waitFor(`${member.name} to answer after the boot`, answers, { timeoutMs: 300_000 });
    }
  }

  async bodyOf({ domain }: Member): Promise<string> {
    const { status, body } = await visit({ address: this.stage.server.address, host: domain });
    return status === 200 ? body : `status ${status}`;
  }
}

// The number of PHP's workers changes with the visitors.
const withoutWorkers = (state: string): string => state.replaceAll(/^php-fpm: (?:pool|master) .*$/gm, "").trimEnd();

export interface RunRow {
  id: number;
  kind: string;
  nonce: string;
  state: string;
  error: string | null;
  facts: Record<string, string>;
}

// A run's subject is a deployment or the project itself.
const projectOfRun = `case r.kind
  when 'deployment' then (select d.project_id from deployments d where d.id = r.subject_id)
  when 'project-removal' then r.subject_id when 'site' then r.subject_id when 'maintenance' then r.subject_id
  when 'jobs' then r.subject_id end`;

const runKinds: Partial<Record<Action, string>> = {
  "site publication": "site",
  maintenance: "maintenance",
  "job set-up": "jobs",
  "project removal": "project-removal",
};

/** A release answers with the version it was made from. */
function filesOf(family: Family, version: string): Files {
  const build = 'for ((n = 1; n <= 10; n++)); do echo "line $n of the build"; done\n';
  const pages: Record<Family, Files> = {
    static: { "index.html": version },
    php: { "public/index.php": '<?php readfile(__DIR__ . "/../version.txt");', "version.txt": version },
    node: { "server.js": server, "version.txt": version },
  };
  return { "build.sh": build, ballast: randomBytes(ballastBytes), ...pages[family] };
}

// More than the runner's reserve for its records: on a full disk there is no room for a release.
const ballastBytes = 400_000;

const server = `
  const version = require("node:fs").readFileSync("version.txt");
  require("node:http").createServer((_, response) => response.end(version)).listen(process.env.PORT, "127.0.0.1");
`;
