import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { AppError } from "../../lib/errors.ts";
import { type Script, sh } from "../sh.ts";
import { type Connection, lastLine } from "../ssh/connection.ts";
import type { FileHandle, Sftp } from "../ssh/sftp.ts";

const source = readFileSync(new URL("runner.sh", import.meta.url));
const version = createHash("sha256").update(source).digest("hex").slice(0, 12);

/** The path of this version of the runner on a server. Versions exist side by side: a run ends with the version it began with. */
export const runnerPath = `/usr/local/lib/longshore/runner-${version}`;

export const runDirectory = (runId: number): string => `/var/lib/longshore/runs/${runId}`;
export const secretsDirectory = (runId: number): string => `/run/longshore/${runId}/secrets`;
export const factsFile = (runId: number, position: number): string => `/run/longshore/${runId}/facts/${position}`;

const commandNotFound = 127;
const shuttingDown = 75;

/** The runner's answer to a start: started (or resumed) now, already running, or already ended. */
export type StartAnswer = "started" | "running" | "ended";

/**
 * Starts a run from its bundle (engine/runs/bundle.ts), or attaches to it: safe to repeat at any time. First copies the
 * runner to the server when this version is missing there. Throws `server_unreachable` while the server shuts down.
 */
export async function startRun(connection: Connection, runId: number, bundle: Buffer): Promise<StartAnswer> {
  const answer = await callRunner(connection, sh`start ${runId}`, bundle);
  return answer as StartAnswer;
}

/** The runner's answer to a cancel; `passed`: it is past its point of no return, or near it. */
export type CancelAnswer = "cancelling" | "passed" | "ended" | "unknown";

/** `nonce`: of the run, when it is known; another run of its number is unknown. */
export async function cancelRun(
  connection: Connection,
  { id, nonce = "" }: { id: number; nonce?: string },
): Promise<CancelAnswer> {
  return (await callRunner(connection, sh`cancel ${id} ${nonce}`)) as CancelAnswer;
}

async function callRunner(connection: Connection, verb: Script, input?: Buffer): Promise<string> {
  const call = () => connection.exec(sh`${runnerPath} ${verb}`, input ? { input } : {});
  let result = await call();
  if (result.exitCode === commandNotFound) {
    await installRunner(connection);
    result = await call();
  }
  if (result.exitCode === 0) return result.stdout.trim();
  // Nothing has begun; the run continues as after a lost connection, once the server answers again.
  if (result.exitCode === shuttingDown) throw new AppError("server_unreachable", "The server is shutting down.");
  const said = lastLine(result.stderr) || `exit status ${result.exitCode}`;
  const [what] = verb.script.split(" ");
  throw new AppError("run_failed", `The server could not ${what} the run: ${said}`);
}

async function installRunner(connection: Connection): Promise<void> {
  const result = await connection.exec(
    sh`
      set -e; umask 022
      mkdir -p /usr/local/lib/longshore
      cat >${runnerPath}.$$
      chmod 755 ${runnerPath}.$$
      mv ${runnerPath}.$$ ${runnerPath}
    `,
    { input: source },
  );
  if (result.exitCode === 0) return;
  throw new AppError("run_failed", `The runner could not be put on the server: ${lastLine(result.stderr)}`);
}

/**
 * Calls back with the id of a run as soon as the run writes to its journal; resolves with a function that stops this.
 * One channel serves all runs of a server, since sshd allows ten sessions on a connection.
 */
export function onJournalChange(connection: Connection, onChange: (runId: number) => void): Promise<() => void> {
  const command = sh`
    umask 066; mkdir -p /run/longshore
    : >>/run/longshore/bell
    exec tail -q -n 0 -F /run/longshore/bell 2>/dev/null
  `;
  return connection.follow(command, (line) => onChange(Number(line)));
}

/** Reads a run's journal by offset, over the connection's one SFTP channel. */
export class JournalReader {
  private readonly connection: Connection;
  private readonly path: string;
  /** The handle is valid only on the channel that returned it. */
  private file: { sftp: Sftp; handle: FileHandle } | undefined;
  private space = Buffer.alloc(0);

  constructor(connection: Connection, runId: number) {
    this.connection = connection;
    this.path = `${runDirectory(runId)}/journal`;
  }

  /**
   * Up to `limit` bytes from `offset`; empty at the current end of the journal. The returned bytes are valid until the
   * next read.
   */
  async read(offset: number, limit: number): Promise<Buffer> {
    const sftp = await this.connection.sftp();
    if (this.file?.sftp !== sftp) {
      const handle = await sftp.openFile(this.path);
      this.file = handle && { sftp, handle };
    }
    if (!this.file) return Buffer.alloc(0);
    if (this.space.length < limit) this.space = Buffer.allocUnsafeSlow(limit);
    const count = await sftp.read(this.file.handle, this.space, limit, offset);
    return this.space.subarray(0, count);
  }

  close(): void {
    this.file?.sftp.closeFile(this.file.handle);
    this.file = undefined;
  }
}
