import type { Variable } from "../../host/environment/environment.ts";

/** A database and its own user, as an environment may name them. */
export interface DatabaseNames {
  database_name: string;
  username: string;
}

/**
 * Those of the databases that an environment names, as frameworks do: in an address such as `mysql://user:…@127.0.0.1/name`, or in
 * variables such as DB_DATABASE and PGUSER. A variable that names another host means a database there.
 */
export function databasesNamed<Database extends DatabaseNames>(
  variables: readonly Variable[],
  databases: readonly Database[],
): Database[] {
  const mentions = [...variables.flatMap(mentionsInAddress), ...mentionsInVariables(variables)];
  return databases.filter((database) => mentions.some((mention) => isMeant(mention, database)));
}

/** What an address or a group of variables says about a database. */
interface Mention {
  name?: string | undefined;
  username?: string | undefined;
}

const isMeant = ({ name, username }: Mention, database: DatabaseNames): boolean =>
  name === undefined ? username === database.username : name === database.database_name;

const schemes = /^(?:mysql2?|mariadb|postgres|postgresql|pgsql|(?:pdo[_-])?(?:mysql|pgsql))(?:\+\w+)?:\/\//i;
/** Empty: the address names a socket, which is of this server. */
const here = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|)$/i;

function mentionsInAddress({ value }: Variable): Mention[] {
  const [scheme = ""] = schemes.exec(value) ?? [];
  // URL reads the parts of addresses with a known scheme only.
  if (scheme === "" || !URL.canParse(`http://${value.slice(scheme.length)}`)) return [];
  const { hostname, pathname, username } = new URL(`http://${value.slice(scheme.length)}`);
  if (!here.test(hostname)) return [];
  const name = decoded(pathname.slice(1));
  return [{ name: name === "" ? undefined : name, username: decoded(username) }];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// DB_DATABASE, DATABASE_NAME, MYSQL_DATABASE, PGDATABASE; the prefix joins the variables of one database.
const parts = {
  name: /^(.*(?:DB|DATABASE|MYSQL|MARIADB|POSTGRES|POSTGRESQL|PG)_?)(?:DATABASE|DBNAME|NAME|DB)$/i,
  username: /^(.*(?:DB|DATABASE|MYSQL|MARIADB|POSTGRES|POSTGRESQL|PG)_?)(?:USERNAME|USER)$/i,
  host: /^(.*(?:DB|DATABASE|MYSQL|MARIADB|POSTGRES|POSTGRESQL|PG)_?)(?:HOST|HOSTNAME|SERVER)$/i,
};

function mentionsInVariables(variables: readonly Variable[]): Mention[] {
  const groups = new Map<string, Mention & { host?: string }>();
  for (const { name, value } of variables) {
    for (const [part, pattern] of Object.entries(parts)) {
      const [, prefix] = pattern.exec(name) ?? [];
      if (prefix !== undefined) groups.set(prefix, { ...groups.get(prefix), [part]: value });
    }
  }
  return [...groups.values()].filter(({ host = "" }) => here.test(host.replace(/:\d+$/, "")));
}
