import { type Static, Type } from "typebox";
import { tagPattern } from "../../../host/git/tag-pattern.ts";
import { pathInRelease } from "../../../host/layout.ts";
import { phpSettings } from "../../../host/php/php-versions.ts";
import { parseMemory } from "../../../host/systemd/unit.ts";
import { described, Id, Nullable, named, OneOf, OneOfIntegers } from "../../../http/schemas.ts";
import { initialIn, onOff, type StoredIn, setting } from "../../../http/settings.ts";
import { environments } from "../../servers/schema.ts";

const text = Type.String();
const Flag = OneOfIntegers([0, 1]);
const Environment = Nullable(OneOf(environments, { description: "A label; null: none" }));

const CustomCommands = named(
  "CustomCommands",
  Type.Object({
    dev: described(text, "Starts the process of a Node project"),
    install: described(text, "Installs the packages"),
    build: described(text, "Runs after the install"),
    directory: described(text, "Where the application is in the repository; empty: its root"),
    custom: described(text, "A script that runs after the build; empty: none"),
  }),
  "What a deployment runs: the project's commands, and the framework's where it has none",
);

/** Bounded, so that a command cannot be used to fill the database. */
const Command = Type.String({ maxLength: 10_000 });

export const CustomCommandsRequest = named(
  "CustomCommandsRequest",
  Type.Object({
    dev: Type.Optional(described(Command, "Starts the process of a Node project")),
    install: Type.Optional(described(Command, "Installs the packages")),
    build: Type.Optional(described(Command, "Runs after the install")),
    directory: Type.Optional(
      Type.String({ maxLength: 400, description: "Where the application is in the repository; empty: its root" }),
    ),
    custom: Type.Optional(
      Type.String({ maxLength: 100_000, description: "A script, one command a line, that runs after the build" }),
    ),
  }),
  "What a deployment runs; an empty command is the framework's default",
);

/** The user's commands among the five; the framework's apply for the rest. */
export type CustomCommands = Static<typeof CustomCommandsRequest>;

/** An empty command means the framework's default, so it is not stored. */
const withoutEmpty = (commands: CustomCommands): CustomCommands =>
  Object.fromEntries(Object.entries(commands).filter(([, value]) => value !== ""));

/** A list of relative paths; null and an empty text are the empty list. */
const paths = (title: string, description: string) => ({
  shown: Type.Array(text, { description }),
  given: Type.Unsafe<string[] | "" | null>({
    anyOf: [
      { type: "array", items: { type: "string", minLength: 1, maxLength: 400 }, maxItems: 100 },
      { type: "string", maxLength: 0 },
      { type: "null" },
    ],
    title,
    errorMessage: `The ${title} must be a list of at most 100 relative paths.`,
  }),
  initial: [],
  store: (given: string[] | "" | null): string[] => given || [],
});

const orNull = <Value>(given: Value) => given || null;

/**
 * The settings of a project besides its name, its framework and its repository, which a request gives in a form of their own. What
 * a schema cannot express is checked in `validation.ts`.
 */
export const projectSettings = {
  project_group_id: setting({
    shown: Nullable(Type.Integer({ description: "The group of which it is an environment; null: none" })),
    given: Nullable(Id),
    initial: null,
  }),
  environment: setting({ shown: Environment, given: Environment, initial: null }),
  custom_commands: setting({
    shown: CustomCommands,
    given: CustomCommandsRequest,
    initial: {},
    store: (given, current): CustomCommands => withoutEmpty({ ...current, ...given }),
  }),
  max_memory: setting({
    shown: Nullable(described(text, "Most memory of its processes on each server, such as 512MB; null: no limit")),
    given: Nullable(Type.String({ maxLength: 20, description: "Such as 512MB or 2GB; null or empty: no limit" })),
    initial: null,
    store: orNull,
    plan: (memory) => ({ maxMemoryMb: memory ? parseMemory(memory) : undefined }),
  }),
  auto_deploy_is_active: setting({
    ...onOff(),
    shown: described(Flag, "Whether a push to the branch deploys it: 0 off, 1 on; default: 0"),
    initial: false,
  }),
  deploy_tags: setting({
    shown: Nullable(
      Type.String({
        description:
          "Which tags are deployed when they are pushed, such as `v*`: `*` stands for any characters, `?` for one; null or empty: " +
          "none. It does not depend on `auto_deploy_is_active`",
      }),
    ),
    given: Nullable(
      Type.Unsafe<string>({
        anyOf: [
          { type: "string", maxLength: 0 },
          { type: "string", maxLength: 100, pattern: tagPattern },
        ],
        errorMessage:
          "The tags must be a pattern such as v*, at most 100 characters long: the characters of a tag's name, * for any characters, ? for one.",
      }),
    ),
    initial: null,
    store: orNull,
  }),
  always_rebuild_frontend: setting({
    ...onOff(),
    shown: described(
      Flag,
      "Whether the frontend of a PHP project is built also when its inputs did not change: 0 off, 1 on; default: 0",
    ),
    initial: false,
    plan: (alwaysRebuildFrontend) => ({ alwaysRebuildFrontend }),
    scope: "change",
  }),
  shared_directories: setting(
    paths(
      "shared directories",
      "Paths in the release that all releases share; `!` before one switches a framework's off",
    ),
  ),
  shared_files: setting(
    paths("shared files", "Files in the release that all releases share; `!` before one switches a framework's off"),
  ),
  output_directory: setting({
    shown: Nullable(
      Type.String({
        description: "The directory that is served, below the working directory; null or empty: detected",
      }),
    ),
    given: Nullable(Type.String({ maxLength: 400 })),
    initial: null,
    store: orNull,
    plan: (directory) => ({ outputDirectory: directory ? (pathInRelease(directory) ?? ".") : undefined }),
  }),
  health_path: setting({
    shown: Type.String({ description: "Path that a release has to answer before it counts as served; default: /" }),
    given: Type.String({
      maxLength: 500,
      pattern: "^/[A-Za-z0-9._~:/?@!$&'()*+,;=%-]*$",
      errorMessage: "The health path must be a path such as /up, at most 500 characters long.",
    }),
    initial: "/",
  }),
  health_status: setting({
    shown: Nullable(
      Type.Array(Type.Integer(), { description: "The accepted statuses of the answer; null: any below 500" }),
    ),
    given: Nullable(
      Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), { maxItems: 20, title: "list of health statuses" }),
    ),
    initial: null,
    store: (given) => (given && given.length > 0 ? [...new Set(given)] : null),
  }),
  start_timeout_seconds: setting({
    shown: Type.Integer({
      description:
        "How long a new process may take until it answers; Node only. With the default of 60, a process that has listened on " +
        "another port for 10 seconds, and not on PORT, fails then",
    }),
    given: Type.Integer({ minimum: 5, maximum: 600 }),
    initial: 60,
  }),
  php_version: setting({
    shown: Nullable(
      Type.String({
        description: "The version of PHP, from the next deployment on; null: the one that composer.json asks for",
      }),
    ),
    given: Nullable(OneOf(phpSettings, { title: "PHP version" })),
    initial: null,
    plan: (version) => ({ phpVersion: version ?? undefined }),
  }),
  node_version: setting({
    shown: Nullable(
      Type.String({ description: "The version of Node; null: the one that the repository's files ask for" }),
    ),
    given: Nullable(
      Type.String({
        maxLength: 20,
        pattern: "^([0-9]{1,3}([.][0-9]{1,4}){0,2}|lts/[*]|default)?$",
        errorMessage: "The Node version must be one such as 22, 22.12 or 22.12.0, lts/* or default.",
      }),
    ),
    initial: null,
    store: orNull,
    plan: (version) => ({ nodeVersion: version ?? undefined }),
  }),
  zero_downtime: setting({
    shown: Type.Boolean({
      description:
        "Whether each deployment makes a release of its own, which replaces the live one without a pause; default: true",
    }),
    given: Type.Boolean(),
    initial: true,
    plan: (zeroDowntime) => ({ zeroDowntime }),
  }),
  drain_timeout_seconds: setting({
    shown: Type.Integer({
      description:
        "Seconds that requests and connections of a Node project may last after a switch, before its old process is ended; " +
        "default: 30",
    }),
    given: Type.Integer({ minimum: 1, maximum: 900 }),
    initial: 30,
    plan: (drainTimeoutSeconds) => ({ drainTimeoutSeconds }),
    scope: "change",
  }),
  build_cache: setting({
    ...onOff({ description: "Whether the caches of build tools are kept for the next build of a branch; default: on" }),
    initial: true,
    plan: (buildCache) => ({ buildCache }),
    scope: "change",
  }),
  discard_written_files: setting({
    ...onOff({
      description:
        "Whether files that the application has written into the live release, outside of shared paths, may get lost; if not, " +
        "they stop a deployment",
    }),
    initial: false,
    scope: "change",
  }),
  kept_releases_mb: setting({
    shown: Type.Integer({
      description:
        "Disk space that the kept releases may use together, in MB; the live one and the one before it are always kept; default: 5000",
    }),
    given: Type.Integer({ minimum: 100, maximum: 1_000_000 }),
    initial: 5_000,
    plan: (keptReleasesMb) => ({ keptReleasesMb }),
    scope: "change",
  }),
  rollback_on_down: setting({
    ...onOff({
      description:
        "Whether a deployment is rolled back automatically when a monitor goes down within 5 minutes after it became live",
    }),
    initial: false,
    scope: "change",
  }),
  notes: setting({
    shown: Nullable(described(text, "Free text for people")),
    given: Nullable(Type.String({ maxLength: 10_000 })),
    initial: null,
  }),
};

/** The settings in a row of `projects`. */
export type ProjectSettings = StoredIn<typeof projectSettings>;

export const initialSettings: ProjectSettings = initialIn(projectSettings);
