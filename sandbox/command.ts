import { spawn } from "node:child_process";
import { constants } from "node:os";

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  /** Text for its standard input; empty when omitted. */
  input?: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command and collects its output. Resolves with any exit code; the end by a signal is 128 plus its number, as
 * in a shell. Rejects only when the command cannot be started.
 */
export function runCommand(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const [file, ...args] = argv;
  if (file === undefined) throw new Error("A command needs at least one word.");
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: options.cwd, env: options.env ?? process.env });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    // A command that ends without reading all of its input is judged by its exit code, not by the broken pipe.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({
        exitCode: code ?? exitCodeOfSignal(signal),
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}

/** As runCommand, but any exit code other than 0 rejects, with the command's output. Returns its standard output. */
export async function mustRun(argv: readonly string[], options: CommandOptions = {}): Promise<string> {
  const result = await runCommand(argv, options);
  if (result.exitCode === 0) return result.stdout;
  const said = (result.stderr.trim() || result.stdout.trim()).split("\n").slice(-15).join("\n");
  throw new Error(`${argv.slice(0, 4).join(" ")} … failed with exit code ${result.exitCode}: ${said}`);
}

/** 128 plus the signal's number; 255 without a signal. */
export const exitCodeOfSignal = (signal: NodeJS.Signals | null): number =>
  signal === null ? 255 : 128 + constants.signals[signal];
