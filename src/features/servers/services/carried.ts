import { enginePorts } from "../../../host/databases/engine.ts";
import type { ServerType } from "../../../host/system/distribution.ts";
import type { DatabaseEngine } from "../schema.ts";
import { carries, type Part } from "../setup/plans.ts";
import type { ServiceName } from "./schema.ts";

/** A service of a server, as far as its setup decides it. */
export interface Service {
  name: ServiceName;
  label: string;
  ports: readonly number[];
  /** The unit that runs it, which may be a pattern; undefined: a program that runs only for projects. */
  unit?: string;
  /** The fact with its version from the setup. */
  versionFact: string;
}

const redis: Service = {
  name: "redis",
  label: "Redis",
  ports: [6379],
  unit: "redis-server.service",
  versionFact: "redis_version",
};
const meilisearch: Service = {
  name: "meilisearch",
  label: "Meilisearch",
  ports: [7700],
  unit: "meilisearch.service",
  versionFact: "search_version",
};

export function servicesOf(serverType: ServerType, databaseEngine: DatabaseEngine): Service[] {
  const name = databaseEngine === "postgresql" ? "postgresql" : "mariadb";
  const services: Record<Part, Service> = {
    web: { name: "nginx", label: "nginx", ports: [80, 443], unit: "nginx.service", versionFact: "nginx_version" },
    php: { name: "php", label: "PHP", ports: [], versionFact: "php_version" },
    node: { name: "node", label: "Node.js", ports: [], versionFact: "node_version" },
    database: {
      name,
      label: name === "mariadb" ? "MariaDB" : "PostgreSQL",
      ports: [enginePorts[name]],
      // The unit without an instance is active whether or not PostgreSQL runs.
      unit: name === "postgresql" ? "postgresql@*.service" : "mariadb.service",
      versionFact: "database_version",
    },
    cache: redis,
    search: meilisearch,
  };
  return carries({ serverType, databaseEngine }).map((part) => services[part]);
}
