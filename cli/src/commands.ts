import type { CommandGroup, CommandSpec, FlagSpec } from "./command.ts";

const project: FlagSpec = { spec: "-p, --project <project>", about: "the project; default: the one of this folder" };
const limit: FlagSpec = { spec: "--limit <count>", about: "how many, at most 100" };
const search: FlagSpec = { spec: "-s, --search <text>", about: "only those that contain this" };
const yes: FlagSpec = { spec: "-y, --yes", about: "ask nothing" };
const dryRun: FlagSpec = { spec: "--dry-run", about: "print the plan, and change nothing" };
const timeout: FlagSpec = {
  spec: "--timeout <time>",
  about: "stop watching after this time, such as 10m: exit status 7",
};
const detach: FlagSpec = {
  spec: "-d, --detach",
  about: "return when it is queued; the result is the number of the deployment",
};
const cancelOnInterrupt: FlagSpec = {
  spec: "--cancel-on-interrupt",
  about: "Ctrl-C and SIGTERM cancel, and wait for the end",
};
const attached = [detach, timeout, cancelOnInterrupt] as const;

const signIn: readonly CommandSpec[] = [
  {
    words: "login",
    args: "[address]",
    about: "sign in to an installation",
    details:
      "Shows a code and an address. There a person who is signed in to the console compares the code, and chooses the organization, the permissions and " +
      "the expiry of the token that this device gets. With --token-stdin a token that exists is read from standard input instead.",
    flags: [{ spec: "--token-stdin", about: "read a token from standard input" }],
    examples: [
      { line: "longshore login https://panel.example.com", about: "sign in with a browser" },
      {
        line: 'printf %s "$TOKEN" | longshore login https://panel.example.com --token-stdin',
        about: "sign in with a token",
      },
    ],
    load: async () => (await import("./verbs/sign-in.ts")).login,
  },
  {
    words: "logout",
    args: "[address]",
    about: "revoke the tokens of this device and forget them",
    examples: [{ line: "longshore logout", about: "sign out of the installation that is used" }],
    load: async () => (await import("./verbs/sign-in.ts")).logout,
  },
  {
    words: "whoami",
    about: "show account, organization and permissions",
    examples: [{ line: "longshore whoami", about: "as whom commands work" }],
    load: async () => (await import("./verbs/sign-in.ts")).whoami,
  },
  {
    words: "use",
    args: "[installation] [organization]",
    about: "list where you are signed in, or choose where commands work",
    details: "One argument is an organization of the current installation, by its id or name.",
    examples: [
      { line: "longshore use", about: "list installations and organizations" },
      { line: "longshore use Harbour", about: "work in this organization from now on" },
      { line: "longshore use panel.example.com Harbour", about: "of another installation" },
    ],
    load: async () => (await import("./verbs/sign-in.ts")).use,
  },
  {
    words: "link",
    args: "[project]",
    about: "link this folder to a project",
    details:
      "Writes .longshore.json, which holds no secret: commit it. Commands in this folder and below it then need no project.",
    examples: [
      { line: "longshore link shop", about: "commands in this folder are about the project shop" },
      { line: "longshore link", about: "show what it is linked to" },
    ],
    load: async () => (await import("./verbs/sign-in.ts")).link,
  },
  {
    words: "open",
    args: "[project]",
    about: "open the site of a project in a browser, or print its address",
    flags: [{ spec: "--console", about: "its page in the console" }],
    examples: [{ line: "longshore open shop", about: "the site of shop" }],
    load: async () => (await import("./verbs/sign-in.ts")).open,
  },
];

const deploying: readonly CommandSpec[] = [
  {
    words: "deploy",
    args: "[project...]",
    about: "deploy projects, and stay until they are live",
    details:
      "The result is the address of the site. The exit status is the end of the deployment as its record has it: 0 live, 6 failed, 2 cancelled, 7 not " +
      "known. A connection that breaks is resumed, for as long as it takes. Ctrl-C stops watching, and the deployment continues.",
    flags: [
      { spec: "-b, --branch <name>", about: "deploy this branch once" },
      { spec: "-c, --commit <id>", about: "deploy this commit, complete or by its first characters" },
      { spec: "--once-per-commit", about: "with --commit: use its deployment if there is one that has not failed" },
      ...attached,
    ],
    examples: [
      { line: "longshore deploy", about: "the project of this folder" },
      { line: "longshore deploy shop blog", about: "two projects at the same time" },
      { line: "longshore deploy shop --branch main --timeout 20m", about: "another branch, for 20 minutes at most" },
      { line: "longshore deploy shop --detach", about: "return at once" },
    ],
    load: async () => (await import("./verbs/deploy.ts")).deploy,
  },
  {
    words: "deployments",
    about: "list deployments",
    flags: [
      { spec: "-p, --project <project>", about: "of this project" },
      { spec: "--server <server>", about: "on this server" },
      {
        spec: "--status <names>",
        about: "queued, running, cancelling, success, failed, cancelled; several between commas",
      },
      limit,
    ],
    examples: [
      { line: "longshore deployments --project shop --limit 5", about: "the newest ones of a project" },
      { line: "longshore deployments --status failed --json=id,error", about: "as JSON, with two fields" },
    ],
    load: async () => (await import("./verbs/deployments.ts")).listDeployments,
  },
  {
    words: "deployments show",
    args: "<deployment>",
    about: "show a deployment with its steps",
    flags: [{ spec: "--log", about: "print its log" }],
    examples: [{ line: "longshore deployments show 1 --log", about: "with its log" }],
    load: async () => (await import("./verbs/deployments.ts")).showDeployment,
  },
  {
    words: "deployments watch",
    args: "<deployment>",
    about: "follow a deployment to its end; the exit status is as of deploy",
    flags: [timeout],
    examples: [{ line: "longshore deployments watch 1", about: "from its first line on" }],
    load: async () => (await import("./verbs/deployments.ts")).watchDeployment,
  },
  {
    words: "deployments cancel",
    args: "<deployment>",
    about: "cancel a deployment",
    examples: [{ line: "longshore deployments cancel 1", about: "one that has ended cannot be cancelled", status: 3 }],
    load: async () => (await import("./verbs/deployments.ts")).cancelDeployment,
  },
  {
    words: "deployments rerun",
    args: "<deployment>",
    about: "run a failed deployment again, and stay until its end",
    flags: attached,
    examples: [{ line: "longshore deployments rerun 1", about: "one that was successful is not run again", status: 3 }],
    load: async () => (await import("./verbs/deployments.ts")).rerunDeployment,
  },
  {
    words: "rollback",
    args: "[project] [deployment]",
    about: "make an earlier release live again",
    details: "Without a deployment a person chooses from a list; with --yes it is the previous release.",
    flags: [yes, dryRun, ...attached],
    examples: [
      { line: "longshore rollback shop --dry-run", about: "what would happen" },
      { line: "longshore rollback shop --yes", about: "to the previous release" },
      { line: "longshore rollback shop 1", about: "to the release of a deployment" },
    ],
    load: async () => (await import("./verbs/rollback.ts")).rollBack,
  },
];

const projects: readonly CommandSpec[] = [
  {
    words: "projects",
    about: "list projects",
    flags: [
      search,
      { spec: "--state <names>", about: "live, deploying, failed and others; several between commas" },
      { spec: "--server <server>", about: "on this server" },
      limit,
    ],
    examples: [
      { line: "longshore projects", about: "all of the organization" },
      { line: "longshore projects --state live --json name,url", about: "as JSON, with two fields" },
    ],
    load: async () => (await import("./verbs/projects.ts")).listProjects,
  },
  {
    words: "projects show",
    args: "[project]",
    about: "show a project",
    examples: [{ line: "longshore projects show shop", about: "state, address, live commit" }],
    load: async () => (await import("./verbs/projects.ts")).showProject,
  },
  {
    words: "projects create",
    args: "<name>",
    about: "create a project from a repository, and stay until its first deployment ended",
    details: "Without --framework the repository is looked at, and the commands that were found are used.",
    flags: [
      { spec: "--repo <address>", about: "the repository: an address, or owner/name with --source" },
      {
        spec: "--source <type>",
        about: "git_host_a, git_host_b, git_host_c, git, or source_ID of a connected account; default: git",
      },
      { spec: "-b, --branch <name>", about: "what is deployed; default: main" },
      { spec: "--server <server>", about: "where it is served" },
      { spec: "--domain <name>", about: "its primary domain" },
      { spec: "--framework <name>", about: "such as laravel, next-js or static-files, or its number" },
      ...attached,
    ],
    examples: [
      {
        line: "longshore projects create docs --repo https://git.example.com/acme/docs.git --server web-1 --domain docs.example.com --framework static-files --detach",
        about: "a site of static files",
      },
    ],
    load: async () => (await import("./verbs/project-changes.ts")).createProject,
  },
  {
    words: "projects set",
    args: "<setting...>",
    about: "change settings of a project, each as name=value with the name that the API has for it",
    details:
      "The names are those of PUT /api/v1/projects/:id in the documentation of the API. Values are read as those of the command api; `deploy_tags=` has an " +
      "empty one.",
    flags: [project],
    examples: [
      { line: "longshore projects set deploy_tags='v*' --project shop", about: "deploy tags that are pushed" },
      { line: "longshore projects set auto_deploy_is_active=false notes='Sells boats' -p shop", about: "two at once" },
    ],
    load: async () => (await import("./verbs/project-changes.ts")).changeProject,
  },
  {
    words: "projects move",
    args: "<project> <server>",
    about: "move a project to another server, with its files and databases",
    flags: [
      { spec: "--leave-databases", about: "also if databases that it uses stay behind" },
      yes,
      dryRun,
      ...attached,
    ],
    examples: [{ line: "longshore projects move shop web-2 --dry-run", about: "what would happen" }],
    load: async () => (await import("./verbs/project-changes.ts")).moveProject,
  },
  {
    words: "logs",
    args: "[project]",
    about: "print the end of a project's log",
    flags: [
      { spec: "-f, --follow", about: "print what is new, until Ctrl-C" },
      {
        spec: "--type <log>",
        about:
          "access, error, php, output, app (of a framework: storage/logs, var/log); default: output of a Node project, access of others",
      },
      { spec: "--since <time>", about: "no older lines: 15m, 2h, 7d, or a time in ISO 8601" },
      { spec: "--grep <text>", about: "only lines that contain this, in any case" },
      { spec: "-n, --lines <count>", about: "how many; default: 100" },
      { spec: "--server <server>", about: "of one server of a project behind a load balancer" },
    ],
    examples: [
      { line: "longshore logs shop --type error --since 2h", about: "errors of the last two hours", needsServer: true },
    ],
    load: async () => (await import("./verbs/logs.ts")).showLogs,
  },
  {
    words: "run",
    args: "[project] [words...]",
    about: "run a command in the live release of a project",
    details:
      "The result is what the command prints. A single word is a line for the shell; several are quoted as they were typed.",
    flags: [
      { spec: "--limit <time>", about: "end the command after this time; default: 30m" },
      { spec: "--server <server>", about: "on one server of a project behind a load balancer" },
      timeout,
      cancelOnInterrupt,
    ],
    examples: [{ line: "longshore run shop -- ls -l", about: "list the files of the live release", needsServer: true }],
    load: async () => (await import("./verbs/run.ts")).runCommand,
  },
  {
    words: "env",
    about: "list the environment variables of a project; values are never shown",
    flags: [project],
    examples: [{ line: "longshore env --project shop", about: "names, and which are live" }],
    load: async () => (await import("./verbs/env.ts")).listVariables,
  },
  {
    words: "env pull",
    args: "[file]",
    about: "write the names as lines of an .env file",
    flags: [project],
    examples: [{ line: "longshore env pull --project shop", about: "to standard output" }],
    load: async () => (await import("./verbs/env.ts")).pullNames,
  },
  {
    words: "env push",
    args: "<file>",
    about: "replace all variables with those of a file",
    details:
      "A file - is standard input. They apply from the next deployment on. Variables that are deleted have to be confirmed.",
    flags: [project, yes, dryRun],
    examples: [
      { line: "longshore env push .env --project shop --dry-run", about: "what would change" },
      { line: "longshore env push .env --project shop --yes", about: "replace them" },
    ],
    load: async () => (await import("./verbs/env.ts")).pushVariables,
  },
  {
    words: "env diff",
    args: "<file>",
    about: "compare a file with the variables of a project, by name",
    flags: [project],
    examples: [{ line: "longshore env diff .env --project shop", about: "+ new, ~ changed, - missing" }],
    load: async () => (await import("./verbs/env.ts")).diffVariables,
  },
  {
    words: "env set",
    args: "<name>",
    about: "set one variable",
    details:
      "The value is asked for, or read from standard input. NAME=VALUE is possible too, for values that may be in the history of the shell.",
    flags: [project],
    examples: [
      { line: "longshore env set MODE=production --project shop", about: "a value that is no secret" },
      { line: "longshore env set API_KEY --project shop < key.txt", about: "a secret" },
    ],
    load: async () => (await import("./verbs/env.ts")).setVariable,
  },
  {
    words: "env unset",
    args: "<name...>",
    about: "remove variables",
    flags: [project],
    examples: [{ line: "longshore env unset MODE --project shop", about: "remove one" }],
    load: async () => (await import("./verbs/env.ts")).unsetVariable,
  },
  {
    words: "php",
    args: "[project]",
    about: "show the PHP settings of a project",
    examples: [
      { line: "longshore php shop --json", about: "of a project that does not run on PHP it is refused", status: 3 },
    ],
    load: async () => (await import("./verbs/php.ts")).showPhp,
  },
  {
    words: "php set",
    args: "<setting...>",
    about: "change PHP settings of a project, each as name=value; no deployment is needed",
    details:
      "memory_limit_mb, max_execution_seconds, max_workers, opcache_is_enabled, opcache_memory_mb, extensions[] (each adds one; the list replaces the former " +
      "one, and extensions=[] is none). null is the value of the server.",
    flags: [project],
    examples: [
      {
        line: "longshore php set memory_limit_mb=512 extensions[]=imagick --project shop",
        about: "of a project that does not run on PHP it is refused",
        status: 3,
      },
    ],
    load: async () => (await import("./verbs/php.ts")).setPhp,
  },
  {
    words: "domains",
    about: "list the domains of a project",
    flags: [project],
    examples: [{ line: "longshore domains --project shop", about: "with what the DNS answered last" }],
    load: async () => (await import("./verbs/domains.ts")).listDomains,
  },
  {
    words: "domains add",
    args: "<domain>",
    about: "add a domain to a project",
    flags: [project],
    examples: [{ line: "longshore domains add www.shop.example.com --project shop", about: "an additional name" }],
    load: async () => (await import("./verbs/domains.ts")).addDomain,
  },
  {
    words: "domains check",
    args: "[domain]",
    about: "check where a domain leads; 1 while it does not lead to the server",
    flags: [project, { spec: "--server <server>", about: "for a name that no project has yet" }],
    examples: [{ line: "longshore domains check --project shop", about: "the primary domain", status: 1 }],
    load: async () => (await import("./verbs/domains.ts")).checkDomain,
  },
  {
    words: "redirects",
    about: "list the redirects of a project by path",
    flags: [project],
    examples: [{ line: "longshore redirects --project shop", about: "the first one that matches applies" }],
    load: async () => (await import("./verbs/redirects.ts")).listRedirects,
  },
  {
    words: "redirects add",
    args: "<path> [target]",
    about: "add a redirect after the others; without a target, the path is gone (410)",
    flags: [
      project,
      { spec: "--status <status>", about: "301, 302, 307, 308 or 410; default: 301" },
      {
        spec: "--match <match>",
        about: "exact, prefix or pattern; default: pattern for a path with placeholders, else exact",
      },
      { spec: "--drop-query", about: "do not add the query of the request to the target" },
    ],
    examples: [
      { line: "longshore redirects add /blog/:slug /news/:slug --project shop", about: "each page below /blog" },
    ],
    load: async () => (await import("./verbs/redirects.ts")).addRedirect,
  },
  {
    words: "redirects delete",
    args: "<path>",
    about: "delete the redirects of a path",
    flags: [project],
    examples: [{ line: "longshore redirects delete /blog/:slug --project shop", about: "as it was added" }],
    load: async () => (await import("./verbs/redirects.ts")).deleteRedirect,
  },
  {
    words: "redirects import",
    args: "[file]",
    about: "import a _redirects or .htaccess file, or standard input; 1 if lines were left out",
    flags: [
      project,
      { spec: "--replace", about: "in place of the redirects that the project has" },
      { spec: "--htaccess", about: "the text is that of an .htaccess file, whatever the name of the file" },
    ],
    examples: [
      { line: "echo '/old /new 301' | longshore redirects import - --project shop", about: "from standard input" },
    ],
    load: async () => (await import("./verbs/redirects.ts")).importRedirects,
  },
  {
    words: "jobs",
    args: "[project]",
    about: "list background and scheduled jobs of a project",
    examples: [{ line: "longshore jobs shop", about: "with their states" }],
    load: async () => (await import("./verbs/lists.ts")).listJobs,
  },
];

const others: readonly CommandSpec[] = [
  {
    words: "servers",
    about: "list servers",
    flags: [search, limit],
    examples: [{ line: "longshore servers", about: "all of the organization" }],
    load: async () => (await import("./verbs/servers.ts")).listServers,
  },
  {
    words: "servers add",
    args: "[name]",
    about: "add a machine of your own; the result is the command that connects it",
    flags: [
      { spec: "--ip <address>", about: "its address" },
      {
        spec: "--os <system>",
        about: "debian_13, debian_12, ubuntu_26_04, ubuntu_24_04, ubuntu_22_04; default: debian_13",
      },
      { spec: "--type <type>", about: "app, database, cache, search, load-balancer; default: app" },
      { spec: "--database <engine>", about: "mariadb, postgresql, none" },
      { spec: "--ssh-port <port>", about: "default: 22" },
    ],
    examples: [{ line: "longshore servers add web-3 --ip 192.0.2.7", about: "prints what to run on it" }],
    load: async () => (await import("./verbs/servers.ts")).addServer,
  },
  {
    words: "servers show",
    args: "<server>",
    about: "show a server",
    examples: [{ line: "longshore servers show web-1", about: "state, address, projects" }],
    load: async () => (await import("./verbs/servers.ts")).showServer,
  },
  {
    words: "servers protect",
    args: "<server>",
    about: "protect a server from deletion, or with --off allow it",
    flags: [{ spec: "--off", about: "allow its deletion, also while projects are live on it" }],
    examples: [{ line: "longshore servers protect web-1", about: "also against requests of the API" }],
    load: async () => (await import("./verbs/servers.ts")).protectServer,
  },
  {
    words: "servers delete",
    args: "<server>",
    about: "delete a server with its projects",
    details:
      "Refused while projects are live on it, unless its protection was switched off: longshore servers protect SERVER --off. The machine of a server that " +
      "was ordered is deleted at its provider; others keep running.",
    flags: [yes, dryRun],
    examples: [
      {
        line: "longshore servers delete no-such-server --dry-run",
        about: "a name that is unknown exits with 5",
        status: 5,
      },
    ],
    load: async () => (await import("./verbs/servers.ts")).deleteServer,
  },
  {
    words: "servers setup",
    args: "<server>",
    about: "show the steps of a server's setup; 1 if it was not successful",
    flags: [{ spec: "-f, --follow", about: "stay until it has ended" }, timeout],
    examples: [{ line: "longshore servers setup web-1", about: "steps and durations" }],
    load: async () => (await import("./verbs/servers.ts")).showSetup,
  },
  {
    words: "db",
    about: "list databases",
    flags: [
      { spec: "-p, --project <project>", about: "of this project" },
      { spec: "--server <server>", about: "on this server" },
    ],
    examples: [{ line: "longshore db --server web-1", about: "those of a server" }],
    load: async () => (await import("./verbs/db.ts")).listDatabases,
  },
  {
    words: "db list",
    about: "the same as db",
    flags: [
      { spec: "-p, --project <project>", about: "of this project" },
      { spec: "--server <server>", about: "on this server" },
    ],
    examples: [{ line: "longshore db list", about: "all of the organization" }],
    load: async () => (await import("./verbs/db.ts")).listDatabases,
  },
  {
    words: "db create",
    args: "<name>",
    about: "create a database with its user; the result is its number",
    flags: [
      { spec: "--server <server>", about: "where" },
      { spec: "-p, --project <project>", about: "the project that it belongs to" },
    ],
    examples: [{ line: "longshore db create shop_data --project shop", about: "on the server of the project" }],
    load: async () => (await import("./verbs/db.ts")).createDatabase,
  },
  {
    words: "db dump",
    args: "<database> [file]",
    about: "download a dump of a database",
    details: "Without a file it goes to standard output. A dump that breaks off leaves no file, and exits with 1.",
    examples: [
      {
        line: "longshore db dump no_such_database dump.sql.gz",
        about: "a name that is unknown exits with 5",
        status: 5,
      },
    ],
    load: async () => (await import("./verbs/db.ts")).dumpDatabase,
  },
  {
    words: "db import",
    args: "<database> <file>",
    about: "load a dump into a database, and stay until it is loaded",
    flags: [{ spec: "--empty-first", about: "delete all content before" }, yes, timeout],
    examples: [
      {
        line: "longshore db import no_such_database dump.sql.gz --yes",
        about: "a name that is unknown exits with 5",
        status: 5,
      },
    ],
    load: async () => (await import("./verbs/db.ts")).importDatabase,
  },
  {
    words: "apps",
    about: "list installed applications, or those that a server can host",
    flags: [{ spec: "--server <server>", about: "the applications that it can host" }],
    examples: [{ line: "longshore apps --server web-1", about: "what can be installed there" }],
    load: async () => (await import("./verbs/lists.ts")).listApps,
  },
  {
    words: "monitors",
    about: "list monitors, those that are down first",
    flags: [
      { spec: "-p, --project <project>", about: "of this project" },
      { spec: "--status <status>", about: "pending, up or down" },
    ],
    examples: [{ line: "longshore monitors --status down", about: "what is down" }],
    load: async () => (await import("./verbs/lists.ts")).listMonitors,
  },
  {
    words: "activity",
    about: "list what people changed",
    flags: [search, limit],
    examples: [{ line: "longshore activity --limit 5", about: "the last five changes" }],
    load: async () => (await import("./verbs/lists.ts")).listActivity,
  },
  {
    words: "api",
    args: "<method> <path>",
    about: "send any request of the API; the result is its answer",
    details:
      "The path may leave out /api/v1. -f sets a field of the body, or of the query with GET: a value that is JSON counts as that, any other as text; a.b=1 is " +
      "a field in a field, list[]=1 an item of a list. Nothing is asked before a DELETE.",
    flags: [
      { spec: "-f, --field <name=value>", about: "a field; several times", isList: true },
      { spec: "--input <file>", about: "the body; - is standard input" },
      { spec: "--paginate", about: "the items of all pages" },
    ],
    examples: [
      { line: "longshore api GET projects -f per_page=50 --paginate", about: "all projects" },
      { line: "longshore api PUT projects/1 -f notes='Sells boats'", about: "change a project" },
    ],
    load: async () => (await import("./verbs/api.ts")).callApi,
  },
  {
    words: "completion",
    args: "<shell>",
    about: "print the completion for bash, zsh or fish",
    examples: [
      { line: "longshore completion bash > longshore.bash", about: "source it in ~/.bashrc" },
      { line: "longshore completion zsh > _longshore", about: "in a folder of $fpath" },
      { line: "longshore completion fish > longshore.fish", about: "in ~/.config/fish/completions" },
    ],
    load: async () => (await import("./verbs/completion.ts")).completionOf(commands),
  },
  {
    words: "version",
    about: "show the version of this program and of the installation",
    examples: [{ line: "longshore version", about: "both" }],
    load: async () => (await import("./verbs/sign-in.ts")).showVersion,
  },
];

export const groups: readonly CommandGroup[] = [
  { title: "Sign in", commands: signIn },
  { title: "Deploy", commands: deploying },
  { title: "Projects", commands: projects },
  { title: "Servers and the rest", commands: others },
];

export const commands: readonly CommandSpec[] = groups.flatMap((group) => group.commands);

/** The command that the words name, and how many words that takes. */
export function findCommand(words: readonly string[]): CommandSpec | undefined {
  const [first = "", second = ""] = words;
  return (
    commands.find(({ words: own }) => own === `${first} ${second}`) ?? commands.find(({ words: own }) => own === first)
  );
}
