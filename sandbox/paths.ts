import { join, resolve } from "node:path";
import { SandboxError } from "./errors.ts";

/** The directory of the sandbox: images, servers, the key. LONGSHORE_SANDBOX_DIR changes it. */
export function stateDirectory(): string {
  const directory = resolve(process.env.LONGSHORE_SANDBOX_DIR || "/var/tmp/longshore-sandbox");
  // Overlay mount options use commas and colons as separators, and the kernel escapes blanks when it lists them.
  if (/^[\w./-]+$/.test(directory)) return directory;
  throw new SandboxError(
    `LONGSHORE_SANDBOX_DIR is ${directory}: use a path of letters, digits, dots, dashes and slashes only.`,
  );
}

export interface ServerPaths {
  directory: string;
  record: string;
  upper: string;
  work: string;
  /** Where the server's file system is mounted. */
  root: string;
  console: string;
}

/** The files of one server. */
export function serverPaths(name: string): ServerPaths {
  const directory = join(serversDirectory(), name);
  return {
    directory,
    record: join(directory, "server.json"),
    upper: join(directory, "upper"),
    work: join(directory, "work"),
    root: join(directory, "root"),
    console: join(directory, "console.txt"),
  };
}

export const serversDirectory = (): string => join(stateDirectory(), "servers");
export const imageDirectory = (image: string): string => join(stateDirectory(), "images", image);
/** The private key that all servers accept; the public one is beside it. */
export const keyFile = (): string => join(stateDirectory(), "id_ed25519");
export const lockFile = (name: string): string => join(stateDirectory(), "locks", name);

/** Names become host names, folder names and arguments; other characters are refused before that. */
export function assertName(what: string, name: string): void {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return;
  throw new SandboxError(`"${name}" is no ${what} name: use lower-case letters, digits and dashes, at most 63.`);
}
