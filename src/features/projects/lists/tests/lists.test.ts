import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { rows, sql } from "../../../../db/sql.ts";
import { call, restrict, tokenOf } from "../../../../http/tests/support.ts";
import type { Actor } from "../../../accounts/reach.ts";
import { createProject, insertServer, openStage, type Stage } from "../../tests/support.ts";
import { countByFacet, listIds } from "../queries.ts";
import type { Order, ProjectFilter } from "../schema.ts";

// Lists of many projects, compared with the same lists made of all records by this test.

let stage: Stage;
let servers: number[];
let group: number;
/** Of all projects: as the list shows them, one after the other. */
let all: Listed[];
let bob: string;

interface Listed {
  id: number;
  name: string;
  state: string;
  server_id: number;
  framework_id: number;
  project_group_id: number | null;
  environment: string | null;
  source_type: string;
  repository: string | null;
  domains: { domain_name: string }[];
  last_deployed_at: string | null;
  created_at: string;
  is_pinned: boolean;
}

const count = 1_300;

before(async () => {
  stage = await openStage();
  const { pool, cast } = stage;
  const { organizationId } = cast;
  servers = [stage.serverId, await insertServer(pool, organizationId), await insertServer(pool, organizationId)];
  await pool.query(sql`update servers set connection_status = 1 where id = any(${servers.slice(0, 2)}::bigint[])`);
  const made = await call(stage.app, "POST /api/v1/project-groups", { token: cast.alice, body: { name: "Many" } });
  group = made.body.data.id;
  await fill();
  all = await listAll();
  await restrict(pool, "Bob", organizationId, { servers: [servers[1] as number], projects: [all[0]?.id as number] });
  bob = await tokenOf(pool, "Bob");
});
after(() => stage.close());

/** Projects that differ in everything that they can be filtered and sorted by. */
async function fill(): Promise<void> {
  const { organizationId, userIds } = stage.cast;
  await stage.pool.query(sql`
    with made as (
      insert into projects (organization_id, server_id, name, framework_id, environment, project_group_id, source_type,
        repository_type, repository, repository_branch, installation_status, created_at)
      select ${organizationId}, (${servers}::bigint[])[case when n % 40 = 0 then 3 else 1 + n % 2 end],
        (array['alpha', 'Beta', 'Äther', 'gamma', 'Straße'])[1 + n % 5] || case when n % 7 = 0 then '' else ' ' || n end,
        1 + n % 4, (array['production', 'staging', null])[1 + n % 3], case when n % 11 = 0 then ${group}::bigint end,
        case when n % 9 = 0 then 'app' else 'git' end, case when n % 9 <> 0 then 'git' end,
        case when n % 9 <> 0 then 'https://git.example.com/Acme/repo-' || n || '.git' end, 'main',
        case when n % 50 = 1 then 0 when n % 50 = 2 then 2 else 1 end, now() - make_interval(mins => (n * 37) % ${count})
      from generate_series(1, ${count}::integer) n returning id, server_id
    ), site as (
      insert into sites (project_id, maintenance_mode) select id, id % 60 = 5 from made
    ), placed as (
      insert into placements (project_id, server_id, role) select id, server_id, 'own' from made
    ), second as (
      insert into domains (project_id, domain_name) select id, 'also-' || id || '.example.org' from made where id % 3 = 0
    )
    insert into domains (project_id, domain_name, is_primary) select id, 'www.p' || id || '.example.com', true from made
  `);
  await stage.pool.query(sql`
    insert into deployments (organization_id, project_id, server_id, git_branch, description, status, started_at, ended_at, created_at)
    select organization_id, id, server_id, 'main', '', status, case when status > 0 then now() end,
      case when status in (1, 2) then now() - make_interval(secs => (id * 13) % 500) end, now() - interval '1 hour'
    from (
      select p.*, case when id % 70 = 3 then 0 when id % 70 = 4 then 3 when id % 30 = 7 then 2 else 1 end as status from projects p
    ) p
    where source_type = 'git' and id % 6 <> 0
  `);
  await stage.pool.query(sql`
    insert into project_pins (user_id, project_id, organization_id)
    select ${userIds.alice}, id, organization_id from projects where id % 100 = 9
  `);
  await stage.pool.query(sql`
    insert into process_watches (project_id, server_id, checked_at, counts, recent, last_restart_at, looping_since, restarts, last_lines)
    select id, server_id, now(), '{}', '[]', now(), now(), 9, '{}' from projects where id % 80 = 11
  `);
}

const list = async (query: string, token = stage.cast.alice) => {
  const { status, body } = await call(stage.app, `GET /api/v1/projects${query}`, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

async function listAll(): Promise<Listed[]> {
  const deployed = new Map(
    (
      await rows<{ id: number; last_deployed_at: string | null }>(
        stage.pool,
        sql`select id, last_deployed_at from projects`,
      )
    ).map((each) => [each.id, each.last_deployed_at]),
  );
  const pages = Array.from({ length: Math.ceil(count / 100) }, (_, at) => list(`?per_page=100&page=${at + 1}`));
  const projects = (await Promise.all(pages)).flatMap((page) => page.data as Listed[]);
  assert.equal(projects.length, count);
  return projects.map((each) => ({ ...each, last_deployed_at: deployed.get(each.id) ?? null }));
}

type Filter = (project: Listed) => boolean;

const lower = (text: string | null) => (text ?? "").toLowerCase();
const has =
  (q: string): Filter =>
  ({ name, repository, domains }) =>
    [name, repository, ...domains.map((each) => each.domain_name)].some((text) => lower(text).includes(lower(q)));

/** Filters as a query has them, each with what it means. */
const filters = (): [string, Filter][] => [
  ["", () => true],
  ["q=beta", has("beta")],
  ["q=ÄTHER", has("äther")],
  ["q=acme/REPO-77", has("acme/repo-77")],
  ["q=also-9", has("also-9")],
  ["q=example.com", has("example.com")],
  ["q=%25", () => false],
  ["q=_", () => false],
  ["q=com%0Aalso", () => false],
  ["name=alpha", ({ name }) => name === "alpha"],
  ["name=Alpha", () => false],
  [`server_id=${servers[2]}`, ({ server_id }) => server_id === servers[2]],
  [`server_id=${servers[1]},${servers[2]}`, ({ server_id }) => server_id !== servers[0]],
  ["environment=staging", ({ environment }) => environment === "staging"],
  [`project_group_id=${group}`, ({ project_group_id }) => project_group_id === group],
  ["framework_id=2&framework_id=3", ({ framework_id }) => [2, 3].includes(framework_id)],
  ["source_type=app", ({ source_type }) => source_type === "app"],
  ["pinned=true", ({ is_pinned }) => is_pinned],
  ["pinned=0", ({ is_pinned }) => !is_pinned],
  ["ids=5,6,7,99999", ({ id }) => [5, 6, 7].includes(id)],
  ...["unreachable", "deploying", "waiting", "crashing", "in_maintenance", "failed", "not_installed", "live"].map(
    (state): [string, Filter] => [`state=${state}`, (project) => project.state === state],
  ),
  ["state=live,failed", ({ state }) => ["live", "failed"].includes(state)],
  ["state[]=failed&state[]=waiting", ({ state }) => ["failed", "waiting"].includes(state)],
  [
    "q=gamma&environment=production&state=live&pinned=false",
    (project) =>
      has("gamma")(project) && project.environment === "production" && project.state === "live" && !project.is_pinned,
  ],
];

const people = new Intl.Collator("und");
const orders: Record<string, (one: Listed, other: Listed) => number> = {
  id: () => 0,
  name: (one, other) => people.compare(one.name, other.name),
  created_at: (one, other) => (one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : 0),
  last_deployed_at: (one, other) =>
    (one.last_deployed_at ?? "9") < (other.last_deployed_at ?? "9")
      ? -1
      : (one.last_deployed_at ?? "9") > (other.last_deployed_at ?? "9")
        ? 1
        : 0,
};

const sorted = (projects: Listed[], order: string): number[] => {
  const compare = orders[order.replace("-", "")] as (one: Listed, other: Listed) => number;
  const isReverse = order.startsWith("-");
  const ordered = projects.toSorted((one, other) => {
    const difference = compare(one, other) || one.id - other.id;
    const isLast =
      order === "-last_deployed_at" && (one.last_deployed_at === null) !== (other.last_deployed_at === null);
    return isReverse && !isLast ? -difference : difference;
  });
  return ordered.map(({ id }) => id);
};

const sorts = Object.keys(orders).flatMap((name) => [name, `-${name}`]);

describe("the projects of a list", () => {
  it("are in all states", () => {
    const states = new Set(all.map(({ state }) => state));
    assert.equal(states.size, 8, [...states].join());
  });

  it("are those that match the filter, in each order, whether they are few or many", async () => {
    for (const [query, matches] of filters()) {
      for (const sort of sorts) {
        const { data, total_items } = await list(`/ids?${query}&sort=${sort}`);
        const expected = sorted(all.filter(matches), sort);
        assert.equal(total_items, expected.length, query);
        assert.deepEqual(data, expected, `${query} by ${sort}`);
      }
    }
  });

  it("are the same when there are too many to sort them", async () => {
    const { organizationId, userIds } = stage.cast;
    const actor = { organizationId, userId: userIds.alice, restriction: undefined } as unknown as Actor;
    const given: [ProjectFilter, Filter][] = [
      [{ q: "beta" }, has("beta")],
      [{ state: ["live"] }, ({ state }) => state === "live"],
      [
        { q: "EXAMPLE.org", environment: "staging", pinned: false },
        (project) => has("example.org")(project) && project.environment === "staging" && !project.is_pinned,
      ],
    ];
    for (const [filter, matches] of given) {
      const expected = all.filter(matches);
      for (const order of sorts as Order[]) {
        const part = { order, limit: count, offset: 0, total: 1_000_000 };
        assert.deepEqual(await listIds(stage.pool, actor, filter, part), sorted(expected, order), order);
      }
      assert.equal((await countByFacet(stage.pool, actor, filter)).total, expected.length);
    }
  });

  it("come in pages, whole or as summaries", async () => {
    for (const query of ["state=live&sort=-name", "q=beta&sort=last_deployed_at", "sort=-created_at", "q=example"]) {
      const { data: ids } = await list(`/ids?${query}`);
      for (const view of ["full", "summary"]) {
        const page = await list(`?${query}&view=${view}&per_page=7&page=3`);
        assert.deepEqual(
          page.data.map((each: Listed) => each.id),
          ids.slice(14, 21),
        );
        assert.equal(page.total_items, ids.length);
      }
    }
  });

  it("are within the member's reach", async () => {
    const reached = all.filter(({ id, server_id }) => server_id === servers[1] || id === all[0]?.id);
    for (const [query, matches] of filters()) {
      if (/pinned/.test(query)) continue;
      const { data, total_items } = await list(`/ids?${query}&sort=-name`, bob);
      assert.deepEqual(data, sorted(reached.filter(matches), "-name"), query);
      assert.equal(total_items, data.length);
      const facets = (await list(`/facets?${query}`, bob)).data;
      assert.equal(facets.total_items, data.length);
    }
    assert.deepEqual((await list("/ids?pinned=true", bob)).data, []);
    assert.deepEqual((await list("/ids?q=alpha", stage.cast.charlie)).data, []);
  });

  it("are counted by state, server, group and environment", async () => {
    for (const [query, matches] of filters()) {
      const { total_items, ...facets } = (await list(`/facets?${query}`)).data;
      const found = all.filter(matches);
      assert.equal(total_items, found.length, query);
      const counted = (list: { count: number }[], field: string) =>
        Object.fromEntries(
          list.map((each) => [String((each as unknown as Record<string, unknown>)[field]), each.count]),
        );
      const expected = (of: (project: Listed) => unknown) =>
        Object.fromEntries(
          [...Map.groupBy(found, (each) => String(of(each)))].map(([key, group]) => [key, group.length]),
        );
      assert.deepEqual(
        counted(facets.states, "state"),
        expected(({ state }) => state),
        query,
      );
      assert.deepEqual(
        counted(facets.servers, "id"),
        expected(({ server_id }) => server_id),
        query,
      );
      assert.deepEqual(
        counted(facets.project_groups, "id"),
        expected((each) => each.project_group_id),
        query,
      );
      assert.deepEqual(
        counted(facets.environments, "environment"),
        expected(({ environment }) => environment),
        query,
      );
    }
  });

  it("have fewer fields in a summary, and the same values", async () => {
    const [whole] = (await list("?ids=30")).data;
    const [summary] = (await list("?ids=30&view=summary")).data;
    assert.deepEqual(Object.fromEntries(Object.keys(summary).map((name) => [name, whole[name]])), summary);
    assert.ok(Object.keys(summary).length < Object.keys(whole).length / 2);
    assert.deepEqual(
      [summary.domains, summary.crash_loops, summary.custom_commands],
      [undefined, undefined, undefined],
    );
  });

  it("cannot be asked for by values that a filter does not have", async () => {
    for (const query of [
      "state=broken",
      "server_id=x",
      "sort=size",
      "view=tiny",
      "source_type=svn",
      "pinned=maybe",
      "ids=-1",
    ]) {
      const { status, body } = await call(stage.app, `GET /api/v1/projects?${query}`, { token: stage.cast.alice });
      const name = query.split("=")[0] as string;
      assert.equal(status, 422, query);
      assert.match(Object.keys(body.errors).join(), new RegExp(`^${name}`), query);
    }
  });

  it("are found by what they are named at the moment", async () => {
    const id = await createProject(stage, { name: "Café Müller" });
    const find = async (q: string) => (await list(`/ids?q=${encodeURIComponent(q)}`)).data;
    const { domains } = (await call(stage.app, `GET /api/v1/projects/${id}`, { token: stage.cast.alice })).body;
    const [{ domain_name: domain }] = domains;
    assert.deepEqual(await find("CAFÉ MÜL"), [id]);
    assert.deepEqual(await find(domain.toUpperCase()), [id]);
    const change = (line: string, body: object) => call(stage.app, line, { token: stage.cast.alice, body });
    await change(`PUT /api/v1/projects/${id}`, {
      name: "Bar",
      git_repository: { repo: "https://git.example.com/other/place.git" },
    });
    await change(`POST /api/v1/projects/${id}/domains`, { domain: "unheard-of.example.net" });
    assert.deepEqual(await find("müller"), []);
    assert.deepEqual(await find("OTHER/place"), [id]);
    assert.deepEqual(await find("unheard-of"), [id]);
    await call(stage.app, `DELETE /api/v1/project/${id}`, { token: stage.cast.alice });
    assert.deepEqual(await find("unheard-of"), []);
  });
});
