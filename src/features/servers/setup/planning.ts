import type { Context } from "../../../context.ts";
import type { Plan } from "../../../engine/runs/plan.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import type { Connection } from "../../../host/ssh/connection.ts";
import {
  type Distribution,
  isSupported,
  parseProbe,
  probeScript,
  type ServerType,
} from "../../../host/system/distribution.ts";
import { AppError } from "../../../lib/errors.ts";
import { admitting } from "../data/peers.ts";
import { listPeerAddresses } from "../data/queries.ts";
import { findOwnDatabase } from "../hooks.ts";
import {
  findServerForWork,
  lastProjectId,
  listProjectIds,
  type Machine,
  recordMachine,
  type ServerForWork,
} from "../queries.ts";
import { type ServerRow, serverStatus } from "../schema.ts";
import { type SetupProfile, setupPlan, setupVersion } from "./plans.ts";

/** The default version for Node projects. */
const nodeVersions = ["24"];

/**
 * Plans the setup of a server with the present version and configuration. The machine's os-release decides which packages are
 * installed.
 */
export async function planSetup(ctx: Context, server: ServerForWork, connection: Connection) {
  const probe = await connection.exec(probeScript);
  const { distribution, name, clientAddress } = parseProbe(probe.stdout);
  const peers = await listPeerAddresses(ctx.pool, server.id);
  const database = await findOwnDatabase(ctx, server.id);
  // `ubuntu_24_04` is Ubuntu 24.04.
  const [id = "", ...version] = server.server_os.split("_");
  const plan = setupPlan({
    ...profileOf(ctx, server, distribution),
    declared: { id, version: version.join(".") },
    ...(database
      ? {
          database: {
            name: database.database_name,
            username: database.username,
            mark: `longshore-database-${database.id}`,
          },
        }
      : {}),
    timezone: server.timezone,
    sshPort: server.ssh_port,
    nodeMirror: ctx.config.nodeMirror,
    controlAddress: clientAddress,
    controlKey: server.ssh_public_key,
    hostKey: connection.hostKey,
    peers,
    projects: { ids: await listProjectIds(ctx.pool, server.id), last: await lastProjectId(ctx.pool) },
  });
  const machine: Machine = { name, distribution: `${distribution.id} ${distribution.version}` };
  return { plan: { ...plan, steps: admitting(server.id, peers, plan.steps) }, machine };
}

/** The plan of a repeated setup, made when it starts, since version and configuration may have changed. */
export async function planSetupAgain(ctx: Context, run: Run): Promise<Plan> {
  const server = await findServerForWork(ctx.pool, run.subject_id);
  if (!server) throw new AppError("run_failed", "The server was deleted.");
  const { plan, machine } = await planSetup(ctx, server, await ctx.hosts.get(server.id));
  await recordMachine(ctx.pool, server.id, machine);
  return plan;
}

/** Whether a setup with the present version would differ from the last one. */
export function isSetupOutdated(ctx: Pick<Context, "config">, server: ServerRow): boolean {
  const wasSetUp = server.setup_version !== null || server.server_status === serverStatus.provisioned;
  if (!wasSetUp) return false;
  if (server.setup_version === null || server.distribution === null) return true;
  const [id = "", version = ""] = server.distribution.split(" ");
  // A system that is no longer supported cannot be set up again.
  if (!isSupported({ id, version })) return false;
  return setupVersion(profileOf(ctx, server, { id, version })) !== server.setup_version;
}

const profileOf = (
  { config }: Pick<Context, "config">,
  server: Pick<ServerForWork, "server_type" | "database_engine">,
  distribution: Distribution,
): SetupProfile => ({
  serverType: server.server_type as ServerType,
  distribution,
  databaseEngine: server.database_engine,
  nodeVersions,
  http3: config.http3 === "on",
  search:
    config.searchUrl && config.searchChecksum ? { url: config.searchUrl, sha256: config.searchChecksum } : undefined,
});
