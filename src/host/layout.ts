/** All paths on a managed server. This is the only place that defines them. */

/** Paths of the server as a whole. */
export const serverPaths = {
  /** One directory per run: plan, steps, journal. */
  runs: "/var/lib/longshore/runs",
  /** What runs left about the ids that were in use. */
  ids: "/var/lib/longshore/ids",
  /** A file for each project, which only root can read: whose the number is. */
  projectMarks: "/var/lib/longshore/projects",
  /** Numbers of projects that a setup has reported as others'. */
  reportedProjects: "/var/lib/longshore/reported-projects",
  /** Secrets of a run during the run (tmpfs). */
  secrets: "/run/longshore",
  /** The versioned runner. */
  libraries: "/usr/local/lib/longshore",
  /** ACME http-01 responses: one file per token, directly in this directory. */
  acmeChallenges: "/var/lib/longshore/acme",
  certificates: "/etc/longshore/tls",
  projects: "/srv/longshore/projects",
  /** A socket for each project's PHP-FPM. */
  phpSockets: "/run/longshore-php",
  /** The addresses that jobs report to: one file for each job that reports. */
  jobReports: "/etc/longshore/reports",
  /** A file for each project that has ports. */
  portRules: "/etc/longshore/ports",
  /** Settings shared by all sites; written together with every site, which relies on it. */
  sharedByAllSites: "/etc/nginx/conf.d/longshore-sites.conf",
  /**
   * Exists from shortly before nginx reloads until it has reloaded; in memory, and in a directory that nginx's workers
   * may enter.
   */
  nginxReloading: "/run/longshore-nginx-reloading",
  /** Included by every site with TLS: one file for each extra feature of this server's nginx. May be missing. */
  nginxHttps: "/etc/nginx/longshore-https.d",
} as const;

/**
 * The paths of one project. Ownership is part of the design: root owns `directory` and everything it acts upon (`releases`,
 * `former`, `state`, `slots`, `environments`, `jobs`, `logs`), so that a project's own code can never swap a directory while root
 * works in it. The project's user owns each single release, `shared`, `cache`, `home` and `sessions`; root names no path below
 * these. The mirror belongs to the user who fetches. nginx reads the served files through the project's group.
 */
export interface ProjectLayout {
  id: number;
  /** System user and group of the same name. */
  user: string;
  /** The system user who fetches the source; its group has the same name. */
  gitUser: string;
  /** The id of the user and of the group; the user who fetches has the next id. They are never reused for another project. */
  uid: number;
  directory: string;
  /** Says which project of which installation has this number here. */
  mark: string;
  /** Bare repository that receives all fetches. */
  mirror: string;
  releases: string;
  /** Link to the live release, relative to `directory`. */
  current: string;
  shared: string;
  /** Links `1` to `5` to what the kept releases serve, newest first. */
  former: string;
  /** Installed dependencies, by hash of their lock file. */
  cache: string;
  /** $HOME of the project's user: caches of npm, composer and the like. */
  home: string;
  /** PHP's sessions. */
  sessions: string;
  /** Flag files that the site tests, and the notes of a deployment in progress. */
  state: string;
  /** Node: one link per port, to the release that its process runs. */
  slots: string;
  /** One directory per release: its .env, and the same as shell exports. */
  environments: string;
  logs: string;
  /** Host keys of the git server, pinned at the first contact. */
  knownHosts: string;
  /**
   * The project's own SSH key, created on one of the project's servers and used for git alone; the public half has
   * `.pub` appended.
   */
  deployKey: string;
  maintenanceFlag: string;
  /** For a catalog application: the origin that it is served at, and each name that serves it, one per line. Owned by root. */
  names: string;
  /** Exists while nothing of the project may run because it is being moved away; it lists what ran before. */
  held: string;
  /** Exists while the second port of the pair is live. */
  secondPortFlag: string;
  siteAvailable: string;
  siteEnabled: string;
  sharedByAllSites: string;
  /** Where nginx's master writes its process id. */
  nginxPid: string;
  acmeChallenges: string;
  /** Only root can read it: a directory for each certificate and its key, named after the order that produced it. */
  certificates: string;
  unitTemplate: string;
  /** Instances linked in here start with the server. */
  unitWants: string;
  /** Settings of the project's own PHP-FPM, and its units. */
  phpSettings: string;
  phpService: string;
  phpSocketUnit: string;
  /** The path that nginx connects to, in a directory owned by root. */
  phpSocket: string;
  /** Lists which of the server's ports belong to the project, for nftables. */
  portRules: string;
  /** The scripts of scheduled and background jobs, owned by root and readable by the project's user. */
  jobs: string;
  /** The project's lines for cron, named as cron requires: without a dot. */
  crontab: string;
  /** For all projects: a file for each job that reports, readable by root only, named `<id>-<job>`. */
  reports: string;
  /** systemd templates are named `longshore-project-<id>-job-<job>@.service`. */
  units: string;
}

/**
 * Ids of the projects' users: above the range that distributions use for people and services, and below the one that
 * systemd uses for containers.
 */
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
    mark: `${prefix}${serverPaths.projectMarks}/${id}`,
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

/** Name of the directory of a release: the id of the deployment that made it, or the fixed name of an in-place project. */
export type ReleaseName = number | "in-place";

export const releaseDirectory = (layout: ProjectLayout, release: ReleaseName): string =>
  `${layout.releases}/${release}`;

/** Name of the project's systemd instances up to the port. */
export const unitPrefix = (layout: ProjectLayout): string => `longshore-project-${layout.id}@`;

/** The common prefix of the names of all units for the project's jobs. */
export const jobUnits = (layout: ProjectLayout): string => `longshore-project-${layout.id}-job-`;

/** Name of a background job's instances up to the number of the process. */
export const jobUnitPrefix = (layout: ProjectLayout, jobId: number): string => `${jobUnits(layout)}${jobId}@`;

/** The nginx upstream of a port. */
export const upstreamName = (layout: ProjectLayout, port: number): string =>
  `longshore_project_${layout.id}_port_${port}`;

/**
 * A path inside a release in its plain form (no `./`, no trailing slash); undefined for an absolute path, one that
 * leads out of the release, or one that is reserved for git or the platform.
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
