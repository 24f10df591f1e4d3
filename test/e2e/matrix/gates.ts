import { join } from "node:path";
import { mustRun } from "../../../sandbox/command.ts";
import { openPool, type Pool } from "../../../src/db/pool.ts";
import { pollUntil } from "../../../src/lib/clock.ts";
import { waitFor } from "../../../stage/api-client.ts";
import { type Place, waiting } from "../../../stage/support.ts";
import { chosenTurn } from "./scope.ts";

// Holds the runs and the phases of workflows, on several servers. Triggers change the steps of runs when they are inserted, and
// make the transaction wait that moves a workflow on, so that the product needs no test hook. A gate is a file that says that
// something waits there, and another one that lets it pass, now and later.

type Bash = Pick<Place, "bash">;

export interface Gate {
  /** The plan and its step, or the workflow and the phase that is about to begin: `move-opening.authorize-destination`. */
  name: string;
  /** The server of the step; undefined for a workflow. */
  server: Place | undefined;
}

const onServers = "/var/lib/gates";

export class Gates {
  private readonly pool: Pool;
  private readonly places: readonly (Bash & { server: Place | undefined; directory: string })[];

  private constructor(pool: Pool, places: Gates["places"]) {
    this.pool = pool;
    this.places = places;
  }

  static open({ url, dataDirectory }: { url: string; dataDirectory: string }, servers: readonly Place[]): Gates {
    // The product's own role may not read or write files.
    const asAdministrator = new URL(url);
    asAdministrator.searchParams.set("user", "postgres");
    const here = {
      server: undefined,
      directory: join(dataDirectory, "postgres/data/gates"),
      bash: async (script: string) => (await mustRun(["bash", "-euo", "pipefail", "-c", script])).trim(),
    };
    const there = servers.map((server) => ({ server, directory: onServers, bash: server.bash }));
    return new Gates(openPool(asAdministrator.href, { max: 2 }), [here, ...there]);
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /** Drops all gates. */
  async clear(): Promise<void> {
    await this.pool.query(triggers);
    for (const { bash, directory } of this.places) await bash(`rm -rf ${directory}; install -d -m 1777 ${directory}`);
  }

  /**
   * Holds a step of a plan before its work, or a workflow before a phase. Without a key it holds all steps, by turns before their
   * work, and after it and before its end is known.
   */
  hold = (plan: string, key = "*") => this.pool.query("insert into test_gates values ($1, $2, 'hold')", [plan, key]);

  /** Makes a step fail. */
  fail = (plan: string, key: string) => this.pool.query("insert into test_gates values ($1, $2, 'fail')", [plan, key]);

  /** Makes no step fail any more. */
  mend = () => this.pool.query("delete from test_gates where what = 'fail'");

  /** The next gate at which something waits; undefined when everything is over. */
  async next(isOver: () => Promise<boolean>): Promise<Gate | undefined> {
    let gate: Gate | undefined;
    const isHeld = async () => {
      gate = await this.waiting();
      return gate !== undefined || isOver();
    };
    await waitFor("the work to come to its next step", isHeld, waiting);
    return gate;
  }

  /** Waits until a step is held. */
  reached = ({ bash }: Bash, name: string) =>
    bash(`timeout 180 bash -c 'until [[ -e ${onServers}/${name} ]]; do sleep 0.02; done'`);

  async pass({ name, server }: Gate): Promise<void> {
    const place = this.places.find((each) => each.server === server);
    await place?.bash(`: > ${place.directory}/${name}.passed`);
  }

  /**
   * Lets a step pass, and waits until it is over on its server, whether the control plane knows it or not; for a workflow, until
   * something waits again. A fault may keep that from happening: then the wait ends after a while.
   */
  async passToEnd(gate: Gate, { orAfterMs = 0 } = {}): Promise<void> {
    await this.pass(gate);
    const units = "systemctl list-units --no-legend --plain 'longshore-run-*'";
    const isOver = async () => (await this.waiting()) !== undefined || (await gate.server?.bash(units)) === "";
    const timeoutMs = gate.server ? 60_000 : orAfterMs;
    await pollUntil(() => isOver().catch(() => false), { timeoutMs, everyMs: 100 });
  }

  private async waiting(): Promise<Gate | undefined> {
    for (const { bash, directory, server } of this.places) {
      const shut = `for gate in $(ls ${directory}); do [[ $gate = *.passed || -e ${directory}/$gate.passed ]] || echo "$gate"; done`;
      const [name] = (await bash(shut)).split("\n");
      if (name) return { name, server };
    }
    return undefined;
  }
}

// A step's own script keeps its `set -e` when it is in parentheses, but not in a condition.
const triggers = `
  create table if not exists test_gates (plan text, key text, what text);
  delete from test_gates;
  grant select on test_gates to public;

  create or replace function hold_step(kind text, step jsonb, before_work boolean) returns jsonb language sql as $$
    with parts as (select
      format('gate=${onServers}/%s.%s; : > $gate; until [[ -e $gate.passed ]]; do sleep 0.05; done', kind, step->>'key') as wait,
      step->>'script' as script)
    select jsonb_set(
      jsonb_set(step, '{sandbox,writable}', coalesce(step->'sandbox'->'writable', '[]') || '["${onServers}"]', false),
      '{script}',
      to_jsonb(case when before_work then wait || E'\\n' || script
        else E'set +e\\n(\\nset -e\\n' || script || E'\\n)\\nstatus=$?\\n' || wait || E'\\nexit $status' end))
    from parts
  $$;

  create or replace function hold_steps() returns trigger language plpgsql as $$
  declare
    held jsonb;
  begin
    select jsonb_agg(case when g.plan is null then s.step
        when g.what = 'fail' then jsonb_set(s.step, '{script}', '"echo It was made to fail. >&2; exit 1"')
        else hold_step(new.plan->>'kind', s.step, g.key <> '*' or s.place % 2 = ${chosenTurn()}) end order by s.place) into held
    from jsonb_array_elements(new.plan::jsonb->'steps') with ordinality s(step, place)
      left join lateral (select * from test_gates where plan = new.plan->>'kind' and key in (s.step->>'key', '*')
        order by key = '*' limit 1) g on true;
    new.plan := jsonb_set(new.plan::jsonb, '{steps}', coalesce(held, '[]'))::json;
    return new;
  end $$;
  create or replace trigger hold_steps before insert on runs for each row execute function hold_steps();

  create or replace function hold_phase() returns trigger language plpgsql security definer as $$
  declare
    phase text := case new.state when 'running' then new.phase else new.state end;
    gate text := format('%s/gates/%s.%s', current_setting('data_directory'), new.kind, phase);
  begin
    if exists (select from test_gates where plan = new.kind and key in (phase, '*')) then
      execute format('copy (select 1) to %L', gate);
      while (pg_stat_file(gate || '.passed', true)).size is null loop perform pg_sleep(0.05); end loop;
    end if;
    return new;
  end $$;
  create or replace trigger hold_phase before update on workflows for each row
    when (new.state <> old.state or new.state = 'running' and new.phase is distinct from old.phase)
    execute function hold_phase();`;
