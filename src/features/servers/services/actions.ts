import { sh } from "../../../host/sh.ts";
import type { ServerType } from "../../../host/system/distribution.ts";
import type { RequestContext } from "../../../http/route.ts";
import { notFound } from "../../../lib/errors.ts";
import { getServer } from "../actions.ts";
import { wasSetUp } from "../capabilities.ts";
import { findServicePassword } from "../data/queries.ts";
import { findOwnDatabase } from "../hooks.ts";
import type { ServerRow } from "../schema.ts";
import { type Service, servicesOf } from "./carried.ts";
import { findSetupFacts } from "./queries.ts";
import type { ServiceName, ServiceState } from "./schema.ts";

const timeoutMs = 5_000;

/** The services of a server: their state after its setup, and their present state. */
export async function showServices(ctx: RequestContext, id: number) {
  const server = await getServer(ctx, id);
  const services = carriedBy(server);
  const [facts, states, database, password] = await Promise.all([
    findSetupFacts(ctx.pool, id),
    statesOf(ctx, server, services),
    findOwnDatabase(ctx, id),
    findServicePassword(ctx.pool, id),
  ]);
  return services.map(({ name, label, ports, unit, versionFact }) => ({
    name,
    label,
    // Some setups include the product's name.
    version: facts[versionFact]?.replace(/^\D+/, "") ?? null,
    ports: [...ports],
    state: stateNow(server, unit, states),
    has_credentials:
      wasSetUp(server) && (hasServicePassword(name) ? Boolean(password) : database?.database_type === name),
  }));
}

function stateNow(
  server: ServerRow,
  unit: string | undefined,
  states: ReadonlyMap<string, ServiceState>,
): ServiceState | null {
  if (!wasSetUp(server)) return "not_installed";
  return unit === undefined ? null : (states.get(unit) ?? "unknown");
}

const carriedBy = ({ server_type, database_engine }: ServerRow): Service[] =>
  servicesOf(server_type as ServerType, database_engine);

const hasServicePassword = (name: ServiceName): boolean => name === "redis" || name === "meilisearch";

async function statesOf({ hosts }: RequestContext, server: ServerRow, services: readonly Service[]) {
  const units = services.flatMap(({ unit }) => (unit === undefined ? [] : [unit]));
  if (units.length === 0 || server.connection_status !== 1) return new Map<string, ServiceState>();
  // One word per line, for any number of instances that match a pattern: systemd unloads stopped ones.
  const script = sh`
    for unit in ${units}; do
      states=$(systemctl is-active -- "$unit") || true
      echo "\${states:-inactive}" | head -n 1
    done`;
  // If the server is unreachable or being set up, the rest of the response is still useful.
  const answer = await hosts
    .get(server.id)
    .then((connection) => connection.exec(script, { timeoutMs }))
    .catch(() => undefined);
  const words = answer?.stdout.split("\n") ?? [];
  return new Map(units.map((unit, at) => [unit, stateOf(words[at])]));
}

function stateOf(word: string | undefined): ServiceState {
  if (word === "active" || word === "reloading" || word === "activating") return "active";
  return word === "inactive" || word === "failed" ? word : "unknown";
}

/** The account that came with the server: of its database, Redis or Meilisearch. */
export async function showCredentials(ctx: RequestContext, id: number, name: ServiceName) {
  const server = await getServer(ctx, id);
  const service = carriedBy(server).find((each) => each.name === name);
  const account = service && wasSetUp(server) ? await accountOf(ctx, id, name) : undefined;
  const [port] = service?.ports ?? [];
  if (!account || port === undefined) throw notFound("An account of this service on the server");
  // On an App server the services are for its own projects; on other types they are for other servers.
  const host = server.server_type === 0 ? "127.0.0.1" : (server.private_ip ?? server.public_ip ?? "");
  return { host, port, ...account };
}

async function accountOf(ctx: RequestContext, id: number, name: ServiceName) {
  const { pool, secrets } = ctx;
  if (hasServicePassword(name)) {
    const password = await findServicePassword(pool, id);
    return password && { database: null, username: null, password: secrets.decrypt(password) };
  }
  const own = await findOwnDatabase(ctx, id);
  if (own?.database_type !== name) return undefined;
  return { database: own.database_name, username: own.username, password: secrets.decrypt(own.password) };
}
