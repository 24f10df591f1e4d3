/** Where everything is on a managed server. The one place with paths; the rest asks here. */

/** Paths that belong to the server as a whole. */
export const serverPaths = {
  /** One directory per run: plan, steps, journal. */
  runs: "/var/lib/longshore/runs",
  /** Secrets of a run while it runs (tmpfs). */
  secrets: "/run/longshore",
  /** The versioned runner. */
  libraries: "/usr/local/lib/longshore",
  /** ACME http-01 answers: a file per token, directly in here. */
  acmeChallenges: "/var/lib/longshore/acme",
  certificates: "/etc/longshore/tls",
  projects: "/srv/longshore/projects",
  /** A socket for each project's PHP-FPM. */
  phpSockets: "/run/longshore-php",
  /** Where jobs report to: a file for each job that does. */
  jobReports: "/etc/longshore/reports",
  /** A file for each project that has ports. */
  portRules: "/etc/longshore/ports",
  /** What all sites share; written with every site, which relies on it. */
  sharedByAllSites: "/etc/nginx/conf.d/longshore-sites.conf",
  /** Exists from shortly before nginx reloads until it has; in memory, and in a directory that its workers may enter. */
  nginxReloading: "/run/longshore-nginx-reloading",
  /** Included by every site with TLS: a file for each thing that this server's nginx can do besides. May be missing. */
  nginxHttps: "/etc/nginx/longshore-https.d",
} as const;

/**
 * The paths of one project. Ownership is part of the design: `directory` and what root acts upon (`releases`, `former`, `state`, `slots`,
 * `environments`, `jobs`, `logs`) belong to root, so that a project's own code can never swap a directory under root's hands.
 * The project's user owns each single release, `shared`, `cache`, `home` and `sessions`; root names no path below these. The
 * mirror belongs to the user who fetches. nginx reads what it serves through the project's group.
 */
export interface ProjectLayout {
  id: number;
  /** System user and group of the same name. */
  user: string;
  /** The system user who fetches the source; of the same group. */
  gitUser: string;
  /** The user's id, and that of the group; the user who fetches has the next one. No other project ever gets them. */
  uid: number;
  directory: string;
  /** Bare repository that fetches go to. */
  mirror: string;
  releases: string;
  /** Link to the live release, relative to `directory`. */
  current: string;
  shared: string;
  /** Links `1` to `5` to what the kept releases serve, the newest first. */
  former: string;
  /** Installed dependencies by hash of their lock file. */
  cache: string;
  /** $HOME of the project's user: caches of npm, composer and the like. */
  home: string;
  /** PHP's sessions. */
  sessions: string;
  /** Flag files that the site tests, and what a deployment under way has to remember. */
  state: string;
  /** Node: a link per port to the release that its process runs. */
  slots: string;
  /** One directory per release: its .env, and the same as shell exports. */
  environments: string;
  logs: string;
  /** Host keys of the git server, pinned at the first contact. */
  knownHosts: string;
  /** The project's own SSH key, made on a server of the project's and for git alone; the public half has `.pub` appended. */
  deployKey: string;
  maintenanceFlag: string;
  /** Of a catalog application: the origin that it is served at, and each name that serves it, a line each. Root's. */
  names: string;
  /** Exists while nothing of the project may run, since it is being moved away; what ran before is kept in it. */
  held: string;
  /** Exists while the second port of the pair is live. */
  secondPortFlag: string;
  siteAvailable: string;
  siteEnabled: string;
  sharedByAllSites: string;
  /** Where nginx's master writes its process id. */
  nginxPid: string;
  acmeChallenges: string;
  /** Root's alone: a directory for each certificate and its key, named after the order that made it. */
  certificates: string;
  unitTemplate: string;
  /** Instances linked in here start with the server. */
  unitWants: string;
  /** Settings of the project's own PHP-FPM, and its units. */
  phpSettings: string;
  phpService: string;
  phpSocketUnit: string;
  /** Where nginx finds it: in a directory of root's. */
  phpSocket: string;
  /** Which of the server's ports are the project's, for nftables. */
  portRules: string;
  /** The scripts of scheduled and background jobs: root's, readable by the project's user. */
  jobs: string;
  /** The project's lines for cron, named as cron requires: without a dot. */
  crontab: string;
  /** For all projects: a file of root's for each job that reports, named `<id>-<job>`. */
  reports: string;
  /** systemd templates are named `longshore-project-<id>-job-<job>@.service`. */
  units: string;
}

/** Ids of projects' users: above what distributions give to people and to services, and below what systemd gives to containers. */
export const firstUid = 200_000;
export const lastUid = 524_287;

/** The layout of a project. `prefix` puts everything below another root: tests run the real scripts in there. */
export function projectLayout(id: number, prefix = ""): ProjectLayout {
  const directory = `${prefix}${serverPaths.projects}/${id}`;
  const name = `longshore-project-${id}`;
  return {
    id,
    user: `project-${id}`,
    gitUser: `project-${id}-git`,
    uid: firstUid + 2 * id,
    directory,
    mirror: `${directory}/repository.git`,
    releases: `${directory}/releases`,
    current: `${directory}/current`,
    shared: `${directory}/shared`,
    former: `${directory}/former`,
    cache: `${directory}/cache`,
    home: `${directory}/home`,
    sessions: `${directory}/sessions`,
    state: `${directory}/state`,
    slots: `${directory}/slots`,
    environments: `${directory}/environments`,
    logs: `${directory}/logs`,
    knownHosts: `${directory}/known_hosts`,
    deployKey: `${directory}/deploy_key`,
    maintenanceFlag: `${directory}/state/maintenance`,
    names: `${directory}/state/site-names`,
    held: `${directory}/state/held`,
    secondPortFlag: `${directory}/state/second`,
    siteAvailable: `${prefix}/etc/nginx/sites-available/${name}.conf`,
    siteEnabled: `${prefix}/etc/nginx/sites-enabled/${name}.conf`,
    sharedByAllSites: `${prefix}${serverPaths.sharedByAllSites}`,
    nginxPid: `${prefix}/run/nginx.pid`,
    acmeChallenges: `${prefix}${serverPaths.acmeChallenges}`,
    certificates: `${prefix}${serverPaths.certificates}/project-${id}`,
    unitTemplate: `${prefix}/etc/systemd/system/${name}@.service`,
    unitWants: `${prefix}/etc/systemd/system/multi-user.target.wants`,
    phpSettings: `${directory}/php-fpm.conf`,
    phpService: `${name}-php.service`,
    phpSocketUnit: `${name}-php.socket`,
    phpSocket: `${prefix}${serverPaths.phpSockets}/${id}.sock`,
    portRules: `${prefix}${serverPaths.portRules}/${id}.nft`,
    jobs: `${directory}/jobs`,
    crontab: `${prefix}/etc/cron.d/${name}`,
    reports: `${prefix}${serverPaths.jobReports}`,
    units: `${prefix}/etc/systemd/system`,
  };
}

/** Name of the directory of a release: the id of the deployment that made it, or the only one of an in-place project. */
export type ReleaseName = number | "in-place";

export const releaseDirectory = (layout: ProjectLayout, release: ReleaseName): string =>
  `${layout.releases}/${release}`;

/** Name of the project's systemd instances up to the port. */
export const unitPrefix = (layout: ProjectLayout): string => `longshore-project-${layout.id}@`;

/** The common prefix of the names of all units of the project's jobs. */
export const jobUnits = (layout: ProjectLayout): string => `longshore-project-${layout.id}-job-`;

/** Name of a background job's instances up to the number of the process. */
export const jobUnitPrefix = (layout: ProjectLayout, jobId: number): string => `${jobUnits(layout)}${jobId}@`;

/** The nginx upstream of a port. */
export const upstreamName = (layout: ProjectLayout, port: number): string =>
  `longshore_project_${layout.id}_port_${port}`;

/**
 * A path inside a release in its plain form (no `./`, no trailing slash); undefined when it is none: absolute, leading
 * out of the release, or one of the places that belong to git and to the platform.
 */
export function pathInRelease(text: string): string | undefined {
  if (text.length > 400 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || text.startsWith("/")) return undefined;
  const parts = text
    .trim()
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.includes("..") || parts[0] === ".git" || parts[0] === ".longshore") return undefined;
  return parts.every((part) => Buffer.byteLength(part) <= 255) ? parts.join("/") : undefined;
}
