import { releaseDirectory } from "../../../../host/layout.ts";
import { scriptFile } from "../../../../host/script-file.ts";
import type { App, AppWork } from "../../app.ts";
import { asProject, createRelease, download, downloaded } from "../../steps.ts";

export const unpack = ({ layout, release, version }: AppWork) => [
  download(layout, [version.archive], "Adminer"),
  createRelease(layout, release),
  asProject(
    layout,
    { key: "unpack", label: "Put Adminer in place", sentence: "Adminer could not be put in place." },
    scriptFile(new URL("unpack.sh", import.meta.url), {
      archive: downloaded(layout, version.archive),
      directory: releaseDirectory(layout, release),
    }),
    { phase: "download" },
  ),
];

export const install = ({ layout, release }: AppWork) => [
  asProject(
    layout,
    { key: "install", label: "Check Adminer", sentence: "PHP does not take Adminer." },
    scriptFile(new URL("install.sh", import.meta.url), { directory: releaseDirectory(layout, release) }),
    { phase: "install" },
  ),
];

export const secrets: App["secrets"] = ({ answers }) => ({ "site-password": answers.password ?? "" });
