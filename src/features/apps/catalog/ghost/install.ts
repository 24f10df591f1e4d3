import type { Step } from "../../../../engine/runs/plan.ts";
import { type ProjectLayout, releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import { projectSandbox } from "../../../../host/systemd/sandbox.ts";
import type { Answers, App, AppWork } from "../../app.ts";
import { checkVersion, makeRelease, type NpmService } from "../../npm.ts";
import { asProject } from "../../steps.ts";

const file = (name: string): URL => new URL(name, import.meta.url);

export const service: NpmService = {
  name: "ghost",
  installer: "lock-file",
  command: () => sh`url=$ADDRESS server__port=$PORT exec node index.js`.script,
};

export const sharedOf = ({ shared }: ProjectLayout): string => `${shared}/ghost`;

export const unpack = (work: AppWork): Step[] => [...makeRelease(work, service), placeContent(work)];

/**
 * All releases share the files that Ghost writes. Its own themes are copied there from the release that goes live; an undo copies
 * them from `former`.
 */
export const placeContent = ({ layout, release }: AppWork, former?: number): Step => {
  const place = (from: number) =>
    scriptFile(file("content.sh"), { directory: releaseDirectory(layout, from), shared: sharedOf(layout) });
  return asProject(
    layout,
    { key: "place-content", label: "Link Ghost's contents", sentence: "Ghost's contents could not be linked." },
    place(release),
    { phase: "download", ...(former !== undefined && { undo: place(former) }) },
  );
};

export const configure = ({ layout }: AppWork): Step[] => [
  asProject(
    layout,
    { key: "configure", label: "Write Ghost's settings", sentence: "Ghost's settings could not be written." },
    sh`
      umask 077
      cd -- ${sharedOf(layout)}
      cat -- "$LONGSHORE_SECRETS/ghost-config" > config.production.json.new
      mv -T -- config.production.json.new config.production.json
      echo "Wrote config.production.json."`,
    { secrets: ["ghost-config"], phase: "configure" },
  ),
];

/**
 * Ghost creates its tables and its owner before it gets requests: it listens on the project's second port, and the web server
 * sends visitors to the first.
 */
export const install = (work: AppWork): Step[] => {
  const { layout, release, domain, texts, ports } = work;
  if (!ports) throw new Error("Ghost needs ports");
  const setup = asProject(
    layout,
    {
      key: "set-up-owner",
      label: "Set up Ghost and its owner",
      sentence: "Ghost could not be set up; its own words are above.",
    },
    scriptFile(file("install.sh"), {
      directory: releaseDirectory(layout, release),
      environment: `${layout.shared}/environment`,
      port: ports[1],
      domain,
      title: texts.site_title ?? "",
      owner: texts.admin_name ?? "",
      email: texts.admin_email ?? "",
    }),
    { secrets: ["admin-password"], phase: "install" },
  );
  return [{ ...setup, sandbox: { ...projectSandbox(layout), ports } }, checkVersion(work, service)];
};

export const generate = (): Answers => ({});

export const secrets: App["secrets"] = ({ database, answers, layout }) => {
  if (!database) throw new Error("Ghost needs a database");
  const { name, username, password } = database;
  const settings = {
    database: {
      client: "mysql",
      connection: { socketPath: "/run/mysqld/mysqld.sock", user: username, password, database: name },
    },
    server: { host: "127.0.0.1", shutdownTimeout: 10_000 },
    paths: { contentPath: `${sharedOf(layout)}/content` },
    logging: { level: "info", transports: ["stdout"] },
    // Both send mail, which a new Ghost cannot do: the owner could not log in.
    security: { staffDeviceVerification: false },
    sendWelcomeEmail: false,
    // Longshore looks for new versions itself.
    privacy: { useUpdateCheck: false },
  };
  return {
    "ghost-config": JSON.stringify(settings, null, 2),
    "admin-password": answers.admin_password ?? "",
  };
};
