import { randomBytes } from "node:crypto";
import { releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import { sh } from "../../../../host/sh.ts";
import type { Answers, App, AppWork } from "../../app.ts";
import { checkVersion, makeRelease, type NpmService } from "../../npm.ts";
import { asProject } from "../../steps.ts";

/** Requests come only from nginx on this server. */
export const service: NpmService = {
  name: "node-red",
  installer: "npm",
  command: ({ shared }) =>
    sh`exec node node_modules/node-red/red.js --userDir ${shared}/node-red --port "$PORT"`.script,
};

export const unpack = (work: AppWork) => makeRelease(work, service);

export const configure = ({ layout, release, texts }: AppWork) => [
  asProject(
    layout,
    { key: "configure", label: "Write settings.js", sentence: "settings.js could not be written." },
    scriptFile(new URL("configure.sh", import.meta.url), {
      directory: releaseDirectory(layout, release),
      shared: `${layout.shared}/node-red`,
      username: texts.admin_username ?? "",
    }),
    { secrets: ["admin-password", "credential-secret"], phase: "configure" },
  ),
];

export const install = (work: AppWork) => [checkVersion(work, service)];

export const generate = (): Answers => ({ credential_secret: randomBytes(32).toString("base64url") });

export const secrets: App["secrets"] = ({ answers }) => ({
  "admin-password": answers.admin_password ?? "",
  "credential-secret": answers.credential_secret ?? "",
});
