import { enginePorts, type SqlEngine } from "../../host/databases/engine.ts";
import type { RequestContext } from "../../http/route.ts";
import { invalid } from "../../lib/errors.ts";
import { getDatabase } from "./actions.ts";
import { databaseCapabilities } from "./capabilities.ts";
import {
  type DatabasePath,
  findDatabaseServer,
  findDatabaseServerForWork,
  findFramework,
  type ServerOfDatabases,
} from "./queries.ts";
import type { ConnectionQuery } from "./schema.ts";

// How a project connects to a database, as the lines of a .env file that its framework reads.

interface Settings {
  engine: SqlEngine;
  host: string;
  port: number;
  name: string;
  username: string;
  password: string;
  tls: boolean;
}

export async function showConnection(ctx: RequestContext, path: DatabasePath, query: ConnectionQuery) {
  const database = await getDatabase(ctx, path);
  await databaseCapabilities.refuse("connect", database);
  const server = (await findDatabaseServerForWork(ctx.pool, path.serverId)) as ServerOfDatabases;
  const from = query.server_id === undefined ? server : await findDatabaseServer(ctx.pool, ctx.actor, query.server_id);
  if (!from) throw invalid({ server_id: "The server must be one of your organization." });
  const reached = hostOf(server, from);
  if (!reached) throw invalid({ server_id: `${server.name} lets no other server connect to its databases.` });
  const framework = query.framework ?? (await findFramework(ctx.pool, database.project_id));
  const port = enginePorts[database.database_type];
  const settings: Settings = {
    engine: database.database_type,
    ...reached,
    port,
    name: database.database_name,
    username: database.username,
    password: ctx.secrets.decrypt(database.password),
  };
  const lines = linesOf(framework, settings).map(([key, value]) => `${key}=${quoted(value)}`);
  return {
    framework,
    host: reached.host,
    port,
    tls_required: reached.tls,
    environment_variables: `${lines.join("\n")}\n`,
    warnings: database.project_id === null ? [unattached] : [],
  };
}

const unattached =
  "The database is attached to no project: a move of the project that uses it would leave it behind, and so would its deletion. " +
  "Attach it to its project.";

// By the private address if both have one; outside the private network only with TLS.
function hostOf(server: ServerOfDatabases, from: ServerOfDatabases): { host: string; tls: boolean } | undefined {
  if (server.id === from.id) return { host: "127.0.0.1", tls: false };
  if (server.server_type !== 1) return undefined;
  if (server.private_ip && from.private_ip) return { host: server.private_ip, tls: false };
  return { host: server.public_ip ?? "", tls: true };
}

type Lines = [key: string, value: string][];

function linesOf(framework: string | null, settings: Settings): Lines {
  const { engine, host, port, name, username, password, tls } = settings;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (framework === "fw_3") {
    return [
      ["DB_NAME", name],
      ["DB_USER", username],
      ["DB_PASSWORD", password],
      ["DB_HOST", address],
    ];
  }
  if (framework === "fw_1" || framework === "fw_4") {
    return [
      ["DB_CONNECTION", engine === "mariadb" ? "mysql" : "pgsql"],
      ["DB_HOST", host],
      ["DB_PORT", String(port)],
      ["DB_DATABASE", name],
      ["DB_USERNAME", username],
      ["DB_PASSWORD", password],
      ...(tls && engine === "postgresql" ? ([["DB_SSLMODE", "require"]] as Lines) : []),
    ];
  }
  const scheme = engine === "mariadb" ? "mysql" : "postgresql";
  const options = engine === "mariadb" ? "?charset=utf8mb4" : tls ? "?sslmode=require" : "";
  return [["DATABASE_URL", `${scheme}://${username}:${encodeURIComponent(password)}@${address}/${name}${options}`]];
}

// As readers of .env files do: within double quotes a backslash escapes, and `$` begins a variable.
const quoted = (value: string): string =>
  /^[A-Za-z0-9_@%+=:,./?&[\]-]*$/.test(value) ? value : `"${value.replaceAll(/["\\$]/g, "\\$&")}"`;
