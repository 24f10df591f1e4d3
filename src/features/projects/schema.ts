import { type Static, Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import { Sync } from "../../engine/reconcile/target.ts";
import type { GitSourceType } from "../../host/git/git.ts";
import { Plan } from "../../http/dry-run.ts";
import { Page } from "../../http/pagination.ts";
import {
  described,
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
import { creationIn, givenIn, shownIn } from "../../http/settings.ts";
import type { PlacementRow } from "../placements/schema.ts";
import {
  type ShownSite,
  type SiteRow,
  siteCreation,
  siteFields,
  siteUpdate,
  wwwRedirects,
} from "../site-records/schema.ts";
import { frameworks } from "./frameworks.ts";
import type { PhpRow } from "./php/schema.ts";
import { CustomCommandsRequest, type ProjectSettings, projectSettings } from "./settings/schema.ts";
import { type ProjectStateName, StateName } from "./states/schema.ts";

export const sourceTypes = ["git_host_a", "git_host_b", "git_host_c", "git"] as const;

/** Runs that inspect a repository without a project. */
export const detectionKind: Kind = { kind: "detection", subject: "server" };

/** Runs that clear a project's build caches. */
export const buildCacheKind: Kind = { kind: "build-cache", subject: "project" };

export const installationStatus = { notInstalled: 0, installed: 1, failed: 2 } as const;

export type InstallationStatus = (typeof installationStatus)[keyof typeof installationStatus];

/** The visible columns of `projects`. */
export interface ShownColumns extends ProjectSettings {
  id: number;
  organization_id: number;
  name: string;
  framework_id: number;
  source_type: "git" | "app";
  app_slug: string | null;
  app_version: string | null;
  repository_type: GitSourceType | null;
  repository: string | null;
  repository_branch: string | null;
  installation_status: InstallationStatus;
  created_at: string;
}

/** A project with the settings of its site beside its own, as the API shows them. */
export type ProjectState = ShownColumns & ShownSite;

/** The columns of a project that lists show, on its own server, `server_id`. */
export interface SummaryRow
  extends Pick<
    ShownColumns,
    | "id"
    | "name"
    | "framework_id"
    | "project_group_id"
    | "environment"
    | "source_type"
    | "repository"
    | "repository_branch"
    | "auto_deploy_is_active"
    | "created_at"
  > {
  state: ProjectStateName;
  server_id: number;
  server_name: string;
  primary_domain: string;
  ssl_is_enabled: boolean;
  is_pinned: boolean;
  updated_at: string;
}

/** A project as the API shows it. */
export interface ShownProjectRow extends ShownColumns, ShownSite, SummaryRow {
  live_port: number | null;
  disk: { releases_bytes: number; caches_bytes: number; measured_at: string } | null;
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

/** A row of `projects`, as jobs need it: without its environment variables. */
export interface ProjectRow extends ShownColumns {
  /** The project's own server. */
  home_server_id: number;
  has_environment: boolean;
  php: PhpRow;
  updated_at: string;
}

/** A project on one of its servers, that of the placement: the project's own, unless stated otherwise. */
export interface PlacedProject extends ProjectRow {
  site: PlacedSite;
  placement: PlacementRow;
}

/** A project's site, with all that the web server of a placement needs. */
export interface PlacedSite extends SiteRow {
  /** Addresses of the organization's load balancers. */
  load_balancers: string[];
  /** Addresses of the servers that forward the project's visitors to it. */
  forwarders: string[];
  /** The project's certificate on the server that visitors reach, and its names. */
  certificate: CertificateOnServer | null;
  /** The server that visitors reach: the load balancer, or that of the placement. */
  front_server_id: number;
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

const text = Type.String();

/** The meaning of a framework's number, such as `1 Laravel`. */
const frameworkIds = frameworks.map(({ id, label }) => `${id} ${label}`).join(", ");

const DiskUsage = named(
  "DiskUsage",
  Type.Object(
    {
      releases_bytes: Type.Integer({ description: "All kept releases" }),
      caches_bytes: Type.Integer({ description: "Caches of build tools and copies of installed packages" }),
      measured_at: Timestamp,
    },
    { description: "Disk space that it uses on its server, measured by its last deployment; null: not measured yet" },
  ),
);

const CrashLoop = named(
  "CrashLoop",
  Type.Object({
    job_id: Nullable(Type.Integer({ description: "The background job; null: the process of the project itself" })),
    server_id: described(Id, "Where it crashes"),
    since: Timestamp,
    restarts: Type.Integer({ description: "How often it was restarted in the ten minutes before" }),
    last_lines: Type.Array(text, {
      description: "Its last output; values of environment variables are masked",
    }),
  }),
  "A process that keeps crashing",
);

// The order of the fields is part of the document of the API.
const { project_group_id, environment, auto_deploy_is_active, custom_commands, zero_downtime, ...shown } =
  shownIn(projectSettings);
const { rollback_on_down, notes, ...deploymentSettings } = shown;

const ServerName = named(
  "ServerName",
  Type.Object({ id: described(Id, "Of the server"), name: described(text, "Of the server") }),
  "The project's own server",
);
const FrameworkName = named(
  "FrameworkName",
  Type.Object({ id: described(Id, frameworkIds), label: described(text, "Its name for people") }),
  "The framework",
);

const DeploymentSummary = named(
  "DeploymentSummary",
  Type.Object({
    id: Id,
    status: OneOfIntegers([0, 1, 2, 3, 4, 5], {
      description: "0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled",
    }),
    commit_id: Nullable(described(text, "null until it is known")),
    commit_message: Nullable(described(text, "Its first line; null until it is known")),
    git_branch: described(text, "The branch that was deployed"),
    git_tag: Nullable(described(text, "The tag that was deployed; null: the branch")),
    at: {
      ...Timestamp,
      description: "When it ended, or was requested while it has not; ISO 8601 UTC with microseconds",
    },
  }),
  "A deployment as its project names it; null: there is none",
);

const CertificateSummary = named(
  "CertificateSummary",
  Type.Object({
    status: OneOfIntegers([0, 1, 2, 3], { description: "0 pending, 1 active, 2 failed, 3 expired" }),
    expires_at: Nullable(Type.String({ description: "YYYY-MM-DD; null while none is served" })),
  }),
  "The certificate of the project; null: none was requested yet",
);

const MonitorsOfProject = named(
  "ProjectMonitors",
  Type.Object({
    up: Type.Integer({ description: "How many are up" }),
    down: Type.Integer({ description: "How many are down" }),
  }),
  "The monitors that have a verdict; null without `monitor:read`",
);

/** What lists show of a project, and the records of the features below: see `ProjectHooks`. */
const ProjectSummary = named(
  "ProjectSummary",
  Type.Object({
    id: Id,
    name: text,
    url: Type.String({ description: "Of the primary domain; https once a certificate is served" }),
    state: StateName,
    server_id: described(Id, "Its own server; behind a load balancer there are others"),
    server: ServerName,
    framework_id: described(Id, frameworkIds),
    framework: FrameworkName,
    project_group_id,
    environment,
    source_type: OneOf(["git", "app"], {
      description: "git: deployed from a repository; app: installed from the catalog",
    }),
    repository: Nullable(described(text, "Address or `owner/name`; null for a catalog application")),
    repository_branch: Nullable(described(text, "The branch that is deployed")),
    auto_deploy_is_active,
    primary_domain: described(text, "The domain that links to the project should name"),
    live_deployment: Nullable(DeploymentSummary),
    last_deployment: Nullable(DeploymentSummary),
    monitors: Nullable(MonitorsOfProject),
    certificate: Nullable(CertificateSummary),
    has_pending_changes: Type.Boolean({
      description:
        "Whether settings of the release, or environment variables, were changed since the live release was made or got its variables",
    }),
    is_pinned: Type.Boolean({ description: "Whether the calling user pinned it" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "A project as lists show it with `view=summary`",
);

export type ProjectSummary = Static<typeof ProjectSummary>;

const { primary_domain: _primary, ...sites } = siteFields;

const Project = named(
  "Project",
  Joined(
    ProjectSummary,
    Type.Object({
      installation_status: OneOfIntegers([0, 1, 2], {
        description: "0 not installed or install running, 1 installed, 2 the install of an app failed",
      }),
      directory: Type.String({ description: "Directory of the project on the server" }),
      port: Nullable(Type.String({ description: "The port that the live process listens on; Node projects only" })),
      repository_type: Nullable(OneOf(sourceTypes, { description: "The host of the repository; git: any other" })),
      app_slug: Nullable(described(text, "The application of the catalog; null for a repository")),
      app_version: Nullable(described(text, "The installed version, as read after the last install or update")),
      custom_commands,
      zero_downtime,
      ...deploymentSettings,
      disk: Nullable(DiskUsage),
      rollback_on_down,
      ...sites,
      crash_loops: Type.Array(CrashLoop, {
        description: "Processes that systemd restarts repeatedly, because they keep crashing",
      }),
      notes,
      sync: Sync,
    }),
  ),
  "What is deployed: a repository or an app, with its settings and domains",
);

export const ProjectReply = named("ProjectReply", Joined(Success({}), Project));

const ProjectPage = Page(Project);
export type ProjectPage = Static<typeof ProjectPage>;

/** Of whole records, as it is documented, or of summaries: the serializer requires what both have. */
export const ProjectsPage = Object.assign(
  Page(Type.Object({ ...Type.Partial(Project).properties, ...ProjectSummary.properties })),
  {
    documentedAs: ProjectPage,
  },
);

const RepositoryName = Type.String({
  maxLength: 2_000,
  title: "repository",
  description: "An address, such as `https://git.example.com/acme/shop.git`, or `owner/name` at the host of `type`",
});
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
const Branch = Type.String({
  maxLength: 240,
  title: "branch",
  description: "What is deployed, and whose pushes count with auto-deploy",
});
const FrameworkId = Type.Integer({ minimum: 1, maximum: maxId, title: "framework", description: frameworkIds });
/** In characters. */
export const longestEnvironment = 200_000;
const Environments = Type.String({
  maxLength: longestEnvironment,
  title: "text of the environment variables",
  description: "Text of a .env file",
});
/** The logs that the server keeps of a project. */
export const logTypes = ["access", "error", "php", "output", "app"] as const;
export type LogType = (typeof logTypes)[number];

const GitRepository = named(
  "GitRepository",
  Type.Object({ repo: RepositoryName, type: RepositorySource, branch: Branch }),
  "The repository and the branch",
);
const GitRepositoryUpdate = named(
  "GitRepositoryUpdate",
  Type.Partial(Type.Object({ repo: RepositoryName, type: RepositorySource, branch: Branch })),
  "What is omitted stays; not for a catalog application",
);

const ofNew = creationIn(projectSettings);
const { auto_deploy_is_active: _auto, custom_commands: _custom, notes: _notes, ...rest } = ofNew;
const { environment: _environment, project_group_id: _group, zero_downtime: _zero, ...othersOfNew } = rest;

export const ProjectRequest = named(
  "ProjectRequest",
  Type.Object({
    name: described(Name, "For people; need not be unique"),
    server_id: Type.Integer({ minimum: 1, maximum: maxId, title: "server", description: "An App server" }),
    domain: Type.String({
      maxLength: 300,
      description: "The primary domain, such as shop.example.com, which no other project has",
    }),
    framework_id: FrameworkId,
    git_repository: GitRepository,
    environment_variables: Type.Optional(Nullable(Environments)),
    www_redirect: Type.Optional(OneOfIntegers([0, 1, 2], { description: `${wwwRedirects}; default: 0` })),
    auto_deploy_is_active: ofNew.auto_deploy_is_active,
    ssl_is_enabled: Type.Optional(described(Switch, "Whether a certificate is ordered and HTTPS served; default: off")),
    custom_commands: Type.Optional(Nullable(CustomCommandsRequest)),
    environment: ofNew.environment,
    project_group_id: ofNew.project_group_id,
    zero_downtime: ofNew.zero_downtime,
    ...othersOfNew,
    ...siteCreation,
    notes: ofNew.notes,
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
    Type.Object({
      value: Type.String({ description: "Can be sent as it is" }),
      reason: Type.String({ description: "What it was concluded from" }),
    }),
    "A proposed setting, and the reason for it",
  ),
);
const PathsProposal = Nullable(
  named(
    "PathsProposal",
    Type.Object({
      value: Type.Array(Type.String(), { description: "Can be sent as they are" }),
      reason: Type.String({ description: "What they were concluded from" }),
    }),
    "Proposed paths, and the reason for them",
  ),
);
const reason = described(text, "What it was concluded from");
const ProposedFramework = named(
  "ProposedFramework",
  Type.Object({
    id: described(Id, "For `framework_id`"),
    name: described(text, "For `framework` of an update"),
    label: described(text, "For display"),
    reason,
  }),
  "What the repository is made with",
);
const ProposedPackageManager = named(
  "ProposedPackageManager",
  Type.Object({
    name: described(text, "npm, pnpm, yarn or bun"),
    version: Nullable(Type.String({ description: "If one is named" })),
    reason,
  }),
  "What installs the packages of Node",
);
const ProposedJob = named(
  "ProposedJob",
  Type.Object({ name: text, command: described(text, "What runs continuously"), reason }),
  "A background job for `POST /projects/:id/background-jobs`, and the reason for it",
);
const ProposedSchedulerJob = named(
  "ProposedSchedulerJob",
  Type.Object({
    name: text,
    command: described(text, "What runs at these times"),
    cron_expression: described(text, "Five fields, in the server's time zone"),
    reason,
  }),
  "A scheduled job for `POST /projects/:id/scheduler-jobs`, and the reason for it",
);

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
    scheduler_jobs: Type.Array(ProposedSchedulerJob, {
      description: "What the framework runs at times, such as Laravel's scheduler",
    }),
    background_jobs: Type.Array(ProposedJob, {
      description: "The lines of a Procfile, or the workers of the framework",
    }),
    notes: Type.Array(Type.String(), { description: "Decisions that are left to the user, a sentence each" }),
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

const { notes: notesAfter, ...changes } = givenIn(projectSettings);

export const ProjectUpdate = named(
  "ProjectUpdate",
  Type.Object({
    name: Type.Optional(described(Name, "For people; need not be unique")),
    git_repository: Type.Optional(GitRepositoryUpdate),
    framework: Type.Optional(
      OneOf(
        frameworks.map((each) => each.name),
        {
          description: `In place of framework_id: ${frameworks.map((each) => `${each.name} ${each.label}`).join(", ")}`,
        },
      ),
    ),
    framework_id: Type.Optional(FrameworkId),
    ...changes,
    ...siteUpdate,
    notes: notesAfter,
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

const logFilter = {
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: "^[^\\r\\n]*$",
      title: "text",
      description: "What the lines contain, in any case; default: anything",
    }),
  ),
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: "^(\\d{1,6}[smhd]|\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d))?)$",
      description: "No line before this time, such as 2026-03-01T10:20:30Z, or so long ago, such as 15m, 2h or 7d",
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
  ...logFilter,
});

const LogEntry = named(
  "LogEntry",
  Type.Object({
    at: Nullable({ ...Timestamp, description: "When it was written; null when the log does not show that" }),
    text: Type.String({ description: "The line; secrets that a program printed are masked" }),
  }),
  "A line of a log",
);
const entries = Type.Array(LogEntry, { description: "The same lines, with their times" });

const ProjectLog = named(
  "ProjectLog",
  Type.Object({
    type: OneOf(logTypes, { description: "The log that was read" }),
    lines: Type.Array(text, { description: "The oldest first" }),
    entries,
  }),
  "The end of a log",
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
  type: Type.Optional(OneOf(logTypes, { description: "default: output of a Node project, php of any other" })),
  ...liveLines,
  ...logFilter,
});

export const LiveLines = named(
  "LiveLines",
  Type.Object(
    {
      lines: Type.Array(text, { description: "The oldest first; at most 200. Long lines are cut." }),
      left_out: Type.Integer({ description: "Lines before these that are not shown, because too many came at once" }),
      entries,
    },
    { description: "The `data` of each event `lines`. Its `id` is the place to resume from." },
  ),
);

export const EnvironmentRequest = named("EnvironmentRequest", Type.Object({ environment_variables: Environments }));
export const EnvironmentUpdate = named("EnvironmentUpdate", EnvironmentRequest);

export const VariableParams = Type.Object({
  id: Id,
  name: Type.String({ minLength: 1, maxLength: 300, description: "The variable, as in its line of the `.env` text" }),
});
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
    project_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: 1_000,
      title: "list of projects",
      description: "1 to 1,000 ids",
    }),
    auto_deploy_is_active: described(Switch, "Whether a push to the project's branch deploys it"),
  }),
);

/** Of its fields only those that describe many projects at once. */
export const BulkRequest = named(
  "ProjectBulkUpdate",
  Type.Object({
    project_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: 1_000,
      title: "list of projects",
      description: "The projects; a repeated id counts once",
    }),
    project_group_id: changes.project_group_id,
    environment: changes.environment,
  }),
);

export const ProjectCreated = named(
  "ProjectCreated",
  Success({ message: text, project_id: Type.String({ description: "The id, as a text" }) }),
);
export const AvailabilityQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 300, description: "The name to check" })),
  domain: Type.Optional(Type.String({ maxLength: 300, description: "The domain to check" })),
});
const Availability = named(
  "Availability",
  Type.Object({
    value: Type.String({ description: "As it would be stored" }),
    is_available: Type.Boolean({ description: "Whether a new project can have it" }),
    reason: Nullable(Type.String({ description: "Why not" })),
  }),
);
const ProjectAvailability = named(
  "ProjectAvailability",
  Type.Object({
    name: Nullable({ ...Availability, description: "null: not asked for" }),
    domain: Nullable({ ...Availability, description: "null: not asked for" }),
  }),
  "What a new project can be called and answer to",
);
export const AvailabilityReply = Reply(ProjectAvailability);
export const ProjectPinned = named(
  "ProjectPinned",
  Success({ is_pinned: Type.Boolean({ description: "Whether the caller has it pinned now" }) }),
);
export const ProjectChanged = named("ProjectChanged", Success({ message: text, project_id: Id }));
export const ProjectDeleted = named(
  "ProjectDeleted",
  Success({ message: text, project_id: Id, plan: Type.Optional(Plan) }),
);
const EnvironmentVariable = named(
  "EnvironmentVariable",
  Type.Object({
    name: described(text, "As in its line"),
    masked: Type.Boolean({ description: "Whether logs mask the value, or a part of it" }),
    updated_at: Nullable({ ...Timestamp, description: "When its value was last set; null: before this was recorded" }),
    updated_by: Nullable(Type.Object({ id: Id, name: text }, { description: "null: unknown, or the account is gone" })),
    is_live: Type.Boolean({
      description:
        "Whether the live release has this value, on all of its servers; otherwise it applies from the next deployment on",
    }),
  }),
  "A variable of a project's environment, without its value",
);
export const EnvironmentNames = List(EnvironmentVariable);

const EnvironmentComparison = named(
  "EnvironmentComparison",
  Type.Object({
    added: Type.Array(text, { description: "Those that only the text has" }),
    changed: Type.Array(text, { description: "Those whose value is another one in the text" }),
    removed: Type.Array(text, { description: "Those that the text does not have" }),
    unchanged: Type.Integer({ description: "How many stay as they are" }),
  }),
  "The names of the variables that a text would change",
);
export const EnvironmentCompared = Reply(EnvironmentComparison);
export const AutoDeploySet = named(
  "AutoDeploySet",
  Success({ updated_count: Type.Integer({ description: "Projects that were named, each counted once" }) }),
);
export const ManyUpdated = named(
  "ProjectsUpdated",
  Success({ updated_count: Type.Integer({ description: "Projects that were named, each counted once" }) }),
);

const Framework = named(
  "Framework",
  Type.Object({
    id: described(Id, "For `framework_id`"),
    name: described(text, "For `framework` of an update"),
    label: described(text, "For display"),
    runtime_family: OneOf(["php", "node", "static"], {
      description: "How releases are served; a project can change within its family only",
    }),
    defaults: Type.Object(
      {
        install: described(text, "Installs the packages"),
        build: described(text, "Runs after the install"),
        dev: described(text, "Starts the process; empty: there is none"),
        directory: described(text, "Where the application is; empty: the root of the repository"),
      },
      { description: "The `custom_commands` of a project that sets none" },
    ),
    public_directory: described(text, "What visitors get; empty: the working directory"),
    zero_downtime: Type.Boolean({ description: "Whether releases replace each other without a pause" }),
  }),
  "What a project can be made with",
);
export const FrameworkList = List(Framework);
