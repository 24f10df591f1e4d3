import { dirname } from "node:path";
import { type ProjectLayout, serverPaths } from "../layout.ts";
import { hardeningProperties } from "./hardening.ts";

/**
 * The user of a unit's processes and the part of the server they see: for everything that runs a project's code or reads foreign
 * data.
 */
export interface Sandbox {
  user: string;
  group: string;
  /** The project's directory. Directories of other projects are hidden; when omitted, all are. */
  directory?: string;
  /** Where the unit may write, as far as the user's rights go. Everything else on the server is read-only. */
  writable: readonly string[];
  /** Files owned by root that the unit's processes read as `$CREDENTIALS_DIRECTORY/NAME`: path by name. */
  credentials?: Readonly<Record<string, string>>;
  /** The first and last port on which the unit may listen, among the ports of projects; default: none. */
  ports?: readonly [number, number] | undefined;
}

/** The ports of projects, assigned in pairs. */
export const projectPorts = [20_000, 64_999] as const;

/** How far below a project's port its companion is: another port of the same project, for a program that needs two. */
export const companionDistance = 8_000;

/** The companions of a pair. The pairs above have none: they are assigned from below, and no server has that many projects. */
export const companionsOf = (ports: readonly number[]): number[] =>
  ports.map((port) => port - companionDistance).filter((port) => port < projectPorts[0]);

/** All ports that belong to projects, from the first companion on. */
const guardedPorts = [projectPorts[0] - companionDistance, projectPorts[1]] as const;

/** The sandbox of a project's own commands, services, jobs and PHP workers. */
export const projectSandbox = ({ user, directory }: ProjectLayout): Sandbox & { directory: string } => ({
  user,
  group: user,
  directory,
  writable: [directory],
});

/** The sandbox that fetches a project's source: a user who owns the mirror and nothing else, with the deploy key. */
export const gitSandbox = (layout: ProjectLayout): Sandbox => ({
  user: layout.gitUser,
  group: layout.user,
  directory: layout.directory,
  writable: [layout.mirror, layout.knownHosts],
  credentials: { "deploy-key": layout.deployKey },
});

/** For processes that belong to no project: a user without rights, who writes to its own /tmp, which is removed with the unit. */
export const visitorSandbox: Sandbox = { user: "nobody", group: "nogroup", writable: [] };

// Configuration, and sockets of system services, that are no concern of a project.
const hidden = [
  "/etc/nginx",
  "/etc/systemd/system",
  "/etc/cron.d",
  "/etc/longshore",
  "/var/lib/longshore",
  "/run/dbus",
  "/run/systemd/private",
  "/run/systemd/journal",
];

const fixed = [
  ...hardeningProperties,
  "CapabilityBoundingSet=",
  "AmbientCapabilities=",
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
  "RemoveIPC=yes",
  // For the user as a whole, because some servers cannot limit a unit (TasksMax=).
  "LimitNPROC=4096",
  "KeyringMode=private",
  "UMask=0022",
];

/**
 * A sandbox as systemd properties, `Name=value` each, for the `[Service]` section of a unit file. The first is `User=`. Listening
 * on other projects' ports is denied where the kernel can (BPF on unified control groups).
 */
export const sandboxProperties = ({ credentials = {}, ports, ...sandbox }: Sandbox): string[] => [
  `User=${sandbox.user}`,
  `Group=${sandbox.group}`,
  ...fixed,
  `TemporaryFileSystem=${sandbox.directory === undefined ? serverPaths.projects : dirname(sandbox.directory)}:ro /dev/shm:mode=1777`,
  // Every script starts in its home directory, which such a user lacks.
  ...(sandbox.directory === undefined ? ["Environment=HOME=/tmp"] : [`BindPaths=${sandbox.directory}`]),
  ...(sandbox.writable.length > 0 ? [`ReadWritePaths=${sandbox.writable.join(" ")}`] : []),
  `InaccessiblePaths=${hidden.map((path) => `-${path}`).join(" ")}`,
  `SocketBindDeny=${guardedPorts.join("-")}`,
  ...(ports ? [`SocketBindAllow=${ports.join("-")}`] : []),
  ...(ports && companionsOf(ports).length > 0 ? [`SocketBindAllow=${companionsOf(ports).join("-")}`] : []),
  ...Object.entries(credentials).map(([name, path]) => `LoadCredential=${name}:${path}`),
];

// The properties that restrict root take a third of a unit's start, and a process without root's rights does not need
// them.
const againstRoot = /^(?:PrivateDevices|Protect(?:Clock|ControlGroups|Hostname|Kernel\w+))=/;

/** The same for short processes that start often: a step of a run, for systemd-run. */
export const stepProperties = (sandbox: Sandbox): string[] =>
  sandboxProperties(sandbox).filter((property) => !againstRoot.test(property));
