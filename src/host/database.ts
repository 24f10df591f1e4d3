import { AppError } from "../lib/errors.ts";
import { lines, type Script, sh } from "./sh.ts";

export type SqlEngine = "mariadb" | "postgresql";

export interface DatabaseAccount {
  engine: SqlEngine;
  name: string;
  username: string;
  /** Name of the file in `$LONGSHORE_SECRETS` that holds the password, without a newline. */
  passwordSecret: string;
  /** Whether other servers connect as well: MariaDB keeps accounts by where they come from. */
  remote?: boolean;
}

// Names stand in SQL text; the API allows no others, and nothing else may pass here either.
function checkName(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new AppError("invalid", `${name} cannot be a database or user name.`);
  return name;
}

const origins = (remote: boolean | undefined): string[] => (remote ? ["localhost", "%"] : ["localhost"]);

/**
 * Makes a database and a user with rights to it alone. Repeating it changes nothing but the password, which becomes
 * that of the secret. The password goes from file to standard input and is never part of a command line.
 */
export const createDatabase = (account: DatabaseAccount): Script =>
  lines(
    sh`
      # printf is part of bash: what it writes is in no argument list that others could read.
      password=$(cat "$LONGSHORE_SECRETS"/${account.passwordSecret}) || true
      [ -n "$password" ] || fail "The password of the database did not reach the server."`,
    account.engine === "mariadb" ? createInMariadb(account) : createInPostgresql(account),
    sh`echo ${`The database ${account.name} belongs to ${account.username}.`}`,
  );

function createInMariadb(account: DatabaseAccount): Script {
  const name = checkName(account.name);
  const user = checkName(account.username);
  const statements = origins(account.remote).map(
    (origin) => sh`
      printf "CREATE USER IF NOT EXISTS '%s'@'%s' IDENTIFIED BY '%s';\\n" ${user} ${origin} "$password"
      printf "ALTER USER '%s'@'%s' IDENTIFIED BY '%s';\\n" ${user} ${origin} "$password"
      printf 'GRANT ALL PRIVILEGES ON \`%s\`.* TO "%s"@"%s";\\n' ${name.replaceAll("_", "\\_")} ${user} ${origin}`,
  );
  return lines(
    sh`
      # MariaDB reads a backslash in a text as an escape.
      password=\${password//\\\\/\\\\\\\\}
      password=\${password//\\'/\\'\\'}
      # shellcheck disable=SC2016 # MariaDB's quotes, not bash's
      {
      printf 'CREATE DATABASE IF NOT EXISTS \`%s\` CHARACTER SET utf8mb4;\\n' ${name}`,
    ...statements,
    sh`
      } | mariadb --batch || fail ${`MariaDB did not create the database ${name}.`}`,
  );
}

function createInPostgresql(account: DatabaseAccount): Script {
  const name = checkName(account.name);
  const user = checkName(account.username);
  return sh`
    password=\${password//\\'/\\'\\'}
    {
      printf "SELECT 'CREATE ROLE %s LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%s') \\\\\\\\gexec\\n" \\
        ${user} ${user}
      printf "ALTER ROLE %s LOGIN PASSWORD '%s';\\n" ${user} "$password"
      printf "SELECT 'CREATE DATABASE %s OWNER %s' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '%s') \\\\\\\\gexec\\n" \\
        ${name} ${user} ${name}
      printf 'REVOKE ALL ON DATABASE %s FROM PUBLIC;\\n' ${name}
    } | runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 -d postgres ||
      fail ${`PostgreSQL did not create the database ${name}.`}`;
}

/** Drops a database and its user with all content; what is not there is no failure. */
export function dropDatabase({ engine, name, username }: Omit<DatabaseAccount, "passwordSecret">): Script {
  const database = checkName(name);
  const user = checkName(username);
  if (engine === "mariadb") {
    const users = origins(true).map((origin) => `'${user}'@'${origin}'`);
    return sh`
      mariadb --batch <<< ${`DROP DATABASE IF EXISTS \`${database}\`; DROP USER IF EXISTS ${users.join(", ")};`}
      echo ${`The database ${database} is gone.`}`;
  }
  // Connections would keep the database alive.
  const statements = [`DROP DATABASE IF EXISTS ${database} WITH (FORCE);`, `DROP ROLE IF EXISTS ${user};`];
  return sh`
    runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 -d postgres <<< ${statements.join("\n")}
    echo ${`The database ${database} is gone.`}`;
}

export const mariadbFile = "/etc/mysql/mariadb.conf.d/60-longshore.cnf";

const mariadbSettings = (remote: boolean): string => `# Longshore
[mysqld]
bind-address = ${remote ? "*" : "127.0.0.1"}
character-set-server = utf8mb4
max_connections = 300
max_allowed_packet = 64M
`;

/** Before the engine is installed, so that its first start has the settings already. */
export const writeEngineSettings = (engine: SqlEngine, remote: boolean): Script =>
  engine === "mariadb"
    ? sh`
        put_file ${mariadbFile} 0644 ${mariadbSettings(remote)}
        echo ${remote ? "MariaDB takes connections of other servers." : "MariaDB takes connections of this server only."}`
    : sh`
        for directory in /etc/postgresql/*/main/conf.d; do
          [ -d "$directory" ] || continue
          put_file "$directory/60-longshore.conf" 0644 ${postgresqlSettings(remote)}
        done
        echo "PostgreSQL has its settings."`;

const postgresqlSettings = (remote: boolean): string => `# Longshore
listen_addresses = '${remote ? "*" : "localhost"}'
max_connections = 200
`;

/** The engine as fact `database_version`, for example `MariaDB 10.11.6`. */
export const verifyEngine = (engine: SqlEngine, packages: readonly string[]): Script =>
  engine === "mariadb"
    ? sh`
        need_packages ${packages}
        version=$(mariadbd --version | grep -oE '[0-9]+\\.[0-9]+\\.[0-9]+' | head -n 1)
        fact database_version "MariaDB $version"
        echo "MariaDB $version is installed."`
    : sh`
        need_packages ${packages}
        version=$(psql --version | grep -oE '[0-9]+\\.[0-9]+' | head -n 1)
        fact database_version "PostgreSQL $version"
        echo "PostgreSQL $version is installed."`;

/** Running, with the settings as they are now, and answering. */
export const startEngine = (engine: SqlEngine): Script =>
  engine === "mariadb"
    ? sh`
        apply_changes restart mariadb.service ${mariadbFile}
        mariadb --batch --skip-column-names -e 'SELECT 1' > /dev/null || fail "MariaDB runs but does not answer."
        echo "MariaDB answers."`
    : sh`
        for cluster in /etc/postgresql/*/main; do
          version=$(basename "$(dirname "$cluster")")
          apply_changes restart "postgresql@$version-main.service" "$cluster"
        done
        runuser -u postgres -- psql -q -d postgres -c 'SELECT 1' > /dev/null ||
          fail "PostgreSQL runs but does not answer."
        echo "PostgreSQL answers."`;

/** Other servers' connections prove a password (MariaDB keeps that in each account). */
export const allowRemoteEngine = (engine: SqlEngine): Script | undefined =>
  engine === "mariadb"
    ? undefined
    : sh`
        for file in /etc/postgresql/*/main/pg_hba.conf; do
          grep -q '^# Longshore$' "$file" && continue
          printf '# Longshore\\nhost all all all scram-sha-256\\n' >> "$file"
        done
        echo "Other servers prove a password."`;

/** Nobody without a password, and no account sees databases that are not its own. */
export const hardenEngine = (engine: SqlEngine): Script =>
  engine === "mariadb"
    ? sh`
        anonymous=$(mariadb --batch --skip-column-names -e \\
          "SELECT CONCAT('DROP USER ', QUOTE(User), '@', QUOTE(Host), ';') FROM mysql.user WHERE User = ''")
        mariadb --batch <<< "$anonymous DROP DATABASE IF EXISTS test;"
        echo "Every account of MariaDB has a password or is the system's own."`
    : sh`
        runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 -d postgres \\
          -c 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'
        echo "Accounts of PostgreSQL see their own database only."`;
