import { type Sql, sql } from "../src/db/sql.ts";
import { fixtures, type Params } from "./route-fixtures.ts";
import { commit, type World } from "./route-world.ts";

// Records in the states used in capability tables.

/** Stands for any value that the table does not use. */
export const another = Symbol("another value");

/** The field values that a record must have. */
export type Fields = Readonly<Record<string, unknown>>;

/** Creates a record of the noun with these fields, for this route. */
type Maker = (world: World, route: string, fields: Fields) => Promise<Params>;

/** The record that the route works on, modified in its row. */
const changed =
  (change: (params: Params, fields: Fields) => Sql | undefined): Maker =>
  async (world, route, fields) => {
    const params = (await fixtures[route]?.params?.(world)) ?? {};
    const statement = change(params, fields);
    if (statement) await world.insert(statement);
    return params;
  };

/** The id of a project; some paths give it a longer name. */
export const idOf = ({ id, projectId, project_id }: Params) => id ?? projectId ?? project_id;

const replaced = (params: Params, id: number): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value === idOf(params) ? id : value]));

const madeProject: Maker = async (world, route, fields) => {
  const { load_balancer_id: balancer, source_type: source, ...columns } = fields;
  const params = (await fixtures[route]?.params?.(world)) ?? { project_id: await world.project() };
  if (balancer === another) return replaced(params, (await world.balanced()).projectId);
  if (source === "app") params.id = await world.app();
  if (source === another) params.id = await world.project();
  const framework = columns.framework_id === another ? (route.endsWith("/php") ? 10 : 1) : null;
  await world.insert(sql`
    update projects set installation_status = coalesce(${columns.installation_status}, installation_status),
      framework_id = coalesce(${framework}, framework_id), zero_downtime = coalesce(${columns.zero_downtime}, zero_downtime)
    where id = ${idOf(params)} returning id`);
  await world.insert(sql`
    update sites set maintenance_mode = coalesce(${columns.maintenance_mode}, maintenance_mode),
      load_balancer_id = case when ${balancer === null} then null else load_balancer_id end
    where project_id = ${idOf(params)} returning project_id as id`);
  return params;
};

const changedServer = changed(
  ({ id }, { server_status: status, delete_protection: isProtected = false, is_this_machine: isOwn = false }) => sql`
      update servers set server_status = ${status}, delete_protection = ${isProtected}, is_this_machine = ${isOwn},
        host_key = case when ${status} = 0 then null else host_key end
      where id = ${id} returning id`,
);

export const makers: Record<string, Maker> = {
  server: async (world, route, fields) => {
    // One at most is the machine of Longshore itself.
    await world.ctx.pool.query("update servers set is_this_machine = false where is_this_machine");
    return changedServer(world, route, fields);
  },
  snapshot: changed(
    ({ id }, { state }) =>
      sql`update server_snapshots set state = ${state}, error = 'No room.' where id = ${id} returning id`,
  ),
  project: madeProject,
  deployment: async (world, _route, { status, process_type: processType, commit_id: commitId }) => ({
    id: await world.deployment({
      status: status as 0,
      ...(commitId === null ? {} : { commit }),
      ...(processType === undefined ? {} : { processType: processType as "move" }),
    }),
  }),
  database: async (world, route, { status = 1, created_by_user: isUsers = true, project_id: project = null }) => {
    const params = (await fixtures[route]?.params?.(world)) ?? {};
    const owner = project === another ? await world.project({ serverId: Number(params.id) }) : null;
    await world.insert(sql`
      update databases set status = ${status}, created_by_user = ${isUsers}, project_id = ${owner},
        notes = case when ${status} = 2 then 'No room.' else notes end
      where id = ${params.database} returning id`);
    return params;
  },
  scheduled_job: changed(
    ({ jobId }, { status }) =>
      sql`update project_jobs set status = ${status}, error = case when ${status} = 'failed' then 'No.' end where id = ${jobId} returning id`,
  ),
  background_job: changed(
    ({ jobId }, { status, is_active: isActive = true }) =>
      sql`update project_jobs set status = ${status}, error = case when ${status} = 'failed' then 'No.' end, is_active = ${isActive} where id = ${jobId} returning id`,
  ),
  certificate: changed(
    ({ certificateId }, { source }) =>
      sql`update certificates set source = ${source} where id = ${certificateId} returning id`,
  ),
  domain: async (world, route, { redirect_to: target, is_primary: isPrimary }) => {
    const params = (await fixtures[route]?.params?.(world)) ?? {};
    const fields = {
      ...(isPrimary === true && { isPrimary }),
      ...(target === another && { redirectTo: "https://example.com" }),
    };
    return { ...params, domainId: await world.domainOf(Number(idOf(params)), fields) };
  },
  app: async (world, _route, { updatable }) => ({
    id: await world.installedApp(updatable === false ? "app_dbadmin" : "app_cms", 1),
  }),
  notification_channel: async (world, _route, { type }) => ({
    id: await world.channel(type === another ? "email" : "webhook"),
  }),
  command: changed(({ commandId }, { status }) => {
    const state = status === "queued" ? "created" : status === "cancelling" ? "running" : status;
    return sql`
      update runs set state = ${state}, cancel_requested_at = case when ${status === "cancelling"} then now() end,
        ended_at = case when ${state} in ('succeeded', 'failed', 'cancelled') then now() end
      where id = (select run_id from project_commands where id = ${commandId}) returning id`;
  }),
};
