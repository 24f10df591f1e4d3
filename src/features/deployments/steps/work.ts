import { type ProjectLayout, type ReleaseName, releaseDirectory } from "../../../host/layout.ts";
import type { PhpPackages } from "../../../host/php/php-versions.ts";
import { functionOf } from "../../../host/script-file.ts";
import type { Script } from "../../../host/sh.ts";
import type { HealthCheck, ProjectOnServer } from "../../projects/plans.ts";

export interface DeploymentSettings extends HealthCheck {
  /** How many releases stay on the server, the live one included. */
  keptReleases: number;
  /** Their total size limit; the live one and the one before it always stay. */
  keptReleasesMb: number;
  /** How long a new process is watched before it gets visitors. */
  soakMs: number;
  /** How long the old process may take to finish its requests. */
  drainTimeoutSeconds: number;
  /** How long a server behind a load balancer waits for requests under way before its release is replaced. */
  nodeDrainSeconds: number;
  minimumFreeMb: number;
  /** For each of the user's commands. */
  commandTimeoutSeconds: number;
}

/** The input of a deployment's steps. */
export interface Work {
  project: ProjectOnServer;
  layout: ProjectLayout;
  deploymentId: number;
  release: ReleaseName;
  settings: DeploymentSettings;
  restartsJobs: boolean;
  /** The source of PHP versions; undefined: their archives. */
  phpPackages?: PhpPackages | undefined;
  /** Whether anything runs the project's code besides its process. */
  hasJobs: boolean;
  /** The live release before it. */
  formerRelease: number | undefined;
  nodeMirror: string;
  /** Of Node projects. */
  ports: readonly [number, number] | undefined;
}

export const releaseOf = ({ layout, release }: Work): string => releaseDirectory(layout, release);

/** The working directory inside the release. */
export const workingDirectoryOf = (work: Work): string =>
  work.project.directory === "" ? releaseOf(work) : `${releaseOf(work)}/${work.project.directory}`;

export const environmentOf = ({ layout, release }: Work): string => `${layout.environments}/${release}`;

/**
 * The previous state, for a deployment under way: written once, by its first step that changes something, and read by later steps
 * and by undo, also after a reboot. The live port in the database may be older than the server's state.
 */
export const rollbackStatePath = ({ layout, deploymentId }: Work): string =>
  `${layout.state}/deployment-${deploymentId}`;

/** The value of expectation.sh: `is_expected` succeeds if `status` is an accepted status of a release. */
export const expectation = ({ settings }: Work) => ({ expected_statuses: settings.healthStatuses.join(" ") });

/** The part of an error that names the expected status; empty if any status below 500 is accepted. */
export const expectedStatusHint = ({ settings }: Work): string =>
  settings.healthStatuses.length === 0 ? "" : `, which is not the expected ${settings.healthStatuses.join(" or ")}`;

/** `stop SENTENCE` ends the step with a sentence for the reader. */
export const stop: Script = functionOf(new URL("stop.sh", import.meta.url), "stop");
