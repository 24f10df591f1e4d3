import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import type { CommandWithLog } from "../../contract/types.ts";
import { readNote } from "../../src/lib/lock.ts";
import { waitFor } from "../../stage/api-client.ts";
import { visit } from "../../stage/projects.ts";
import {
  bodyOf,
  deployToEnd,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  startVisitor,
} from "../../stage/support.ts";
import { canary } from "./attacks/support.ts";

// Commands of a project, its environment and the output of its processes, on a real server.

let stage: Stage;
/** PHP, with a process only while there are requests. */
let site: Project;
/** A Node process. */
let app: Project;

const secret = canary();
/** The log of the Node project, which prints it. */
const printedSecret = canary();
const soon = { timeoutMs: 60_000 };

/** The value that PHP has for a variable. */
const page = (version: number) =>
  `<?php echo json_encode([${version}, getenv("GREETING"), $_ENV["GREETING"] ?? null, getenv("GONE"), getenv("PATH") !== false]);`;

before(async () => {
  stage = await openStage("processes");
  [site, app] = await Promise.all([
    install(stage, {
      name: "site",
      frameworkId: 4,
      files: {
        "index.php": page(1),
        artisan: "<?php echo 'artisan ', $argv[1], ' ', getenv('GREETING');",
      },
      commands: { install: "true", build: "true" },
      more: { environment_variables: `GREETING=ahoy\nSECRET=${secret}\n` },
    }),
    install(stage, {
      name: "app",
      frameworkId: 8,
      files: {
        "server.js": `
          console.log("up with", process.env.SECRET);
          if (require("node:fs").existsSync(__dirname + "/broken")) {
            console.error("broken", process.env.SECRET);
            process.exit(3);
          }
          require("node:http").createServer((request, response) => {
            if (request.url === "/say") console.log("said with", process.env.SECRET);
            if (request.url !== "/crash") return response.end("app");
            console.error("the reason");
            process.exit(1);
          }).listen(process.env.PORT, "127.0.0.1");`,
      },
      commands: { install: "true", build: "true", dev: "node server.js" },
      more: { environment_variables: `SECRET=${printedSecret}\n` },
    }),
  ]);
}, lengthy);

after(() => stage?.close());

// Environment variables ---------------------------------------------------------------------------------------------------

describe("environment variables", () => {
  const unit = () => `longshore-project-${site.id}-php.service`;
  const seen = async (): Promise<unknown[]> => JSON.parse(await bodyOf(stage, site)) as unknown[];
  const hostile = `$2y$10$it's "deep" \\ \${PATH} \`id\``;

  it("are in getenv() and $_ENV of PHP from its first request on", async () => {
    assert.deepEqual(await seen(), [1, "ahoy", "ahoy", false, true]);
  });

  it("are set and removed one by one, and reach PHP with the next deployment, which drops no request", async () => {
    for (const [name, value] of Object.entries({ GREETING: hostile, GONE: "soon" })) {
      await stage.client("PUT /api/v1/projects/{id}/environment-variables/{name}", {
        params: { id: site.id, name },
        body: { value },
      });
    }
    const names = await stage.client("GET /api/v1/projects/{id}/environment-variables", { params: { id: site.id } });
    assert.deepEqual(
      names.data.map(({ name }) => name),
      ["GREETING", "SECRET", "GONE"],
    );
    assert.deepEqual(await seen(), [1, "ahoy", "ahoy", false, true], "not before");
    const visitor = startVisitor(stage, site, (body) => body.startsWith("["));
    const message = "Say \u001b[31mahoy\u001b[0m \u2028 later";
    await stage.git.commit("site", { message, files: { "more.txt": "more" } });
    const ended = await deployToEnd(stage, site);
    assert.equal(ended.status, 1, ended.error ?? "");
    assert.deepEqual([ended.commit_author, ended.commit_message], ["Sample Author", "Say  [31mahoy [0m   later"]);
    const { visits, wrong } = await visitor.stop();
    assert.deepEqual(wrong, [], `of ${visits}`);
    assert.deepEqual(await seen(), [1, hostile, hostile, "soon", true]);
  });

  it("stay as they are when a deployment fails, and PHP is not started again when they have not changed", async () => {
    const started = () => stage.bash(`systemctl show --property=ExecMainStartTimestampMonotonic --value ${unit()}`);
    await stage.client("DELETE /api/v1/projects/{id}/environment-variables/{name}", {
      params: { id: site.id, name: "GONE" },
    });
    await stage.git.commit("site", { files: { "index.php": "<?php http_response_code(500);" } });
    assert.equal((await deployToEnd(stage, site)).status, 2);
    assert.deepEqual(await seen(), [1, hostile, hostile, "soon", true]);
    await stage.git.commit("site", { files: { "index.php": page(2) } });
    assert.equal((await deployToEnd(stage, site)).status, 1);
    assert.deepEqual(await seen(), [2, hostile, hostile, false, true]);
    const before = await started();
    await stage.git.commit("site", { files: { "index.php": page(3) } });
    assert.equal((await deployToEnd(stage, site)).status, 1);
    assert.deepEqual([(await seen())[0], await started()], [3, before]);
  });

  it("are in no journal, unit or command line of the server", async () => {
    const found = await stage.bash(`
      echo '${secret.slice(0, 12)}''${secret.slice(12)}' > /root/patterns
      systemctl show ${unit()} | grep -F -f /root/patterns || true
      ps -e -o args= | grep -F -f /root/patterns || true
      { journalctl --quiet; journalctl --quiet --namespace=longshore; } | grep -F -f /root/patterns || true
      rm /root/patterns`);
    assert.equal(found, "");
  });
});

// Logs ---------------------------------------------------------------------------------------------------------------------

describe("what processes print", () => {
  const logOf = async ({ id }: Project, type: "output" | "php"): Promise<string[]> => {
    const { data } = await stage.client("GET /api/v1/projects/{id}/logs", {
      params: { id },
      query: { type, lines: 50 },
    });
    return data.lines;
  };

  it("of a Node project is in its log, also what a process said before it died, and without its secrets", async () => {
    assert.ok((await logOf(app, "output")).includes("up with ********"));
    await visit({ address: stage.server.address, host: app.domain, path: "/crash" }).catch(() => undefined);
    const lines = await waitFor(
      "the process to be started again",
      async () => {
        const log = await logOf(app, "output");
        return log.filter((line) => line.startsWith("up with")).length > 1 && log;
      },
      soon,
    );
    assert.ok(lines.includes("the reason"));
    assert.ok(!lines.join("\n").includes(printedSecret));
  });

  it("is asked of Node projects only", async () => {
    const { status } = await stage.client.refusal("GET /api/v1/projects/{id}/logs", {
      params: { id: site.id },
      query: { type: "output" },
    });
    assert.equal(status, 422);
  });
});

describe("a log that is followed", () => {
  /** Reads a stream until it matches; resolves with everything it has read. */
  const follow = async (path: string, headers: Record<string, string> = {}) => {
    const stopping = new AbortController();
    const response = await fetch(`${stage.platform.url}${path}`, {
      headers: { authorization: `Bearer ${stage.platform.token}`, ...headers },
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(60_000)]),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const until = async (what: RegExp): Promise<string> => {
      while (!what.test(text)) text += (await reader?.read())?.value ?? assert.fail(`The stream ended: ${text}`);
      return text;
    };
    return { status: response.status, until, stop: () => stopping.abort() };
  };

  /** The lines of the events of a stream. */
  const linesIn = (text: string): { at: string; text: string }[] =>
    [...text.matchAll(/^event: lines\ndata: (.*)$/gm)].flatMap(([, data = ""]) => JSON.parse(data).entries);

  it("shows a line that a process prints afterwards, without secrets, and resumes after it", async () => {
    const path = `/api/v1/projects/${app.id}/logs/stream`;
    const stream = await follow(path);
    assert.equal(stream.status, 200);
    await stream.until(/"lines":.*up with/);
    await visit({ address: stage.server.address, host: app.domain, path: "/say" });
    const text = await stream.until(/"lines":.*said with[^\n]*\n\n/);
    stream.stop();
    assert.match(text, /said with \*{8}/);
    assert.ok(!text.includes(printedSecret));
    const [id = ""] = [...text.matchAll(/^id: (.*)$/gm)].map(([, found]) => found).slice(-1);
    await visit({ address: stage.server.address, host: app.domain, path: "/say" });
    const resumed = await follow(path, { "last-event-id": id });
    const rest = await resumed.until(/said with[^\n]*\n\n/);
    resumed.stop();
    const after = linesIn(rest);
    assert.deepEqual(
      after.map(({ text }) => /said with|up with/.exec(text)?.[0]),
      ["said with"],
    );
    assert.ok(Math.abs(Date.parse(after[0]?.at ?? "") - Date.now()) < 60_000, String(after[0]?.at));
  });

  it("shows what a background job prints", async () => {
    const jobs = `/api/v1/projects/${site.id}/background-jobs`;
    const command = 'for ((n = 1; ; n++)); do echo "tick $n"; sleep 1; done';
    const { data: job } = await stage.client("POST /api/v1/projects/{id}/background-jobs", {
      params: { id: site.id },
      body: { name: "Ticker", command },
    });
    const stream = await waitFor(
      "the job to print",
      async () => {
        const opened = await follow(`${jobs}/${job.id}/log/stream?lines=1`);
        return opened.status === 200 && opened;
      },
      soon,
    );
    const text = await stream.until(/(tick \d[\s\S]*){3}\n\n/);
    stream.stop();
    const ticks = linesIn(text)
      .flatMap((line) => /tick (\d+)/.exec(line.text)?.[1] ?? [])
      .map(Number);
    assert.deepEqual(
      ticks,
      ticks.map((_, at) => (ticks[0] as number) + at),
      "each of them once",
    );
    await stage.client("DELETE /api/v1/projects/{id}/background-jobs/{jobId}", {
      params: { id: site.id, jobId: job.id },
    });
  });
});

describe("a process that keeps crashing", () => {
  let database: pg.Pool;
  before(async () => {
    const { url } = JSON.parse(await readNote(join(stage.platform.dataDirectory, "lock"))) as { url: string };
    database = new pg.Pool({ connectionString: url, max: 1 });
  });
  after(() => database?.end());

  /** Skips the minute until the next check; resolves when its result is stored. */
  const check = async (): Promise<void> => {
    const checkedAt = async () =>
      (await database.query("select max(checked_at) as at from process_watches")).rows[0].at;
    const before = await checkedAt();
    await database.query("update servers set connection_checked_at = null");
    await waitFor("the check", async () => String(await checkedAt()) !== String(before), soon);
  };
  const loops = async () => (await stage.client("GET /api/v1/projects/{id}", { params: { id: app.id } })).crash_loops;

  it("is in the project's record, announced once with its last lines, and once when it runs again", async () => {
    const channel = await stage.client("POST /api/v1/notification-channels", {
      body: {
        name: "Loops",
        type: "webhook",
        target: "https://hooks.example.test/loops",
        on: ["process.crash_loop", "process.recovered"],
      },
    });
    const announced = async () => {
      const params = { id: channel.data.id };
      const { data } = await stage.client("GET /api/v1/notification-channels/{id}/deliveries", { params });
      return data.map(({ topic }) => topic).reverse();
    };
    assert.deepEqual(await loops(), []);
    await stage.bash(`touch "$(readlink -e ${app.home}/current)/broken"`);
    await visit({ address: stage.server.address, host: app.domain, path: "/crash" }).catch(() => undefined);
    await check();
    const restarts = () =>
      stage.bash(`systemctl show --property=NRestarts --value 'longshore-project-${app.id}@*' | sort -n | tail -n 1`);
    const atFirst = Number(await restarts());
    await waitFor("more restarts", async () => Number(await restarts()) > atFirst + 5, soon);
    await check();
    const [loop, ...more] = await loops();
    assert.deepEqual([more, loop?.job_id], [[], null]);
    assert.ok((loop?.restarts ?? 0) >= 5);
    assert.ok(loop?.last_lines.includes("broken ********"), JSON.stringify(loop));
    assert.deepEqual(await announced(), ["process.crash_loop"]);
    await stage.bash(`rm "$(readlink -e ${app.home}/current)/broken"`);
    await waitFor("the process to serve", async () => (await bodyOf(stage, app)) === "app", soon);
    await check();
    assert.equal((await loops())[0]?.since, loop?.since, "it may end again at once");
    await database.query("update process_watches set last_restart_at = now() - interval '6 minutes'");
    await check();
    assert.deepEqual(await loops(), []);
    assert.deepEqual(await announced(), ["process.crash_loop", "process.recovered"]);
  });
});

// Commands ---------------------------------------------------------------------------------------------------------------

const begin = async ({ id }: Project, body: { command: string; timeout_seconds?: number }): Promise<number> =>
  (await stage.client("POST /api/v1/projects/{id}/commands", { params: { id }, body })).data.id;

const begun = ({ id }: Project, commandId: number) => ({ params: { id, commandId } });

const read = async (project: Project, id: number): Promise<CommandWithLog> =>
  (await stage.client("GET /api/v1/projects/{id}/commands/{commandId}", begun(project, id))).data;

const cancel = (project: Project, id: number) =>
  stage.client("POST /api/v1/projects/{id}/commands/{commandId}/cancel", begun(project, id));

const ended = (project: Project, id: number): Promise<CommandWithLog> =>
  waitFor(
    `command ${id} to end`,
    async () => {
      const command = await read(project, id);
      return command.ended_at !== null && command;
    },
    soon,
  );

const run = async (project: Project, command: string, timeout_seconds = 60): Promise<CommandWithLog> =>
  ended(project, await begin(project, { command, timeout_seconds }));

const printed = ({ log }: CommandWithLog): string => log.data.map(({ text }) => text).join("");

const prints = (project: Project, id: number, what: RegExp): Promise<unknown> =>
  waitFor(`command ${id} to print ${what}`, async () => what.test(printed(await read(project, id))), soon);

/** Processes that run as the project's user. */
const processesOf = ({ id }: Project): Promise<string> => stage.bash(`ps -u project-${id} -o args= || true`);

describe("a command", () => {
  it("runs as the project's user in the live release, with its environment, and keeps what it printed", async () => {
    const command = await run(
      site,
      'whoami; pwd -P; php artisan migrate:status; echo; echo "error" >&2; echo "$SECRET"',
    );
    assert.deepEqual([command.status, command.exit_code, command.error], ["succeeded", 0, null]);
    const lines = printed(command).trimEnd().split("\n");
    assert.equal(lines[0], `project-${site.id}`);
    assert.match(lines[1] ?? "", new RegExp(`^${site.home}/releases/\\d+$`));
    assert.deepEqual(lines.slice(2), ["artisan migrate:status ********", "error", "********"]);
    const listed = await stage.client("GET /api/v1/projects/{id}/commands", { params: { id: site.id } });
    assert.equal(listed.data[0]?.id, command.id);
  });

  it("that fails has its exit status, and continues after a line that fails", async () => {
    const command = await run(site, "false\necho the reason\nexit 3");
    assert.deepEqual([command.status, command.exit_code], ["failed", 3]);
    assert.match(command.error ?? "", /exit status 3: the reason$/);
  });

  it("announces what it prints while it runs", async () => {
    const stopping = new AbortController();
    const announced = await stage.client("GET /api/v1/events", { signal: stopping.signal });
    const reader = announced.pipeThrough(new TextDecoderStream()).getReader();
    const id = await begin(site, { command: "echo first; sleep 1000" });
    let events = "";
    while (!new RegExp(`event: command.log\\ndata: .*"id":${id},.*"offset"`).test(events)) {
      events += (await reader.read()).value ?? assert.fail("The stream ended.");
    }
    stopping.abort();
    assert.equal((await read(site, id)).status, "running");
    await cancel(site, id);
    assert.equal((await ended(site, id)).status, "cancelled");
  });

  it("sees nothing of another project", async () => {
    const command = await run(
      site,
      `cat ${app.home}/current/server.js ${app.home}/environments/*/* ${app.home}/current/.env
       ls -A ${app.home}/..
       ls /var/lib/longshore /etc/longshore /run/longshore
       cat ${app.home}/../${app.id}/current/server.js`,
    );
    const lines = printed(command).trimEnd().split("\n");
    assert.equal(lines.length, 8);
    for (const line of lines) assert.match(line, /No such file or directory$|Permission denied$/);
  });

  it("does not outlive its time, nor do programs that it left behind", async () => {
    const command = await run(site, "setsid nohup sleep 1001 > /dev/null & trap '' TERM; sleep 1002; sleep 1003", 2);
    assert.equal(command.status, "failed");
    assert.match(command.error ?? "", /took longer than 2 seconds and was ended/);
    assert.ok(!/sleep 100[123]/.test(await processesOf(site)));
  });

  it("leaves nothing behind when it ends by itself or is cancelled", async () => {
    assert.equal((await run(site, "setsid nohup sleep 1001 > /dev/null &")).status, "succeeded");
    const id = await begin(site, {
      command: "setsid nohup sleep 1002 & trap '' TERM; echo up; while :; do sleep 1003; done",
    });
    await prints(site, id, /up/);
    await cancel(site, id);
    assert.equal((await ended(site, id)).status, "cancelled");
    assert.ok(!/sleep 100[123]/.test(await processesOf(site)));
  });

  it("that prints without end is ended", async () => {
    const command = await run(site, "yes");
    assert.equal(command.status, "failed");
    assert.match(command.error ?? "", /the log is longer than 10 MB/);
  });

  it("has its text and its environment in no command line, journal or unit", async () => {
    const written = canary();
    const id = await begin(site, { command: `: ${written}; echo up; sleep 1000` });
    await prints(site, id, /up/);
    const found = await stage.bash(`
      patterns=/root/patterns
      printf '%s\\n' ${written.slice(0, 12)}'${written.slice(12)}' '${secret.slice(0, 12)}''${secret.slice(12)}' > $patterns
      cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\\0' '\\n' | grep -vF 'patterns=/root/patterns' | grep -F -f $patterns || true
      journalctl --quiet | grep -F -f $patterns || true
      journalctl --quiet --namespace=longshore | grep -F -f $patterns || true
      systemctl show 'longshore-run-*' | grep -F -f $patterns || true
      rm $patterns`);
    assert.equal(found, "");
    await cancel(site, id);
    await ended(site, id);
  });

  it("ends with its project", async () => {
    const id = await begin(site, { command: "echo up; sleep 1004" });
    await prints(site, id, /up/);
    await stage.client("DELETE /api/v1/project/{id}", { params: { id: site.id } });
    const gone = `! test -e ${site.home} && ! pgrep -f 'sleep 100[4]' > /dev/null && echo gone || true`;
    await waitFor("everything to be gone", async () => (await stage.bash(gone)) === "gone", soon);
    const path = begun(site, id);
    assert.equal((await stage.client.refusal("GET /api/v1/projects/{id}/commands/{commandId}", path)).status, 404);
  });
});
