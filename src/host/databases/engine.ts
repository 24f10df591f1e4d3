/** The database engines that Longshore installs. */
export type SqlEngine = "mariadb" | "postgresql";

export const engineLabels: Record<SqlEngine, string> = { mariadb: "MariaDB", postgresql: "PostgreSQL" };

/** The port on which an engine listens. */
export const enginePorts: Record<SqlEngine, number> = { mariadb: 3306, postgresql: 5432 };
