import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type {
  BackgroundJob,
  BackgroundJobRequest,
  BackgroundJobUpdate,
  SchedulerJob,
  SchedulerJobRequest,
  SchedulerJobUpdate,
} from "../../contract/types.ts";
import { waitFor } from "../../stage/api-client.ts";
import { deployToEnd, endOf, install, lengthy, openStage, type Project, type Stage } from "../../stage/support.ts";

// Scheduled and background jobs, run by a real cron and a real systemd.

let stage: Stage;
/** Static files with scripts beside them. */
let site: Project;
/** A Node process. */
let app: Project;

const soon = { timeoutMs: 120_000 };
/** Cron checks once a minute. */
const withinMinutes = { timeoutMs: 240_000, intervalMs: 1_000 };

const worker = (version: number) =>
  `trap 'echo "worker ${version} leaves"; exit' TERM
echo "worker ${version} of $(whoami) in $(basename "$PWD") says $GREETING"
while :; do sleep 0.1; done`;

const server = (version: number) =>
  `require("node:http").createServer((_, response) => response.end("app ${version}")).listen(process.env.PORT, "127.0.0.1");`;

before(async () => {
  stage = await openStage("jobs");
  const greeting = { environment_variables: "GREETING=ahoy\nSECRET=not-for-everyone\n" };
  [site, app] = await Promise.all([
    install(stage, { name: "site", files: { "index.html": "1", "work.sh": worker(1) }, more: greeting }),
    install(stage, {
      name: "app",
      frameworkId: 8,
      files: {
        "server.js": server(1),
        "queue.js": "setInterval(() => {}, 1000); console.log('queue', process.env.COLOR);",
      },
      commands: { install: "true", build: "true", dev: "node server.js" },
      more: { environment_variables: "COLOR=red", max_memory: "512MB" },
    }),
  ]);
}, lengthy);

after(() => stage?.close());

type Kind = "scheduler-jobs" | "background-jobs";
type Job = SchedulerJob | BackgroundJob;
type NewJob = SchedulerJobRequest | BackgroundJobRequest;
type JobUpdate = SchedulerJobUpdate | BackgroundJobUpdate;

const pathOf = ({ id }: Project, jobId: number) => ({ params: { id, jobId } });

const read = async (kind: Kind, project: Project, id: number) =>
  (await stage.client(`GET /api/v1/projects/{id}/${kind}/{jobId}`, pathOf(project, id))).data;

/** The job after the server has reported on it. */
const settled = (kind: Kind, project: Project, id: number): Promise<Job> =>
  waitFor(
    `job ${id} to be set up`,
    async () => {
      const job = await read(kind, project, id);
      return job.status !== "pending" && job;
    },
    soon,
  );

async function add(kind: Kind, project: Project, body: NewJob): Promise<Job> {
  const params = { id: project.id };
  const { data } = await stage.client(`POST /api/v1/projects/{id}/${kind}`, { params, body });
  return settled(kind, project, data.id);
}

async function change(kind: Kind, project: Project, id: number, body: JobUpdate): Promise<Job> {
  await stage.client(`PUT /api/v1/projects/{id}/${kind}/{jobId}`, { ...pathOf(project, id), body });
  return settled(kind, project, id);
}

const remove = (kind: Kind, project: Project, id: number) =>
  stage.client(`DELETE /api/v1/projects/{id}/${kind}/{jobId}`, pathOf(project, id));

const logOf = async (kind: Kind, project: Project, id: number): Promise<string> => {
  const input = { ...pathOf(project, id), query: { lines: 1000 } };
  return (await stage.client(`GET /api/v1/projects/{id}/${kind}/{jobId}/log`, input)).data.lines.join("\n");
};

const logSays = (kind: Kind, project: Project, id: number, what: RegExp): Promise<string> =>
  waitFor(
    `the log to say ${what}`,
    async () => {
      const log = await logOf(kind, project, id);
      return what.test(log) && log;
    },
    soon,
  );

const runJob = "POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run";

/** The process numbers of a background job, in order. */
const processesOf = async (project: Project, id: number): Promise<string[]> => {
  const units = `longshore-project-${project.id}-job-${id}@*.service`;
  const shown = await stage.bash(
    `for unit in $(systemctl list-units --no-legend --plain '${units}' | awk '{ print $1 }'); do systemctl show --property=MainPID --value $unit; done`,
  );
  return shown.split("\n").filter((line) => line !== "" && line !== "0");
};

/** What the server has of a project's jobs, except the logs. */
const traces = ({ id, home }: Project): Promise<string> =>
  stage.bash(`
    shopt -s nullglob
    printf '%s\\n' /etc/cron.d/longshore-project-${id}* /etc/systemd/system/longshore-project-${id}-job-* \\
      /etc/systemd/system/*.wants/longshore-project-${id}-job-* ${home}/jobs/*.command
    systemctl list-units --all --no-legend --plain 'longshore-project-${id}-job-*' | awk '{ print $1 }'`);

describe("a background job", () => {
  let job: Job;

  it("runs in as many processes as asked, as the project's user, in the live release with its environment", async () => {
    job = await add("background-jobs", site, { name: "Worker", command: "bash work.sh", processes: 3 });
    assert.deepEqual([job.status, job.error, job.user], ["active", null, `project-${site.id}`]);
    const processes = await processesOf(site, job.id);
    assert.equal(processes.length, 3);
    const users = await stage.bash(`ps -o user= -p ${processes.join(",")} | sort -u`);
    assert.equal(users.trim(), `project-${site.id}`);
    const log = await logSays("background-jobs", site, job.id, /(worker 1 [\s\S]*){3}/);
    assert.match(log, new RegExp(`worker 1 of project-${site.id} in \\d+ says ahoy`));
  });

  it("is restarted by a deployment, and runs the new code", async () => {
    const before = await processesOf(site, job.id);
    await stage.git.commit("site", { files: { "index.html": "2", "work.sh": worker(2) } });
    const ended = await deployToEnd(stage, site);
    assert.equal(ended.status, 1, ended.error ?? "");
    assert.deepEqual(
      ended.steps.filter(({ key }) => key === "restart-jobs").map(({ status }) => status),
      ["completed"],
    );
    const now = await processesOf(site, job.id);
    assert.equal(now.length, 3);
    assert.deepEqual(
      now.filter((each) => before.includes(each)),
      [],
    );
    const both = /(?=([\s\S]*worker 1 leaves){3})(?=([\s\S]*worker 2 of){3})/;
    const log = await logSays("background-jobs", site, job.id, both);
    assert.equal(log.match(/worker 1 leaves/g)?.length, 3, "the old ones were asked to end");
    assert.equal(log.match(/worker 2 of/g)?.length, 3);
  });

  it("is not touched by a deployment that fails", async () => {
    const before = await processesOf(site, job.id);
    await stage.client("PUT /api/v1/projects/{id}", {
      params: { id: site.id },
      body: { custom_commands: { custom: "exit 3" } },
    });
    assert.equal((await deployToEnd(stage, site)).status, 2);
    await stage.client("PUT /api/v1/projects/{id}", {
      params: { id: site.id },
      body: { custom_commands: { custom: "" } },
    });
    assert.deepEqual(await processesOf(site, job.id), before);
  });

  it("gets more or fewer processes, and leaves those that stay as they are", async () => {
    const before = await processesOf(site, job.id);
    await change("background-jobs", site, job.id, { processes: 4 });
    const more = await processesOf(site, job.id);
    assert.equal(more.length, 4);
    assert.deepEqual(
      before.filter((each) => !more.includes(each)),
      [],
    );
    await change("background-jobs", site, job.id, { processes: 2 });
    const fewer = await processesOf(site, job.id);
    assert.deepEqual(fewer, before.slice(0, 2));
  });

  it("is restarted by hand", async () => {
    const before = await processesOf(site, job.id);
    await stage.client("POST /api/v1/projects/{id}/background-jobs/{jobId}/restart", pathOf(site, job.id));
    const now = await processesOf(site, job.id);
    assert.equal(now.length, 2);
    assert.deepEqual(
      now.filter((each) => before.includes(each)),
      [],
    );
  });

  it("stops when it is switched off, and starts with a new command", async () => {
    assert.equal((await change("background-jobs", site, job.id, { is_active: false })).status, "inactive");
    assert.deepEqual(await processesOf(site, job.id), []);
    const command = "echo \"it's 100% '$GREETING'\"; exec sleep 1000";
    assert.equal((await change("background-jobs", site, job.id, { is_active: 1, command })).status, "active");
    await logSays("background-jobs", site, job.id, /^it's 100% 'ahoy'$/m);
  });

  it("that ends at once reports it, waits longer each time, and is mended by a change", async () => {
    const failing = await change("background-jobs", site, job.id, { command: "echo trying; exit 9", processes: 1 });
    assert.equal(failing.status, "failed");
    assert.match(failing.error ?? "", /ended right after its start with exit code 9/);
    await logSays("background-jobs", site, job.id, /started again in 1 s[\s\S]*started again in 2 s/);
    assert.equal((await change("background-jobs", site, job.id, { command: "sleep 1000" })).status, "active");
  });

  it("shows no secret of the project in its log", async () => {
    await change("background-jobs", site, job.id, { command: 'echo "the secret is $SECRET"; sleep 1000' });
    const log = await logSays("background-jobs", site, job.id, /the secret is/);
    assert.match(log, /the secret is \*{8}/);
    assert.ok(!log.includes("not-for-everyone"));
  });

  it("has each process limited in memory, and Node's heap with it", async () => {
    const node = await add("background-jobs", app, { name: "Queue", command: "node queue.js" });
    const unit = `longshore-project-${app.id}-job-${node.id}@1.service`;
    const limit = await stage.bash(`systemctl show --property=MemoryMax --value ${unit}`);
    assert.equal(limit, String(512 * 1024 * 1024));
    const [pid] = await processesOf(app, node.id);
    const environment = await stage.bash(`tr '\\0' '\\n' < /proc/${pid}/environ`);
    assert.match(environment, /^NODE_OPTIONS=--max-old-space-size=384$/m);
  });

  it("gets the environment of now with a recycle", async () => {
    const params = { id: app.id };
    const [node] = (await stage.client("GET /api/v1/projects/{id}/background-jobs", { params })).data;
    assert.ok(node);
    await stage.client("PUT /api/v1/projects/{id}/environment-variables", {
      params,
      body: { environment_variables: "COLOR=blue" },
    });
    const { deployment_id } = await stage.client("POST /api/v1/projects/{id}/recycle", { params });
    const recycled = await endOf(stage, deployment_id);
    assert.equal(recycled.status, 1, recycled.error ?? "");
    await logSays("background-jobs", app, node.id, /^queue blue$/m);
    assert.equal((await read("background-jobs", app, node.id)).status, "active");
  });

  it("leaves nothing when it is deleted", async () => {
    await remove("background-jobs", site, job.id);
    await waitFor("the job to be gone", async () => (await traces(site)) === "", soon);
  });
});

describe("a scheduled job", () => {
  let job: Job;

  it("is run by cron, as the project's user, with its command as it was written", async () => {
    const command = 'echo "$(whoami) at $(date +%Y) says $GREETING"; cat index.html';
    job = await add("scheduler-jobs", site, { name: "Minutely", cron_expression: "* * * * *", command });
    assert.equal(job.status, "active");
    assert.ok("next_run_at" in job && job.next_run_at);
    const log = await waitFor(
      "cron to run it",
      async () => {
        const text = await logOf("scheduler-jobs", site, job.id);
        return /Ended with exit code 0/.test(text) && text;
      },
      withinMinutes,
    );
    assert.match(log, new RegExp(`^project-${site.id} at \\d{4} says ahoy$`, "m"));
    assert.match(log, /^2/m, "the release that is live now");
  });

  it("is run by hand, once at a time", async () => {
    await change("scheduler-jobs", site, job.id, { command: "echo by hand; sleep 1000", is_active: false });
    await stage.client(runJob, pathOf(site, job.id));
    await logSays("scheduler-jobs", site, job.id, /^by hand$/m);
    const second = await stage.client.refusal(runJob, pathOf(site, job.id));
    assert.equal(second.status, 422);
    assert.match(second.body.message, /is running already/);
    await stage.bash(`systemctl stop longshore-project-${site.id}-job-${job.id}@now.service`);
  });

  it("is in no crontab when it is switched off or deleted", async () => {
    const crontab = `/etc/cron.d/longshore-project-${site.id}`;
    await stage.bash(`! test -e ${crontab}`);
    await change("scheduler-jobs", site, job.id, { is_active: true, cron_expression: "@daily" });
    assert.match(await stage.bash(`cat ${crontab}`), new RegExp(`^@daily root systemctl start .*-job-${job.id}@`, "m"));
    await remove("scheduler-jobs", site, job.id);
    await waitFor("the job to be gone", async () => (await traces(site)) === "", soon);
  });
});

describe("hostile values", () => {
  const canary = "/var/tmp/canary";

  it("are data, or the project's own business", async () => {
    const values = [
      `$(touch ${canary})`,
      `'; touch ${canary}; '`,
      `"\n* * * * * root touch ${canary}\n`,
      `%touch ${canary}`,
    ];
    const params = { id: site.id };
    for (const value of values) {
      // As the last lines of a command, which its shell reads as data.
      const command = `cat > /dev/null <<'END OF DATA'\n${value}\nEND OF DATA\necho survived`;
      const job = await add("scheduler-jobs", site, {
        name: value.replaceAll("\n", " "),
        cron_expression: "@yearly",
        command,
      });
      assert.equal(job.status, "active", value);
      await stage.client(runJob, pathOf(site, job.id));
      await logSays("scheduler-jobs", site, job.id, /^survived$/m);
      const body = { name: "x", cron_expression: `* * * * * ${value}`, command: "true" };
      const { status } = await stage.client.answer("POST /api/v1/projects/{id}/scheduler-jobs", { params, body });
      assert.equal(status, 422, value);
    }
    for (const user of ["root", "deploy", `project-${app.id}`, "www-data"]) {
      const body = { name: "x", command: "true", user };
      const { status } = await stage.client.answer("POST /api/v1/projects/{id}/background-jobs", { params, body });
      assert.equal(status, 422, user);
    }
    assert.equal(await stage.bash(`ls ${canary} 2> /dev/null || true`), "");
  });
});

describe("the server and the project", () => {
  it("starts background jobs again after a reboot", async () => {
    const job = await add("background-jobs", site, { name: "Worker", command: "bash work.sh", processes: 2 });
    const boot = await stage.bash("cat /proc/sys/kernel/random/boot_id");
    await stage.client("POST /api/v1/servers/{id}/reboot", { params: { id: stage.serverId } });
    await waitFor(
      "the processes to run after the boot",
      async () =>
        (await stage.bash("cat /proc/sys/kernel/random/boot_id")) !== boot &&
        (await processesOf(site, job.id)).length === 2,
      { timeoutMs: 180_000 },
    );
  });

  it("loses everything of them with the project", async () => {
    await add("scheduler-jobs", site, { name: "Daily", cron_expression: "@daily", command: "true" });
    assert.notEqual(await traces(site), "");
    await stage.client("DELETE /api/v1/project/{id}", { params: { id: site.id } });
    await waitFor(
      "everything to be gone",
      async () =>
        (await stage.bash(`! test -e ${site.home} && ! id project-${site.id} 2> /dev/null && echo gone`)) === "gone",
      soon,
    );
    assert.equal(await traces(site), "");
  });
});
