import { type Step, step } from "../../engine/runs/plan.ts";
import { type ProjectLayout, releaseDirectory } from "../../host/layout.ts";
import { fact } from "../../host/runner/functions.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside } from "../../host/script-file.ts";
import { type Script, sh } from "../../host/sh.ts";
import { projectSandbox } from "../../host/systemd/sandbox.ts";
import { appDownloads } from "../moves/apps.ts";
import type { AppCheck, Artifact } from "./app.ts";

const script = scriptsBeside(import.meta.url);

// Parts of the applications' plans.

/** The path of a download, in a directory of the project. */
export const downloaded = (layout: ProjectLayout, { file }: Artifact): string => `${appDownloads(layout)}/${file}`;

// More than any archive of the catalog.
const largestBytes = 1024 ** 3;

interface Options {
  secrets?: readonly string[];
  timeoutSeconds?: number;
  undo?: Script;
  phase?: string;
}

/**
 * A step that runs as the project's user, in its sandbox. `sentence` ends the step's output if it fails without printing an
 * error.
 */
export const asProject = (
  layout: ProjectLayout,
  { key, label, sentence }: { key: string; label: string; sentence: string },
  script: Script,
  options: Options = {},
): Step =>
  step(key, label, withPrelude(sentence, script), { timeoutSeconds: 900, ...options, sandbox: projectSandbox(layout) });

/** Downloads artifacts and verifies the checksum of each. `name` is the application's. */
export const download = (layout: ProjectLayout, artifacts: readonly Artifact[], name: string): Step =>
  asProject(
    layout,
    { key: "download", label: `Download ${name}`, sentence: `${name} could not be downloaded.` },
    script("scripts/download.sh", {
      directory: appDownloads(layout),
      files: artifacts.map(({ file }) => file),
      urls: artifacts.map(({ url }) => url),
      checksums: artifacts.map(({ checksum }) => checksum?.value ?? ""),
      algorithms: artifacts.map(({ checksum }) => checksum?.algorithm ?? "sha256"),
      largest: largestBytes,
    }),
    { phase: "download" },
  );

/** Fails with a sentence if the disk is nearly full, before anything is written. */
export const checkRoom = (layout: ProjectLayout, neededMb: number): Step =>
  step(
    "check-disk-space",
    "Check disk space",
    withPrelude(
      "The free space on the server's disk could not be read.",
      sh`
        free=$(df --block-size=M --output=avail -- ${layout.directory} | tail -n 1 | tr -dc 0-9)
        needed=${neededMb}
        ((free >= needed)) || fail "The server's disk has $free MB left; this needs $needed MB."
        echo "$free MB of disk space are free."`,
    ),
    { phase: "download", timeoutSeconds: 60 },
  );

/** Creates the directory of a release, owned by the project's user. Removes the remains of an earlier attempt. */
export const createRelease = (layout: ProjectLayout, release: number): Step =>
  step(
    "create-release",
    "Create the release",
    sh`
      rm -rf -- ${releaseDirectory(layout, release)}
      install -d -m 750 -o ${layout.user} -g ${layout.user} ${releaseDirectory(layout, release)}`,
    { phase: "download", undo: sh`rm -rf -- ${releaseDirectory(layout, release)}` },
  );

/**
 * Reports the address for the next start of the process, as the fact `address`. It is read before the start: if the address
 * changes in between, the old one is reported, and the process is replaced again.
 */
export const readAddress = ({ names }: ProjectLayout): Step => ({
  ...step(
    "read-address",
    "Read its address",
    withPrelude(
      "The address of the site could not be read.",
      sh`
        read -r address < ${names}
        ${fact} address "$address"
        echo "Its address is $address."`,
    ),
    { phase: "activate", timeoutSeconds: 60 },
  ),
  facts: { address: "origin" },
});

export interface CheckedSite {
  layout: ProjectLayout;
  name: string;
  isSecure: boolean;
  /** The user of the site's password, which is in the secret `site-password`. */
  user: string | undefined;
}

/** Asks nginx for the application's own pages. */
export const checkPages = (site: CheckedSite, checks: readonly AppCheck[], key = "check-pages"): Step =>
  step(
    key,
    "Look at the application through the web server",
    withPrelude(
      "The application could not be looked at through the web server.",
      script("scripts/checks.sh", {
        name: site.name,
        maintenance: site.layout.maintenanceFlag,
        scheme: site.isSecure ? "https" : "http",
        user: site.user ?? "",
        paths: checks.map(({ path }) => path),
        texts: checks.map(({ contains }) => contains),
      }),
    ),
    { phase: "activate", timeoutSeconds: 300 },
  );

/** Removes all releases except the live one and the `kept` newest before it. */
export const pruneReleases = (layout: ProjectLayout, kept: number): Step =>
  step(
    "prune-releases",
    "Remove old releases",
    script("scripts/prune-releases.sh", {
      releases_directory: layout.releases,
      live_link: layout.current,
      state: layout.state,
      kept,
    }),
    { phase: "finish", onFailure: "continue" },
  );
