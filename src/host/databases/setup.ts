import { applyChanges, fact, needPackages, putFile } from "../runner/functions.ts";
import { scriptFile } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { accountConnections, engineConnections, type SqlEngine } from "./engine.ts";

// The engines themselves, as the setup of a server installs them.

export const mariadbFile = "/etc/mysql/mariadb.conf.d/60-longshore.cnf";

const tlsDirectory = "/etc/mysql/longshore-tls";

const mariadbSettings = (remote: boolean): string => `# Longshore
[mysqld]
bind-address = ${remote ? "*" : "127.0.0.1"}
character-set-server = utf8mb4
max_connections = ${engineConnections.mariadb}
# For each account that has no limit of its own.
max_user_connections = ${accountConnections("mariadb")}
max_allowed_packet = 64M
${remote ? `ssl_cert = ${tlsDirectory}/certificate.pem\nssl_key = ${tlsDirectory}/key.pem\n` : ""}`;

// Clients encrypt with it; they identify the server by its address. MariaDB reads it as its own user once that exists.
const makeTlsKey: Script = sh`
  if [ ! -e ${tlsDirectory}/key.pem ]; then
    install -d -m 755 ${tlsDirectory}
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 7300 -subj /CN=longshore-database \\
      -keyout ${tlsDirectory}/key.new -out ${tlsDirectory}/certificate.pem 2> /dev/null
    mv ${tlsDirectory}/key.new ${tlsDirectory}/key.pem
  fi
  if getent passwd mysql > /dev/null; then chown mysql: ${tlsDirectory}/key.pem; fi`;

// Some packages have a script run after each start, as root: it counts the rows of tables, and each may be a view by then. The
// script reads this file after it has defined its functions.
const openNoTables = "check_for_crashed_tables() { :; } # Longshore leaves tables to their owners";

const administrator = (engine: SqlEngine): Script => scriptFile(new URL(`${engine}/administrator.sh`, import.meta.url));

/** Runs before the engine is installed, so that its first start already uses the settings. */
export const writeEngineSettings = (engine: SqlEngine, remote: boolean): Script =>
  engine === "mariadb"
    ? sh`
        ${remote ? makeTlsKey : sh``}
        ${putFile} ${mariadbFile} 0644 ${mariadbSettings(remote)}
        grep -qsxF ${openNoTables} /etc/default/mariadb || printf '%s\\n' ${openNoTables} >> /etc/default/mariadb
        echo ${remote ? "MariaDB takes connections of other servers." : "MariaDB takes connections of this server only."}`
    : sh`
        for directory in /etc/postgresql/*/main/conf.d; do
          [ -d "$directory" ] || continue
          ${putFile} "$directory/60-longshore.conf" 0644 ${postgresqlSettings(remote)}
        done
        echo "PostgreSQL has its settings."`;

const postgresqlSettings = (remote: boolean): string => `# Longshore
listen_addresses = '${remote ? "*" : "localhost"}'
max_connections = ${engineConnections.postgresql}
`;

/** The engine as fact `database_version`, for example `MariaDB 10.11.6`. */
export const verifyEngine = (engine: SqlEngine, packages: readonly string[]): Script =>
  engine === "mariadb"
    ? sh`
        ${needPackages} ${packages}
        version=$(mariadbd --version | grep -oE '[0-9]+\\.[0-9]+\\.[0-9]+' | head -n 1)
        ${fact} database_version "MariaDB $version"
        echo "MariaDB $version is installed."`
    : sh`
        ${needPackages} ${packages}
        version=$(psql --version | grep -oE '[0-9]+\\.[0-9]+' | head -n 1)
        ${fact} database_version "PostgreSQL $version"
        echo "PostgreSQL $version is installed."`;

/** Running with the current settings, and answering. */
export const startEngine = (engine: SqlEngine): Script =>
  engine === "mariadb"
    ? lines(
        administrator(engine),
        sh`
          ${applyChanges} restart mariadb.service ${mariadbFile}
          ask_mariadb <<< 'SELECT 1' > /dev/null || fail "MariaDB runs but does not answer."
          echo "MariaDB answers."`,
      )
    : lines(
        administrator(engine),
        sh`
          for cluster in /etc/postgresql/*/main; do
            version=$(basename "$(dirname "$cluster")")
            ${applyChanges} restart "postgresql@$version-main.service" "$cluster"
          done
          ask_postgresql postgres <<< 'SELECT 1' > /dev/null || fail "PostgreSQL runs but does not answer."
          echo "PostgreSQL answers."`,
      );

/**
 * Connections from other servers authenticate with a password, and are encrypted unless they come from a private network.
 * MariaDB stores both rules in each account.
 */
export const allowRemoteEngine = (engine: SqlEngine): Script | undefined =>
  engine === "mariadb"
    ? undefined
    : sh`
        for file in /etc/postgresql/*/main/pg_hba.conf; do
          rules=$(sed '/^# Longshore$/,$d' "$file")
          # The engine reads it as its own user.
          ${putFile} "$file" 0644 "$rules"$'\\n'${remoteRules}
        done
        echo "Other servers prove a password."`;

const remoteRules = `# Longshore
${["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"].map((network) => `host all all ${network} scram-sha-256`).join("\n")}
hostssl all all all scram-sha-256
`;

/** No access without a password, none to a database that is not its own, and no more connections than one account can have. */
export const hardenEngine = (engine: SqlEngine): Script =>
  lines(
    administrator(engine),
    engine === "mariadb"
      ? sh`
          anonymous=$(ask_mariadb <<< \\
            "SELECT CONCAT('DROP USER ', QUOTE(User), '@', QUOTE(Host), ';') FROM mysql.user WHERE User = ''")
          ask_mariadb <<< "$anonymous DROP DATABASE IF EXISTS test;"
          echo "Every account of MariaDB has a password or is the system's own."`
      : sh`
          ask_postgresql postgres --set=connections=${accountConnections(engine)} << 'END'
          REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC;
          SELECT format('ALTER ROLE %I CONNECTION LIMIT %s', rolname, :connections) FROM pg_roles
            WHERE rolcanlogin AND NOT rolsuper AND rolconnlimit = -1 \\gexec
          END
          echo "Accounts of PostgreSQL connect to their own database only."`,
  );
