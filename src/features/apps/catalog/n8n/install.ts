import { randomBytes } from "node:crypto";
import type { Step } from "../../../../engine/runs/plan.ts";
import { enginePorts } from "../../../../host/databases/engine.ts";
import { type ProjectLayout, releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { quote, sh } from "../../../../host/sh.ts";
import { companionDistance, projectSandbox } from "../../../../host/systemd/sandbox.ts";
import type { Answers, App, AppWork } from "../../app.ts";
import { checkVersion, makeRelease, type NpmService } from "../../npm.ts";
import { asProject } from "../../steps.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

const sharedOf = ({ shared }: ProjectLayout): string => `${shared}/n8n`;

export const service: NpmService = {
  name: "n8n",
  installer: "pnpm",
  command: (layout) =>
    scriptFile(file("start.sh"), { shared: sharedOf(layout), companion_distance: companionDistance }).script,
};

export const unpack = (work: AppWork): Step[] => makeRelease(work, service);

export const configure = ({ layout }: AppWork): Step[] => [
  asProject(
    layout,
    { key: "configure", label: "Write n8n's settings", sentence: "n8n's settings could not be written." },
    sh`
      umask 077
      mkdir -p -- ${sharedOf(layout)}
      cd -- ${sharedOf(layout)}
      cat -- "$LONGSHORE_SECRETS/n8n-settings" > settings.new
      mv -T -- settings.new settings
      echo "Wrote its settings."`,
    { secrets: ["n8n-settings"], phase: "configure" },
  ),
];

/** n8n creates its tables and its owner before it gets requests: it listens on the project's second port. */
export const install = (work: AppWork): Step[] => {
  const { layout, release, texts, ports } = work;
  if (!ports) throw new Error("n8n needs ports");
  const setup = asProject(
    layout,
    {
      key: "set-up-owner",
      label: "Set up n8n and its owner",
      sentence: "n8n could not be set up; its own words are above.",
    },
    scriptFile(file("install.sh"), {
      directory: releaseDirectory(layout, release),
      port: ports[1],
      email: texts.admin_email ?? "",
    }),
    { secrets: ["admin-password"], phase: "install" },
  );
  return [{ ...setup, sandbox: { ...projectSandbox(layout), ports } }, checkVersion(work, service)];
};

export const generate = (): Answers => ({ encryption_key: randomBytes(32).toString("base64url") });

export const secrets: App["secrets"] = ({ database, answers }) => {
  if (!database) throw new Error("n8n needs a database");
  // Variables for bash, except those that can be changed in `shared/environment`.
  const settings = {
    DB_TYPE: "postgresdb",
    DB_POSTGRESDB_HOST: "127.0.0.1",
    DB_POSTGRESDB_PORT: String(enginePorts.postgresql),
    DB_POSTGRESDB_DATABASE: database.name,
    DB_POSTGRESDB_USER: database.username,
    DB_POSTGRESDB_PASSWORD: database.password,
    N8N_ENCRYPTION_KEY: answers.encryption_key ?? "",
  };
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${quote(value)}\n`);
  return { "n8n-settings": assignments.join(""), "admin-password": answers.admin_password ?? "" };
};
