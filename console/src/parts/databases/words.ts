import type { Database } from "../../data/databases.ts";

export const engineNames: Record<Database["database_type"], string> = {
  mariadb: "MariaDB",
  postgresql: "PostgreSQL",
};

/** "utf8mb4, utf8mb4_general_ci"; null before the first look at it. */
export const characterSetOf = ({ character_set: set, collation }: Pick<Database, "character_set" | "collation">) =>
  set && (collation && collation !== set ? `${set}, ${collation}` : set);
