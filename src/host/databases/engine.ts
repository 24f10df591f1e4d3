/** The database engines that Longshore installs. */
export type SqlEngine = "mariadb" | "postgresql";

export const engineLabels: Record<SqlEngine, string> = { mariadb: "MariaDB", postgresql: "PostgreSQL" };

/** The port on which an engine listens. */
export const enginePorts: Record<SqlEngine, number> = { mariadb: 3306, postgresql: 5432 };

/** How many connections an engine has for all of its accounts. It keeps some beside these for its administrator. */
export const engineConnections: Record<SqlEngine, number> = { mariadb: 300, postgresql: 200 };

/** How many of them one account can have: two thirds stay for the others, whatever one project does. */
export const accountConnections = (engine: SqlEngine): number => Math.floor(engineConnections[engine] / 3);
