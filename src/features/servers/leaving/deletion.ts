import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { rehearse, transaction } from "../../../db/transaction.ts";
import type { JobHandler } from "../../../engine/queue/worker.ts";
import { touch } from "../../../engine/reconcile/reconcile.ts";
import { cancelRun } from "../../../host/runner/runner.ts";
import { connect } from "../../../host/ssh/connect.ts";
import { type Address, type Connection, lastLine } from "../../../host/ssh/connection.ts";
import { type Loss, planOf } from "../../../http/dry-run.ts";
import type { RequestContext } from "../../../http/route.ts";
import { AppError, invalid, notFound } from "../../../lib/errors.ts";
import { balancerSiteKind } from "../../site-records/schema.ts";
import { leaveServer } from "../access.ts";
import { serverCapabilities } from "../capabilities.ts";
import { loginOf } from "../connections.ts";
import { emitServer } from "../events.ts";
import { orderingOf, serverHooks } from "../hooks.ts";
import { listActiveRuns, lockReachableServer, notifyAddress } from "../queries.ts";
import type { ServerRow } from "../schema.ts";
import {
  type DepartedServer,
  deleteDeparture,
  deleteServerRow,
  findDeparture,
  insertDeparture,
  listBalanced,
} from "./queries.ts";

const leaveQueue = "leave-server";

// A machine that is unreachable for longer keeps a key whose private half no longer exists.
const leaveForMs = 7 * 24 * 3600_000;

interface Deletion {
  id: number;
  confirm?: string | undefined;
  keepsLive?: boolean | undefined;
  isDryRun?: boolean | undefined;
}

/**
 * Deletes a server with its projects, at once. The machine of a custom server keeps running; a job ends Longshore's runs on it,
 * restores sshd's settings and removes the key, and is retried until that succeeds. The machine of an ordered server is deleted
 * at the provider, with everything ordered with it.
 *
 * `confirm` is the server's name, which a client may have a person type; without it nothing is compared. A wrong name is rejected
 * before anything changes. `keepsLive`: projects that are live there protect it, unless its protection was switched. A dry run
 * ends before the deletion of the records, which is the long part.
 */
export async function deleteServer(
  ctx: RequestContext,
  { id, confirm, keepsLive = false, isDryRun = false }: Deletion,
) {
  const carryOut = isDryRun ? rehearse : transaction;
  return carryOut(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    if (confirm !== undefined && confirm !== server.name) {
      throw invalid({ confirm: "This is not the name of the server." });
    }
    // The parts of a project on other servers would be left there.
    const balancedHere = await listBalanced(tx, id);
    const balanced = balancedHere.find(({ place }) => place !== "further");
    await serverCapabilities.refuse("delete", server, {
      has_projects_behind: () => balanced?.place === "balancer" && { project_name: balanced.name },
      has_balanced_project: () => balanced && { project_name: balanced.name },
    });
    if (keepsLive && server.protects_live_projects) throw liveProjects(server);
    if (isDryRun) return plannedDeletion(tx, ctx, server);
    for (const { beforeDeletion } of serverHooks.of(ctx)) await beforeDeletion?.(tx, ctx, server);
    const removed = await orderingOf(ctx).remove(tx, ctx, id);
    const departure = removed
      ? undefined
      : await insertDeparture(
          tx,
          id,
          (await listActiveRuns(tx, id)).map((run) => run.id),
        );
    // Their load balancers follow without it.
    for (const { id: subjectId, balancer_id: serverId } of balancedHere)
      await touch(tx, ctx.queue, { ...balancerSiteKind, subjectId, serverId });
    await deleteServerRow(tx, id);
    if (departure) await ctx.queue.enqueue(tx, leaveQueue, { departureId: departure.id });
    await notifyAddress(tx, id);
    await emitServer(tx, server, "server.deleted");
    const machine = removed ?? (server.is_this_machine ? keepsLongshore : "The machine keeps running.");
    return { message: `${server.name} was deleted with its projects. ${machine}`, server_id: id };
  });
}

const liveProjects = ({ name }: ServerRow): AppError =>
  new AppError(
    "refused",
    `Projects are live on ${name}, which protects it from deletion. Switch its deletion protection off first.`,
    { reason: "has_live_projects" },
  );

const keepsLongshore = "The machine keeps running with Longshore on it, and can be added again.";

const liveWarning =
  "Projects are live on the server, and its deletion protection was never switched: the console and the command line refuse to delete it.";

async function plannedDeletion(
  tx: PoolClient,
  ctx: RequestContext,
  { id, name, is_this_machine: isThisMachine, protects_live_projects: protectsLive }: ServerRow,
) {
  const lost: Loss[] = [];
  for (const { listLosses } of serverHooks.of(ctx)) lost.push(...((await listLosses?.(tx, { serverId: id })) ?? []));
  const machine = (await orderingOf(ctx).remove(tx, ctx, id))
    ? "The machine, and what was ordered with it, would be deleted at the provider."
    : isThisMachine
      ? "The machine would keep running with Longshore on it, and could be added again."
      : "The machine would keep running.";
  const message = `${name} would be deleted with its projects. ${machine}`;
  return { message, server_id: id, plan: planOf({ lost, warnings: protectsLive ? [liveWarning] : [] }) };
}

export const leaveJob = (ctx: Context): JobHandler => ({
  name: leaveQueue,
  concurrency: 50,
  work: async (data) => {
    const departure = await findDeparture(ctx.pool, Number(data.departureId));
    if (!departure) return;
    const connection = await connectOnceMore(ctx, departure);
    if (connection) await endWork(connection, departure).finally(() => connection.close());
    await deleteDeparture(ctx.pool, departure.id);
  },
});

/** Undefined if there is nothing left to do: another machine responds, our key is rejected, or it is too late. */
async function connectOnceMore(ctx: Context, departure: DepartedServer): Promise<Connection | undefined> {
  try {
    const login = await loginOf(ctx, { ...departure, public_ip: departure.host, ssh_port: departure.port });
    const address: Address = { name: departure.name, hostKey: departure.host_key, ...login };
    return await connect(address, ctx.config.sshConnectTimeoutSeconds * 1000);
  } catch (error) {
    const isTooLate = Date.now() - Date.parse(departure.created_at) > leaveForMs;
    if (isTooLate) ctx.log.warn(`${departure.name} was deleted and did not answer since: the key stays on it.`);
    if (isTooLate || (error instanceof AppError && error.permanent)) return undefined;
    throw error;
  }
}

async function endWork(connection: Connection, departure: DepartedServer): Promise<void> {
  for (const runId of departure.run_ids) await cancelRun(connection, { id: runId });
  const { exitCode, stderr } = await connection.exec(leaveServer(departure.ssh_public_key));
  if (exitCode !== 0) throw new Error(`The settings of sshd or the key could not be taken out: ${lastLine(stderr)}`);
}
