import { ownPhpVersion } from "../../host/php/php-versions.ts";
import { frameworkOf } from "../projects/on-server.ts";
import { setupNotEnded } from "../servers/capabilities.ts";
import { type ServerRow, serverStatus, serverTypes } from "../servers/schema.ts";
import type { App } from "./app.ts";
import { compareVersions } from "./versions.ts";

const engineNames = { mariadb: "MariaDB", postgresql: "PostgreSQL", none: "no database engine" } as const;

/** What decides whether a server can host an application. */
export type Hosting = Pick<ServerRow, "name" | "database_engine" | "distribution"> & {
  server_type: number;
  server_status: number;
};

/** The reasons why a server cannot host an application, as sentences; empty if it can. */
export function unavailableReasons(app: App, server: Hosting): string[] {
  if (server.server_type !== serverTypes.app) return [`${server.name} is not an App server.`];
  const reasons: string[] = [];
  if (server.server_status !== serverStatus.provisioned) reasons.push(setupNotEnded(server.name));
  if (app.engines.length > 0 && !app.engines.some((engine) => engine === server.database_engine)) {
    const wanted = app.engines.map((engine) => engineNames[engine as keyof typeof engineNames]).join(" or ");
    reasons.push(`${app.name} needs ${wanted}; ${server.name} has ${engineNames[server.database_engine]}.`);
  }
  const runtime = runtimeOf(app, server);
  if (runtime !== undefined && app.versions.every((each) => compareVersions(each.runtime, runtime) > 0)) {
    reasons.push(`${app.name} needs PHP ${app.versions.at(-1)?.runtime} or newer; ${server.name} has PHP ${runtime}.`);
  }
  return reasons;
}

/** PHP's version on a server, for applications that run with it; undefined: not known, or another runtime. */
export function runtimeOf({ frameworkId }: App, { distribution }: Pick<ServerRow, "distribution">): string | undefined {
  if (frameworkOf({ framework_id: frameworkId }).runtimeFamily !== "php" || distribution === null) return undefined;
  return ownPhpVersion(distribution);
}
