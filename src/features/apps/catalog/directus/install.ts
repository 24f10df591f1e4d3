import { randomBytes } from "node:crypto";
import type { Step } from "../../../../engine/runs/plan.ts";
import { enginePorts, type SqlEngine } from "../../../../host/databases/engine.ts";
import { type ProjectLayout, releaseDirectory } from "../../../../host/layout.ts";
import { lines, type Script, sh } from "../../../../host/sh.ts";
import type { Answers, App, AppWork } from "../../app.ts";
import { checkVersion, makeRelease, type NpmService } from "../../npm.ts";
import { asProject } from "../../steps.ts";

const sharedOf = ({ shared }: ProjectLayout): string => `${shared}/directus`;

/** Directus's program with its settings, in the release. isolated-vm cannot start isolates from Node's snapshot. */
export const directus = (layout: ProjectLayout): Script => sh`
  export CONFIG_PATH=${sharedOf(layout)}/config.json
  program=$(realpath -- node_modules/directus)/../@directus/api/dist/cli/run.js
  directus() { exec node --no-node-snapshot "$program" "$@"; }`;

/**
 * Directus's version of isolated-vm has to be compiled on the server. The next version has binaries for Node 24 and the interface
 * that Directus uses.
 */
export const service: NpmService = {
  name: "directus",
  installer: "pnpm",
  overrides: { "isolated-vm": "6.2.0" },
  command: (layout) => [directus(layout).script, "export PUBLIC_URL=$ADDRESS", "directus start"].join("\n"),
};

export const unpack = (work: AppWork): Step[] => makeRelease(work, service);

export const configure = ({ layout }: AppWork): Step[] => [
  asProject(
    layout,
    { key: "configure", label: "Write Directus's settings", sentence: "Directus's settings could not be written." },
    sh`
      umask 077
      mkdir -p -- ${sharedOf(layout)}/uploads ${sharedOf(layout)}/extensions
      cd -- ${sharedOf(layout)}
      cat -- "$LONGSHORE_SECRETS/directus-config" > config.json.new
      mv -T -- config.json.new config.json
      echo "Wrote config.json."`,
    { secrets: ["directus-config"], phase: "configure" },
  ),
];

export const install = (work: AppWork): Step[] => {
  const { layout, release, texts } = work;
  const script = lines(
    sh`cd -- ${releaseDirectory(layout, release)}`,
    directus(layout),
    sh`
      # Directus reads the password from the file.
      export ADMIN_PASSWORD_FILE=$LONGSHORE_SECRETS/admin-password
      export ADMIN_EMAIL=${texts.admin_email ?? ""} PROJECT_NAME=${texts.project_name ?? ""}
      (directus bootstrap)
      echo "Directus has its tables and its administrator."`,
  );
  return [
    asProject(
      layout,
      {
        key: "set-up-administrator",
        label: "Set up Directus and its administrator",
        sentence: "Directus could not be set up; its own words are above.",
      },
      script,
      { secrets: ["admin-password"], phase: "install" },
    ),
    checkVersion(work, service),
  ];
};

export const generate = (): Answers => ({
  key: randomBytes(32).toString("base64url"),
  secret: randomBytes(32).toString("base64url"),
});

// PostgreSQL accepts a password only over TCP.
const connections: Record<SqlEngine, Record<string, string | number>> = {
  mariadb: { DB_CLIENT: "mysql", DB_SOCKET_PATH: "/run/mysqld/mysqld.sock" },
  postgresql: { DB_CLIENT: "pg", DB_HOST: "127.0.0.1", DB_PORT: enginePorts.postgresql },
};

export const secrets: App["secrets"] = ({ database, answers, layout }) => {
  if (!database) throw new Error("Directus needs a database");
  const settings = {
    ...connections[database.engine],
    DB_DATABASE: database.name,
    DB_USER: database.username,
    DB_PASSWORD: database.password,
    KEY: answers.key,
    SECRET: answers.secret,
    STORAGE_LOCATIONS: "local",
    STORAGE_LOCAL_DRIVER: "local",
    STORAGE_LOCAL_ROOT: `${sharedOf(layout)}/uploads`,
    EXTENSIONS_PATH: `${sharedOf(layout)}/extensions`,
    TELEMETRY: false,
    // On a busy server, such as during an update, visitors wait rather than get 503.
    PRESSURE_LIMITER_ENABLED: false,
  };
  return {
    "directus-config": JSON.stringify(settings, null, 2),
    "admin-password": answers.admin_password ?? "",
  };
};
