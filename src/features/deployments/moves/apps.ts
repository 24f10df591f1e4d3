import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import type { Step } from "../../../engine/plan.ts";
import type { RunSecrets } from "../../../engine/runs.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import type { ProjectRow } from "../../projects/schema.ts";
import type { ServerForWork } from "../../servers/queries.ts";

/** Files of a catalog application besides the shared ones. They are copied, where a project of a repository is built. */
export interface AppFiles {
  /** Number of the release that serves. */
  release: number;
  /** Directory below the project's cache whose files, but no directories, come along. */
  downloads: string;
}

/** Where an application keeps what it downloaded: its own programs, such as those that its jobs run, are among that. */
export const appDownloads = ({ cache }: Pick<ProjectLayout, "cache">): string => `${cache}/apps`;

/** Undefined of every project that is no application. */
export const appFilesOf = ({ id, source_type, live_release_id: release }: ProjectRow): AppFiles | undefined =>
  source_type === "app" && release !== null ? { release, downloads: appDownloads(projectLayout(id)) } : undefined;

/** What the destination does with an application whose data it has, while visitors are held. */
export interface AppSteps {
  /** Before its release serves there. */
  before: Step[];
  /** When it serves there, which only the server itself sees. */
  after: Step[];
}

/** What moves and recycles use of the catalog, which comes after them: given by features.ts. The caller has locked the project. */
export interface MovingApps {
  /** Why the process of an application cannot be replaced now. Nothing else replaces it before the transaction ends. */
  whyBusy: (tx: PoolClient, ctx: Context, project: ProjectRow) => Promise<string | undefined>;
  /** Why an application cannot be moved now, to any server. */
  whyNotNow: (tx: PoolClient, ctx: Context, project: ProjectRow) => Promise<string | undefined>;
  /** Why a server cannot host it. */
  whyNotTo: (project: ProjectRow, server: ServerForWork) => string | undefined;
  /** `project` as it is on the destination. */
  stepsOn: (tx: PoolClient, ctx: Context, project: ProjectRow) => Promise<AppSteps>;
  /** Files of the run that has those steps. */
  secretsOf: (ctx: Context, projectId: number) => Promise<RunSecrets>;
}
