import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import type { Step } from "../../../engine/runs/plan.ts";
import type { RunSecrets } from "../../../engine/runs/runs.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import type { ProjectRow } from "../../projects/schema.ts";
import type { ServerForWork } from "../../servers/queries.ts";

/** Files of a catalog application besides the shared ones. They are copied; a project with a repository is built instead. */
export interface AppFiles {
  /** Number of the live release. */
  release: number;
  /** Directory below the project's cache whose files, but not subdirectories, are copied. */
  downloads: string;
}

/** The directory of an application's downloads, which include programs that its jobs run. */
export const appDownloads = ({ cache }: Pick<ProjectLayout, "cache">): string => `${cache}/apps`;

/** Undefined if the project is not an application. */
export const appFilesOf = ({ id, source_type, live_release_id: release }: ProjectRow): AppFiles | undefined =>
  source_type === "app" && release !== null ? { release, downloads: appDownloads(projectLayout(id)) } : undefined;

/** Steps on the destination for an application, after its data was copied, while visitors wait. */
export interface AppSteps {
  /** Before its release serves there. */
  before: Step[];
  /** After its release serves there, visible only on the server itself. */
  after: Step[];
}

/**
 * The functions of the catalog that moves and recycles use. The catalog is a later feature, so features.ts passes them. The
 * caller has locked the project.
 */
export interface MovingApps {
  /** Why the process of an application cannot be replaced now. Nothing else can replace it before the transaction ends. */
  updateRefusal: (tx: PoolClient, ctx: Context, project: ProjectRow) => Promise<string | undefined>;
  /** Why an application cannot be moved now, to any server. */
  moveRefusal: (tx: PoolClient, ctx: Context, project: ProjectRow) => Promise<string | undefined>;
  /** Why a server cannot host it. */
  destinationError: (project: ProjectRow, server: ServerForWork) => string | undefined;
  /** `project` as it is on the destination. */
  stepsOn: (tx: PoolClient, ctx: Context, project: ProjectRow) => Promise<AppSteps>;
  /** Secret files of the run with those steps. */
  secretsOf: (ctx: Context, projectId: number) => Promise<RunSecrets>;
}
