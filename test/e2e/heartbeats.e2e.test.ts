import assert from "node:assert/strict";
import { connect, createServer, type Server, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import type { BackgroundJobRequest, MonitorDetails, SchedulerJobRequest } from "../../contract/types.ts";
import { waitFor } from "../../stage/api-client.ts";
import { bridgeAddress } from "../../stage/fixture.ts";
import { freePort } from "../../stage/free-port.ts";
import { install, lengthy, openStage, type Project, type Stage } from "../../stage/support.ts";

// Heartbeats of jobs that a real cron and a real systemd run, and that report over a real network.

let stage: Stage;
/** The project of the scheduled jobs. */
let site: Project;
/** The project of the background jobs. */
let workers: Project;
/** The connection between the server and the control plane, which the tests cut. */
let way: Way;

const soon = { timeoutMs: 60_000 };
/** Cron checks once a minute, and a verdict needs another minute. */
const withinMinutes = { timeoutMs: 420_000, intervalMs: 1_000 };

interface Way {
  cut(): Promise<void>;
  mend(): Promise<void>;
}

async function openWay(host: string, port: number, target: URL): Promise<Way> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const forward = (socket: Socket): void => {
    const onward = connect(Number(target.port), target.hostname);
    for (const each of [socket, onward]) {
      sockets.add(each);
      each
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(each);
          socket.destroy();
          onward.destroy();
        });
    }
    socket.pipe(onward).pipe(socket);
  };
  const mend = async () => {
    server = createServer(forward);
    await new Promise<void>((resolve) => server?.listen(port, host, resolve));
  };
  const cut = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  };
  await mend();
  return { cut, mend };
}

before(async () => {
  const port = await freePort();
  stage = await openStage("heartbeats", { LONGSHORE_PUBLIC_URL: `http://panel.test:${port}` });
  const bridge = bridgeAddress(stage.server);
  way = await openWay(bridge, port, new URL(stage.platform.url));
  await stage.bash(`echo '${bridge} panel.test' >> /etc/hosts`);
  site = await install(stage, {
    name: "site",
    files: { "index.html": "1" },
    more: { environment_variables: "SECRET=not-for-everyone\n" },
  });
  workers = await install(stage, { name: "workers", files: { "index.html": "1" } });
}, lengthy);

after(async () => {
  await way?.cut();
  await stage?.close();
});

type Kind = "scheduler-jobs" | "background-jobs";
type NewJob = SchedulerJobRequest | BackgroundJobRequest;

const projectOf = (kind: Kind) => (kind === "scheduler-jobs" ? site : workers);

const settled = (kind: Kind, jobId: number) =>
  waitFor(
    `job ${jobId} to be set up`,
    async () => {
      const params = { id: projectOf(kind).id, jobId };
      const { data } = await stage.client(`GET /api/v1/projects/{id}/${kind}/{jobId}`, { params });
      return data.status !== "pending" && data;
    },
    soon,
  );

async function addJob(kind: Kind, body: NewJob): Promise<number> {
  const params = { id: projectOf(kind).id };
  return (await stage.client(`POST /api/v1/projects/{id}/${kind}`, { params, body })).data.id;
}

async function addHeartbeat(kind: Kind, jobId: number, config = {}): Promise<number> {
  const { data } = await stage.client("POST /api/v1/monitors", {
    body: {
      type: "heartbeat",
      name: `Job ${jobId}`,
      monitorable_type: kind === "scheduler-jobs" ? "App\\Models\\SchedulerJob" : "App\\Models\\BackgroundJob",
      monitorable_id: jobId,
      config,
    },
  });
  const { status, error } = await settled(kind, jobId);
  assert.equal(status, "active", error ?? "");
  return data.id;
}

const read = async (id: number): Promise<MonitorDetails> =>
  (await stage.client("GET /api/v1/monitors/{id}", { params: { id } })).data;

const until = (id: number, what: string, isIt: (monitor: MonitorDetails) => boolean): Promise<MonitorDetails> =>
  waitFor(
    `monitor ${id} to be ${what}`,
    async () => {
      const monitor = await read(id);
      return isIt(monitor) && monitor;
    },
    withinMinutes,
  );

const quick = { grace_seconds: 30, confirmation_threshold: 1 };
const everyMinute = { cron_expression: "* * * * *" };

const logOf = async (jobId: number): Promise<string> => {
  const { data } = await stage.client("GET /api/v1/projects/{id}/scheduler-jobs/{jobId}/log", {
    params: { id: site.id, jobId },
    query: { lines: 1000 },
  });
  return data.lines.join("\n");
};

const listener = () =>
  stage.bash(
    "systemctl is-active longshore-job-reports.timer || true; ls /etc/systemd/system | grep -c longshore-job-reports || true",
  );

// Most of the time is spent waiting for cron's next minute, so the jobs wait together.
describe("a heartbeat", { concurrency: true }, () => {
  describe("a scheduled job with a heartbeat", { concurrency: true }, () => {
    it("reports that it ran, how long, and the last lines of its output", async () => {
      const jobId = await addJob("scheduler-jobs", {
        name: "Good",
        command: "echo all copied; sleep 1",
        ...everyMinute,
      });
      const id = await addHeartbeat("scheduler-jobs", jobId);
      const { last_ping: ping, events } = await until(id, "up", ({ current_status: status }) => status === "up");
      assert.deepEqual([ping?.kind, ping?.exit_status], ["success", 0]);
      assert.ok(Number(ping?.duration_ms) >= 1_000 && Number(ping?.duration_ms) < 20_000, String(ping?.duration_ms));
      assert.match(ping?.body ?? "", /all copied/);
      assert.deepEqual(
        events.map(({ status }) => status),
        ["up"],
      );
    });

    it("reports how it failed, and still ends with its own exit status", async () => {
      const command = 'echo "cannot sign in with $SECRET"; exit 3';
      const jobId = await addJob("scheduler-jobs", { name: "Bad", command, ...everyMinute });
      const id = await addHeartbeat("scheduler-jobs", jobId, quick);
      const { events } = await until(id, "down", ({ current_status: status }) => status === "down");
      assert.match(events[0]?.message ?? "", /^The job ended with exit status 3 after \d+ s\.$/);
      assert.match(String(events[0]?.context.output), /cannot sign in with/);
      assert.ok(!JSON.stringify(events).includes("not-for-everyone"));
      assert.match(await logOf(jobId), /Ended with exit code 3/);
      const results = await stage.bash(
        `journalctl --quiet --output=cat -u 'longshore-project-${site.id}-job-${jobId}@*' | grep -c 'status=3' || true`,
      );
      assert.ok(Number(results) >= 1, "systemd saw the job's own exit status");
    });

    it("is down when a run hangs, and the message names that run", async () => {
      const jobId = await addJob("scheduler-jobs", { name: "Stuck", command: "exec sleep 600", ...everyMinute });
      const id = await addHeartbeat("scheduler-jobs", jobId, quick);
      const { events } = await until(id, "down", ({ current_status: status }) => status === "down");
      assert.match(
        events[0]?.message ?? "",
        /^No report has arrived; one was expected at .*\. The run that started at .* has not ended\.$/,
      );
      await stage.client("DELETE /api/v1/projects/{id}/scheduler-jobs/{jobId}", { params: { id: site.id, jobId } });
      await stage.bash(`systemctl stop 'longshore-project-${site.id}-job-${jobId}@*'`);
    });

    it("neither waits nor fails while the control plane is away", async () => {
      const jobId = await addJob("scheduler-jobs", { name: "Alone", command: "echo worked", ...everyMinute });
      const id = await addHeartbeat("scheduler-jobs", jobId);
      await until(id, "up", ({ current_status: status }) => status === "up");
      await way.cut();
      try {
        const unit = `longshore-project-${site.id}-job-${jobId}@now.service`;
        const took = await stage.bash(`
          began=$(date +%s%N)
          systemctl start --wait ${unit}
          echo $((($(date +%s%N) - began) / 1000000))`);
        // A report is attempted for 25 seconds.
        assert.ok(Number(took) < 20_000, `the job took ${took} ms`);
      } finally {
        await way.mend();
      }
      assert.equal((await read(id)).current_status, "up");
    });
  });

  describe("a server", () => {
    it("has the address in files of root's, and nowhere else", async () => {
      const jobId = await addJob("scheduler-jobs", { name: "Secret", command: "sleep 1", ...everyMinute });
      const id = await addHeartbeat("scheduler-jobs", jobId);
      const { ping_url: url } = await until(id, "up", ({ current_status: status }) => status === "up");
      const token = url?.split("/").at(-1) ?? "";
      const file = `/etc/longshore/reports/${site.id}-${jobId}`;
      assert.equal(await stage.bash(`stat -c '%U %a' ${file} /etc/longshore/reports`), "root 600\nroot 700");
      assert.equal(await stage.bash(`head -n 1 ${file}`), url);
      const found = await stage.bash(`
        grep -rl ${token} /etc /srv/longshore/projects /var/lib/longshore /usr/local/lib/longshore /run/longshore 2> /dev/null || true`);
      assert.equal(found, file);
      const said = await stage.bash(
        `{ journalctl --no-pager -o cat; journalctl --namespace=longshore --no-pager -o cat; } | grep -c ${token} || true`,
      );
      assert.equal(said, "0");
    });
  });

  describe("a background job with a heartbeat", { concurrency: 1 }, () => {
    interface Watched {
      jobId: number;
      id: number;
    }
    let first: Watched;
    let second: Watched;
    let crashing: Watched;

    const watch = async (body: NewJob): Promise<Watched> => {
      const jobId = await addJob("background-jobs", body);
      return { jobId, id: await addHeartbeat("background-jobs", jobId, quick) };
    };

    // All are added first: setting up a job starts every process of its project.
    before(async () => {
      const worker = { name: "Worker", command: "while :; do sleep 0.2; done", processes: 2 };
      first = await watch(worker);
      second = await watch(worker);
      crashing = await watch({ name: "Crash", command: "sleep 8; exit 4" });
    });

    it("is down when one of its processes stops, and up when that runs again", async () => {
      for (const { id } of [first, second]) await until(id, "up", ({ current_status: status }) => status === "up");
      const unit = `longshore-project-${workers.id}-job-${first.jobId}@2.service`;
      await stage.bash(`systemctl stop ${unit}`);
      const { events } = await until(first.id, "down", ({ current_status: status }) => status === "down");
      assert.equal(events[0]?.message, "The server reports: Process 2 does not run.");
      assert.equal((await read(second.id)).current_status, "up");
      await stage.bash(`systemctl start ${unit}`);
      const back = await until(first.id, "up again", ({ current_status: status }) => status === "up");
      assert.ok(back.events.find(({ status }) => status === "down")?.resolved_at);
    });

    it("is down when its process keeps crashing", async () => {
      const { events } = await until(crashing.id, "down", ({ current_status: status }) => status === "down");
      assert.match(
        events[0]?.message ?? "",
        /^The server reports: Process 1 keeps crashing; it was started again \d+ times\.$/,
      );
    });

    it("is watched by one listener of its server, which goes with the last one", async () => {
      assert.equal(await listener(), "active\n2");
      for (const { id } of [first, second, crashing]) {
        await stage.client("DELETE /api/v1/monitors/{id}", { params: { id } });
      }
      await waitFor("the listener to be gone", async () => (await listener()) === "inactive\n0", soon);
      assert.equal(await stage.bash(`ls /etc/longshore/reports | grep -c '^${workers.id}-' || true`), "0");
      assert.equal((await stage.client.refusal("GET /api/v1/monitors/{id}", { params: { id: first.id } })).status, 404);
    });
  });
});
