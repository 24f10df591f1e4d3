import { Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import { Sync } from "../../engine/reconcile/target.ts";
import type { GitSourceType } from "../../host/git/git.ts";
import { type PhpSetting, phpSettings } from "../../host/php/php-versions.ts";
import { Page, PageQuery } from "../../http/pagination.ts";
import {
  Id,
  Joined,
  List,
  maxId,
  Name,
  Nullable,
  named,
  OneOf,
  OneOfIntegers,
  Reply,
  Success,
  Switch,
  Timestamp,
} from "../../http/schemas.ts";
import type { PlacementRole } from "../placements/schema.ts";
import { environments } from "../servers/schema.ts";
import { type ShownSite, type SiteRow, SpaFallback, siteFields, siteUpdate } from "../site-records/schema.ts";
import { frameworks } from "./frameworks.ts";

export const sourceTypes = ["git_host_a", "git_host_b", "git_host_c", "git"] as const;

/** Runs that inspect a repository without a project. */
export const detectionKind: Kind = { kind: "detection", subject: "server" };

/** Runs that clear a project's build caches. */
export const buildCacheKind: Kind = { kind: "build-cache", subject: "project" };

/** The user's commands among the five; the framework's apply for the rest. */
export interface CustomCommands {
  dev?: string;
  install?: string;
  build?: string;
  directory?: string;
  custom?: string;
}

/** The visible fields of a row of `projects`, with its site. */
export interface ShownProjectRow extends ShownSite {
  id: number;
  organization_id: number;
  server_id: number;
  project_group_id: number | null;
  name: string;
  framework_id: number;
  environment: (typeof environments)[number] | null;
  source_type: "git" | "app";
  app_slug: string | null;
  app_version: string | null;
  repository_type: GitSourceType | null;
  repository: string | null;
  repository_branch: string | null;
  auto_deploy_is_active: boolean;
  installation_status: 0 | 1 | 2;
  zero_downtime: boolean;
  live_port: number | null;
  custom_commands: CustomCommands;
  max_memory: string | null;
  always_rebuild_frontend: boolean;
  shared_directories: string[];
  shared_files: string[];
  output_directory: string | null;
  health_path: string;
  health_status: number[] | null;
  start_timeout_seconds: number;
  php_version: PhpSetting | null;
  node_version: string | null;
  drain_timeout_seconds: number;
  build_cache: boolean;
  discard_written_files: boolean;
  kept_releases_mb: number;
  disk: { releases_bytes: number; caches_bytes: number; measured_at: string } | null;
  rollback_on_down: boolean;
  notes: string | null;
  created_at: string;
  updated_at: string;
  /** Its processes in a crash loop. */
  crash_loops: CrashLoop[];
}

export interface CrashLoop {
  /** null: the process of the project itself. */
  job_id: number | null;
  server_id: number;
  since: string;
  restarts: number;
  last_lines: string[];
}

/**
 * A project as it is on one of its servers, `server_id`, with all fields that jobs need, except its environment variables: the rows
 * of the project, the site and the placement. Where nothing else is said, the server is the project's own.
 */
export interface ProjectRow extends ShownProjectRow, SiteRow {
  role: PlacementRole;
  is_prepared: boolean;
  /** Whether files of its number without a mark are its own there. */
  may_adopt: boolean;
  port_pair: number | null;
  live_deployment_id: number | null;
  live_release_id: number | null;
  /** Addresses of the organization's load balancers. */
  load_balancers: string[];
  /** Addresses of the servers that forward the project's visitors to it. */
  forwarders: string[];
  /** The project's certificate on the server that visitors reach, and its names. */
  certificate: CertificateOnServer | null;
  /** The server that visitors reach: the load balancer, or the project's own. */
  front_server_id: number;
  has_environment: boolean;
  /** For a project behind a load balancer. */
  balance: Balance | null;
}

export interface CertificateOnServer {
  version: number;
  names: string[];
  offers_ocsp: boolean;
}

export interface Balance {
  /** Whether the load balancer shows its page instead. */
  in_maintenance: boolean;
  /** The addresses of the load balancer. */
  addresses: string[];
  /** The certificate on this server from before the load balancer. */
  certificate: CertificateOnServer | null;
  /** By the ids of their servers. */
  nodes: { id: number; address: string }[];
}

const Flag = OneOfIntegers([0, 1]);
const text = Type.String();

const CustomCommands = named(
  "CustomCommands",
  Type.Object({ dev: text, install: text, build: text, directory: text, custom: text }),
);

const DiskUsage = named(
  "DiskUsage",
  Type.Object(
    { releases_bytes: Type.Integer(), caches_bytes: Type.Integer(), measured_at: Timestamp },
    { description: "Disk space that it uses on its server, measured by its last deployment; null: not measured yet" },
  ),
);

const CrashLoop = named(
  "CrashLoop",
  Type.Object({
    job_id: Nullable(Type.Integer({ description: "The background job; null: the process of the project itself" })),
    server_id: Id,
    since: Timestamp,
    restarts: Type.Integer({ description: "How often it was restarted in the ten minutes before" }),
    last_lines: Type.Array(text, {
      description: "Its last output; values of environment variables are masked",
    }),
  }),
  "A process that keeps crashing",
);

const Project = named(
  "Project",
  Type.Object({
    id: Id,
    name: text,
    server_id: Id,
    framework_id: Id,
    project_group_id: Nullable(Type.Integer()),
    environment: Nullable(OneOf(environments)),
    auto_deploy_is_active: Flag,
    installation_status: OneOfIntegers([0, 1, 2], {
      description: "0 not installed or install running, 1 installed, 2 the install of an app failed",
    }),
    directory: Type.String({ description: "Directory of the project on the server" }),
    port: Nullable(Type.String({ description: "The port that the live process listens on; Node projects only" })),
    repository_type: Nullable(OneOf(sourceTypes)),
    source_type: OneOf(["git", "app"]),
    app_slug: Nullable(text),
    app_version: Nullable(text),
    repository: Nullable(text),
    repository_branch: Nullable(text),
    custom_commands: CustomCommands,
    zero_downtime: Type.Boolean(),
    max_memory: Nullable(text),
    always_rebuild_frontend: Flag,
    shared_directories: Type.Array(text),
    shared_files: Type.Array(text),
    output_directory: Nullable(
      Type.String({ description: "The directory that is served, below the working directory; null: detected" }),
    ),
    health_path: Type.String({ description: "Path that a release has to answer before it counts as served" }),
    health_status: Nullable(
      Type.Array(Type.Integer(), { description: "The accepted statuses of the answer; null: any below 500" }),
    ),
    start_timeout_seconds: Type.Integer({ description: "How long a new process may take until it answers; Node only" }),
    php_version: Nullable(
      Type.String({
        description: "The version of PHP, from the next deployment on; null: the one that composer.json asks for",
      }),
    ),
    node_version: Nullable(
      Type.String({ description: "The version of Node; null: the one that the repository's files ask for" }),
    ),
    drain_timeout_seconds: Type.Integer({
      description:
        "Seconds that requests and connections of a Node project may last after a switch, before its old process is ended",
    }),
    build_cache: Type.Boolean({
      description: "Whether the caches of build tools are kept for the next build of a branch",
    }),
    discard_written_files: Type.Boolean({
      description:
        "Whether files that the application has written into the live release, outside of shared paths, may get lost; if not, " +
        "they stop a deployment",
    }),
    kept_releases_mb: Type.Integer({
      description:
        "Disk space that the kept releases may use together, in MB; the live one and the one before it are always kept",
    }),
    disk: Nullable(DiskUsage),
    rollback_on_down: Type.Boolean({
      description:
        "Whether a deployment is rolled back automatically when a monitor goes down within 5 minutes after it became live",
    }),
    ...siteFields,
    crash_loops: Type.Array(CrashLoop, {
      description: "Processes that systemd restarts repeatedly, because they keep crashing",
    }),
    notes: Nullable(text),
    sync: Sync,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "What is deployed: a repository or an app, with its settings and domains",
);

export const ProjectPage = Page(Project);
export const ProjectReply = named("ProjectReply", Joined(Success({}), Project));

export const ProjectQuery = Type.Object({
  ...PageQuery.properties,
  project_group_id: Type.Optional(Id),
  environment: Type.Optional(OneOf(environments)),
});

/** Bounded, so that a command cannot be used to fill the database. */
const Command = Type.String({ maxLength: 10_000 });

const CustomCommandsRequest = named(
  "CustomCommandsRequest",
  Type.Object({
    dev: Type.Optional(Command),
    install: Type.Optional(Command),
    build: Type.Optional(Command),
    directory: Type.Optional(Type.String({ maxLength: 400 })),
    custom: Type.Optional(Type.String({ maxLength: 100_000 })),
  }),
);

/** A list of relative paths; null and an empty text are the empty list. */
const Paths = (title: string) =>
  Type.Unsafe<string[] | "" | null>({
    anyOf: [
      { type: "array", items: { type: "string", minLength: 1, maxLength: 400 }, maxItems: 100 },
      { type: "string", maxLength: 0 },
      { type: "null" },
    ],
    title,
    errorMessage: `The ${title} must be a list of at most 100 relative paths.`,
  });

/** The settings of a release: its health check, its directory, and its runtime. */
const servedRequest = {
  output_directory: Type.Optional(Nullable(Type.String({ maxLength: 400 }))),
  health_path: Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: "^/[A-Za-z0-9._~:/?@!$&'()*+,;=%-]*$",
      errorMessage: "The health path must be a path such as /up, at most 500 characters long.",
    }),
  ),
  health_status: Type.Optional(
    Nullable(
      Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), { maxItems: 20, title: "list of health statuses" }),
    ),
  ),
  start_timeout_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: 600 })),
  php_version: Type.Optional(Nullable(OneOf(phpSettings, { title: "PHP version" }))),
  node_version: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 20,
        pattern: "^([0-9]{1,3}([.][0-9]{1,4}){0,2}|lts/[*]|default)?$",
        errorMessage: "The Node version must be one such as 22, 22.12 or 22.12.0, lts/* or default.",
      }),
    ),
  ),
};

const RepositoryName = Type.String({ maxLength: 2_000, title: "repository" });
const RepositoryType = OneOf(sourceTypes, { title: "repository type" });
/** A git source type, or the `source` of a connected account, which implies the type of its host. */
const RepositorySource = Type.Unsafe<(typeof sourceTypes)[number] | `source_${number}`>({
  type: "string",
  pattern: `^(${sourceTypes.join("|")}|source_[1-9][0-9]{0,15})$`,
  title: "repository type",
  description: "git_host_a, git_host_b, git_host_c, git, or the `source` of a connected account",
  errorMessage: `The repository type must be one of ${sourceTypes.join(", ")}, or the source of a connected account.`,
  documentedAs: {
    type: undefined,
    pattern: undefined,
    anyOf: [OneOf(sourceTypes), Type.String({ pattern: "^source_[1-9][0-9]{0,15}$" })],
  },
});
const Branch = Type.String({ maxLength: 240, title: "branch" });
const FrameworkId = Type.Integer({ minimum: 1, maximum: maxId, title: "framework" });
const Environment = Nullable(OneOf(environments));
/** In characters. */
export const longestEnvironment = 200_000;
const Environments = Type.String({
  maxLength: longestEnvironment,
  title: "text of the environment variables",
  description: "Text of a .env file",
});
const Memory = Nullable(Type.String({ maxLength: 20, description: "Such as 512MB or 2GB; null or empty: no limit" }));
const Notes = Nullable(Type.String({ maxLength: 10_000 }));

/** The logs that the server keeps of a project. */
export const logTypes = ["access", "error", "php", "output"] as const;

const GitRepository = named(
  "GitRepository",
  Type.Object({ repo: RepositoryName, type: RepositoryType, branch: Branch }),
);
const GitRepositoryUpdate = named(
  "GitRepositoryUpdate",
  Type.Partial(Type.Object({ repo: RepositoryName, type: RepositorySource, branch: Branch })),
);

export const ProjectRequest = named(
  "ProjectRequest",
  Type.Object({
    name: Name,
    server_id: Type.Integer({ minimum: 1, maximum: maxId, title: "server" }),
    domain: Type.String({ maxLength: 300 }),
    framework_id: FrameworkId,
    git_repository: GitRepository,
    environment_variables: Type.Optional(Nullable(Environments)),
    www_redirect: Type.Optional(OneOfIntegers([0, 1, 2])),
    auto_deploy_is_active: Type.Optional(Switch),
    ssl_is_enabled: Type.Optional(Switch),
    custom_commands: Type.Optional(Nullable(CustomCommandsRequest)),
    environment: Type.Optional(Environment),
    project_group_id: Type.Optional(Nullable(Id)),
    zero_downtime: Type.Optional(Type.Boolean()),
    max_memory: Type.Optional(Memory),
    shared_directories: Type.Optional(Paths("shared directories")),
    shared_files: Type.Optional(Paths("shared files")),
    ...servedRequest,
    spa_fallback: Type.Optional(SpaFallback),
    notes: Type.Optional(Notes),
  }),
);

export const DetectionRequest = named(
  "DetectionRequest",
  Type.Object({
    server_id: ProjectRequest.properties.server_id,
    git_repository: GitRepository,
    directory: Type.Optional(
      Type.String({ maxLength: 400, description: "Where the application is; default: the only one that is found" }),
    ),
  }),
);

const Proposal = Nullable(
  named(
    "Proposal",
    Type.Object({ value: Type.String(), reason: Type.String() }),
    "A proposed setting, and the reason for it",
  ),
);
const PathsProposal = Nullable(
  named(
    "PathsProposal",
    Type.Object({ value: Type.Array(Type.String()), reason: Type.String() }),
    "Proposed paths, and the reason for them",
  ),
);
const ProposedFramework = named("ProposedFramework", Type.Object({ id: Id, name: text, label: text, reason: text }));
const ProposedPackageManager = named(
  "ProposedPackageManager",
  Type.Object({
    name: text,
    version: Nullable(Type.String({ description: "If one is named" })),
    reason: text,
  }),
);
const ProposedJob = named("ProposedJob", Type.Object({ name: text, command: text, reason: text }));

const Detection = named(
  "Detection",
  Type.Object({
    framework: Nullable(ProposedFramework),
    directory: Proposal,
    package_manager: Nullable(ProposedPackageManager),
    output_directory: Proposal,
    build_command: Proposal,
    start_command: Proposal,
    deployment_script: Proposal,
    node_version: Proposal,
    php_version: Proposal,
    health_path: Proposal,
    shared_directories: PathsProposal,
    shared_files: PathsProposal,
    background_jobs: Type.Array(ProposedJob),
    notes: Type.Array(Type.String({ description: "Decisions that are left to the user, a sentence each" })),
  }),
  "What was found in a repository, as proposals for a project",
);

export const DetectionReply = named(
  "DetectionReply",
  Success({
    commit: Type.String({ description: "The branch's newest commit, which was looked at" }),
    data: Detection,
  }),
);

export const ProjectUpdate = named(
  "ProjectUpdate",
  Type.Object({
    name: Type.Optional(Name),
    git_repository: Type.Optional(GitRepositoryUpdate),
    framework: Type.Optional(OneOf(frameworks.map((each) => each.name))),
    framework_id: Type.Optional(FrameworkId),
    project_group_id: Type.Optional(Nullable(Id)),
    environment: Type.Optional(Environment),
    custom_commands: Type.Optional(CustomCommandsRequest),
    max_memory: Type.Optional(Memory),
    auto_deploy_is_active: Type.Optional(Switch),
    always_rebuild_frontend: Type.Optional(Switch),
    shared_directories: Type.Optional(Paths("shared directories")),
    shared_files: Type.Optional(Paths("shared files")),
    ...servedRequest,
    zero_downtime: Type.Optional(Type.Boolean()),
    drain_timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 900 })),
    build_cache: Type.Optional(Switch),
    discard_written_files: Type.Optional(Switch),
    kept_releases_mb: Type.Optional(Type.Integer({ minimum: 100, maximum: 1_000_000 })),
    rollback_on_down: Type.Optional(Switch),
    ...siteUpdate,
    notes: Type.Optional(Notes),
  }),
);

/** For requests about one of the servers of a balanced project. */
export const onOneServer = {
  server_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxId,
      description: "One of the servers of a balanced project; default: its own",
    }),
  ),
};

export const LogQuery = Type.Object({
  type: Type.Optional(OneOf(logTypes, { description: "default: access" })),
  server_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxId,
      description:
        "One of the servers of a balanced project; default: its load balancer for `access` and `error`, its own for the others",
    }),
  ),
  lines: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: "How many of the last lines; default: 100" }),
  ),
});

const ProjectLog = named(
  "ProjectLog",
  Type.Object({ type: OneOf(logTypes), lines: Type.Array(text, { description: "The oldest first" }) }),
);
export const LogTail = Reply(ProjectLog);

const liveLines = {
  lines: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: "How many earlier lines come first; default: 50" }),
  ),
  last_event_id: Type.Optional(
    Type.Unsafe<unknown>({
      description: "In place of the header Last-Event-ID, for clients that cannot set it",
      documentedAs: { type: "string" },
    }),
  ),
};

export const LiveLogQuery = Type.Object(liveLines);
export const LiveProjectLogQuery = Type.Object({
  ...onOneServer,
  type: Type.Optional(OneOf(["php", "output"], { description: "default: output of a Node project, php of any other" })),
  ...liveLines,
});

export const LiveLines = named(
  "LiveLines",
  Type.Object(
    {
      lines: Type.Array(text, { description: "The oldest first; at most 200. Long lines are cut." }),
      left_out: Type.Integer({ description: "Lines before these that are not shown, because too many came at once" }),
    },
    { description: "The `data` of each event `lines`. Its `id` is the place to resume from." },
  ),
);

export const EnvironmentRequest = named("EnvironmentRequest", Type.Object({ environment_variables: Environments }));

export const VariableParams = Type.Object({ id: Id, name: Type.String({ minLength: 1, maxLength: 300 }) });
export const VariableRequest = named(
  "EnvironmentVariableRequest",
  Type.Object({
    value: Type.Optional(
      Type.String({
        maxLength: longestEnvironment,
        description: "The value as programs receive it, without quoting; default: it stays",
      }),
    ),
    masked: Type.Optional(
      Nullable(
        Type.Boolean({ description: "Whether logs mask the value; null: as its name and value suggest, the default" }),
      ),
    ),
  }),
);

export const AutoDeployRequest = named(
  "AutoDeployRequest",
  Type.Object({
    project_ids: Type.Array(Id, { minItems: 1, maxItems: 1_000, title: "list of projects" }),
    auto_deploy_is_active: Switch,
  }),
);

export const ProjectCreated = named("ProjectCreated", Success({ message: text, project_id: Type.String() }));
export const ProjectChanged = named("ProjectChanged", Success({ message: text, project_id: Id }));
const EnvironmentVariable = named(
  "EnvironmentVariable",
  Type.Object({ name: text, masked: Type.Boolean({ description: "Whether logs mask the value, or a part of it" }) }),
  "A variable of a project's environment, without its value",
);
export const EnvironmentNames = List(EnvironmentVariable);
export const AutoDeploySet = named("AutoDeploySet", Success({ updated_count: Type.Integer() }));

const Framework = named(
  "Framework",
  Type.Object({
    id: Id,
    name: text,
    label: text,
    runtime_family: OneOf(["php", "node", "static"]),
    defaults: Type.Object({ install: text, build: text, dev: text, directory: text }),
    public_directory: text,
    zero_downtime: Type.Boolean(),
  }),
);
export const FrameworkList = List(Framework);
