import assert from "node:assert/strict";
import type { Pool } from "../../../src/db/pool.ts";
import { type Entry, readJournal } from "../../../src/engine/runs/journal.ts";
import { visit } from "../../../stage/projects.ts";
import type { Stage } from "../../../stage/support.ts";
import type { Begun, Fleet, Member, RunRow } from "./fleet.ts";

/** A server and the database that has its runs. */
export interface Records {
  pool: Pool;
  stage: Pick<Stage, "bash">;
}

/** The database has everything that ended runs reported on the server, in order and once, and nothing else. */
export async function assertRecordsAreWhole(fleet: Records, runs: readonly RunRow[]): Promise<void> {
  const journals = await journalsOf(
    fleet,
    runs.map(({ id }) => id),
  );
  for (const run of runs) {
    const journal = journals.get(Number(run.id));
    assert.ok(journal, `run ${run.id} is on the server`);
    const { entries: all, consumed } = readJournal(journal, 0, run.nonce);
    const entries = untilEnd(withoutTorn(all));
    const what = `run ${run.id} (${run.kind})`;
    assert.equal(consumed, journal.length, what);
    assert.equal(await outputOf(fleet, run.id), said(entries), `${what}: every line once`);
    const ends = entries.flatMap((entry) => (entry.type === "end" ? entry.outcome : []));
    assert.deepEqual(ends, [run.state], `${what}: one end`);
    await assertStepsAreTold(fleet, run, entries);
  }
}

// A record that did not fit on the disk is written again from its beginning, once there is room.
const withoutTorn = (entries: readonly Entry[]): Entry[] =>
  entries.filter((entry, at) => {
    const next = entries[at + 1];
    return entry.type === "output" || next === undefined || nameOf(entry) !== nameOf(next);
  });

// Output after it does not belong to the run: the runner then deletes old runs.
function untilEnd(entries: readonly Entry[]): Entry[] {
  const end = entries.findIndex(({ type }) => type === "end");
  return end < 0 ? [...entries] : [...entries.slice(0, end + 1), ...entries.slice(end + 1).filter(isNoOutput)];
}

const isNoOutput = ({ type }: Entry): boolean => type !== "output";

const nameOf = (entry: Entry): string =>
  `${entry.type} ${"position" in entry ? entry.position : ""} ${"key" in entry ? entry.key : ""}`;

async function journalsOf(fleet: Records, ids: readonly number[]): Promise<Map<number, Buffer>> {
  const list = await fleet.stage.bash(
    `cd /var/lib/longshore/runs; for run in ${ids.join(" ")}; do echo "$run $(base64 -w 0 $run/journal)"; done`,
  );
  return new Map(
    list.split("\n").map((line) => {
      const [id, journal = ""] = line.split(" ");
      return [Number(id), Buffer.from(journal, "base64")];
    }),
  );
}

const said = (entries: readonly Entry[]): string =>
  entries.map((entry) => (entry.type === "output" ? entry.bytes.toString() : "")).join("");

async function outputOf({ pool }: Records, runId: number): Promise<string> {
  const query = "select string_agg(text, '' order by journal_offset) as text from run_output where run_id = $1";
  const { rows } = await pool.query<{ text: string | null }>(query, [runId]);
  return rows[0]?.text ?? "";
}

// A step that is resumed after a boot starts twice; nothing ends twice.
async function assertStepsAreTold({ pool }: Records, run: RunRow, entries: readonly Entry[]): Promise<void> {
  const { rows } = await pool.query<{ position: number; status: string }>(
    "select position, status from run_steps where run_id = $1 order by position",
    [run.id],
  );
  const resumes = entries.filter(({ type }) => type === "resume").length;
  for (const { position, status } of rows) {
    const of = (type: string) =>
      entries.filter((entry) => entry.type === type && "position" in entry && entry.position === position);
    const what = `run ${run.id} (${run.kind}), step ${position}`;
    assert.ok(of("step").length <= 1 + resumes, `${what}: begun ${of("step").length} times`);
    const [done, ...more] = of("done");
    assert.deepEqual(more, [], `${what}: one end`);
    if (done?.type === "done") assert.equal(status, done.exitCode === 0 ? "completed" : "failed", what);
    else assert.ok(["skipped", "unreported"].includes(status), `${what} is ${status}`);
  }
}

/** Each step ran once and succeeded. */
export async function assertAllSteps({ pool }: Fleet, { id, kind }: RunRow): Promise<void> {
  const { rows } = await pool.query("select position, key, status from run_steps where run_id = $1", [id]);
  const others = rows.filter(({ status }) => status !== "completed");
  assert.deepEqual(others, [], `run ${id} (${kind})`);
}

/** How many deployments there are, except those of deleted projects. */
export async function countDeployments({ pool }: Fleet, gone: readonly Pick<Member, "id">[]): Promise<number> {
  const query = "select count(*)::integer as count from deployments where project_id <> all($1)";
  const { rows } = await pool.query<{ count: number }>(query, [gone.map(({ id }) => id)]);
  return rows[0]?.count ?? 0;
}

/** The server shows no sign that the project ever existed. */
export async function assertNothingIsLeft({ bash }: Pick<Stage, "bash">, { id }: Pick<Member, "id">): Promise<void> {
  const left = await bash(`
    getent passwd project-${id} || true
    getent group project-${id} || true
    id -nG www-data | tr ' ' '\\n' | grep -x project-${id} || true
    ps -u project-${id} -o args= 2> /dev/null || true
    systemctl list-units --all --no-legend --plain 'longshore-project-${id}@*' 'longshore-project-${id}-*'
    crontab -l -u project-${id} 2> /dev/null || true
    find / -xdev \\( -path /proc -o -path /sys -o -path /var/lib/longshore/runs -o -path /var/lib/faults -o -path /var/log \\) -prune -o \\
      \\( -name '*longshore-project-${id}[.@-]*' -o -name 'project-${id}' -o -path /srv/longshore/projects/${id} \\) -print
    find /run -name '*longshore-project-${id}[.@-]*' 2> /dev/null
    grep -rlE --exclude='*-' 'project-${id}([^0-9]|$)' /etc 2> /dev/null || true`);
  assert.equal(left, "", `of project ${id}`);
}

/**
 * Visitors who visit one project after the other, in a loop: each site has to serve its former or its new version.
 * In-place projects are left out, they may show half of it.
 */
export function startVisitors({ stage }: Fleet, begun: readonly Begun[]) {
  const allowed = begun
    .filter(({ member }) => !member.inPlace)
    .map(({ member, kind, leadsTo }) => {
      // Before the site exists, its name is unknown.
      const first = kind.action === "installation" ? ["status 404"] : [];
      // For a removed project, nginx's former workers may still connect to the process that has ended.
      const last = kind.action === "project removal" ? ["status 502"] : [];
      return { member, bodies: new Set([member.serves, leadsTo, ...first, ...last]) };
    });
  const wrong: string[] = [];
  let visits = 0;
  let stopped = false;
  const come = async (): Promise<void> => {
    while (!stopped) {
      for (const { member, bodies } of allowed) {
        const got = await visit({ address: stage.server.address, host: member.domain }).then(
          ({ status, body }) => (status === 200 ? body : `status ${status}`),
          (error: unknown) => String(error),
        );
        visits += 1;
        if (!bodies.has(got)) wrong.push(`${member.name}: ${got.slice(0, 200)}`);
      }
    }
  };
  const coming = come();
  return {
    /** `interrupted`: requests failed for a while, but no answer was wrong. */
    async stop(interrupted = false): Promise<void> {
      stopped = true;
      await coming;
      if (interrupted) return void assert.deepEqual(wrong.filter((each) => /: version/.test(each)).slice(0, 5), []);
      assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${visits} visits`);
      assert.ok(visits > 0);
    },
  };
}
