import type { Socket } from "node:net";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client, ClientChannel, SFTPWrapper } from "ssh2";
import { AppError, messageOf } from "../../lib/errors.ts";
import type { Script } from "../sh.ts";
import { Sftp } from "./sftp.ts";

/** How to reach a server and how to verify its identity. */
export interface Address {
  /** The server's name in messages. */
  name: string;
  host: string;
  port: number;
  privateKey: string;
  /** The key pinned at first contact (`ssh-ed25519 AAAA…`), or undefined before it. */
  hostKey?: string | undefined;
}

export interface ExecResult {
  /** -1 when the command ended without an exit status: a failure. */
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface ExecOptions {
  /** Passed on standard input, which is how secrets are sent. */
  input?: string | Buffer;
  /** Default 60 s, for the channel and for the command; after it the channel is closed and the promise rejects. */
  timeoutMs?: number;
}

// sshd allows ten sessions on one connection (MaxSessions); two are reserved for following. It still counts a session
// that has just ended until it notices the end: as many sessions as may run can be ending when the next ones begin.
const concurrentCommands = 4;
const concurrentTransfers = 2;
// Our own commands print less, and the lines of followed commands are shorter. A server that sends more has been
// tampered with.
const outputLimit = 1 << 20;
const longestLine = 1_024;
const channelMs = 60_000;
const closeMs = 5_000;

/**
 * One kept SSH connection, as root. It ends with `close`, when the other side stops answering for 15 s, and when it sends data
 * that none of our servers sends: a compromised server costs only its own connection.
 */
export class Connection {
  /** The host's key in the form for pinning. */
  readonly hostKey: string;
  private readonly client: Client;
  private readonly socket: Socket;
  private readonly address: Address;
  private files: Promise<Sftp> | undefined;
  private running = 0;
  private transfers = 0;
  private readonly waiting: (() => void)[] = [];
  private lost = false;

  constructor(client: Client, socket: Socket, address: Address, hostKey: string) {
    this.client = client;
    this.socket = socket;
    this.address = address;
    this.hostKey = hostKey;
    // Each run that is followed listens for the end.
    client.setMaxListeners(0);
    client.on("close", () => {
      this.lost = true;
    });
    // After a protocol error the client only stops sending.
    client.on("error", () => socket.destroy());
  }

  get isOpen(): boolean {
    return !this.lost;
  }

  /** Calls back once when the connection has ended; returns a function that removes the listener. */
  onClose(listener: () => void): () => void {
    this.client.once("close", listener);
    return () => this.client.off("close", listener);
  }

  close(): void {
    this.lost = true;
    this.client.end();
    setTimeout(() => this.socket.destroy(), closeMs).unref();
  }

  /**
   * Runs a command and collects its output. Rejects with `server_unreachable` when the connection ends or at the timeout, and,
   * ending the connection, when the command prints more than 1 MiB to one stream; an exit status is never a rejection.
   */
  async exec(command: Script, options: ExecOptions = {}): Promise<ExecResult> {
    await this.takeTurn();
    try {
      const channel = await this.open(command, options.timeoutMs);
      return await this.collect(channel, options);
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }

  /**
   * As `exec`, with standard input at the pace of both sides and without a timeout. Rejects with the stream's own error when the
   * stream fails, and with `unavailable` while two transfers are in progress.
   */
  async send(command: Script, input: Readable): Promise<ExecResult> {
    let failure: Error | undefined;
    let hasEnded = false;
    // When the command ends first, its end destroys the input.
    input.on("error", (error) => {
      if (!hasEnded) failure ??= error;
    });
    const channel = await this.openTransfer(command);
    channel.once("close", () => {
      hasEnded = true;
    });
    const ended = this.answerOf(channel);
    ended.catch(() => undefined);
    await pipeline(input, channel).catch(() => undefined);
    failure ??= hasEnded ? undefined : (input.errored ?? undefined);
    if (failure === undefined) return await ended;
    channel.close();
    throw failure;
  }

  private answerOf(channel: ClientChannel): Promise<ExecResult> {
    return new Promise((resolve, reject) => {
      const [stdout, stderr] = [collector(() => channel.close()), collector(() => channel.close())];
      channel.on("data", stdout.add);
      channel.stderr.on("data", stderr.add);
      channel.on("error", () => undefined);
      channel.on("close", (code?: number | null) => {
        if (this.lost && typeof code !== "number") reject(this.unreachable(new Error("the connection was lost")));
        else resolve({ exitCode: code ?? -1, stdout: stdout.text(), stderr: stderr.text() });
      });
    });
  }

  /**
   * Streams a command's output, for as long as it prints, at the reader's pace; `input` is its standard input. Rejects when the command fails before it has
   * printed anything; when it fails later, the stream fails. A reader that destroys the stream ends the command.
   */
  async receive(command: Script, input?: string): Promise<Readable> {
    const channel = await this.openTransfer(command);
    const output = new PassThrough();
    const stderr = collector(() => channel.close());
    channel.stderr.on("data", stderr.add);
    channel.on("error", () => undefined);
    channel.end(input);
    channel.pipe(output, { end: false });
    // Unread data would keep the channel from ending.
    output.once("close", () => channel.resume().close());
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
    channel.once("data", () => resolve());
    channel.on("close", (code?: number | null) => {
      const failure = new AppError("unavailable", `${this.address.name} sent nothing more: ${lastLine(stderr.text())}`);
      if (code === 0) output.end();
      else output.destroy(failure);
      if (code === 0) resolve();
      else reject(failure);
    });
    output.on("error", () => undefined);
    await begun;
    return output;
  }

  private async openTransfer(command: Script): Promise<ClientChannel> {
    if (this.transfers >= concurrentTransfers) {
      throw new AppError(
        "unavailable",
        `${this.address.name} transfers two dumps already. Try again when one has ended.`,
      );
    }
    this.transfers++;
    const done = () => {
      this.transfers--;
    };
    try {
      const channel = await this.open(command);
      channel.once("close", done);
      return channel;
    } catch (error) {
      done();
      throw error;
    }
  }

  /**
   * Verifies that the server still answers: a connection whose other side vanished looks open for a while. Rejects with
   * `server_unreachable`, and ends the connection, when there is no answer in time.
   */
  async prove(timeoutMs: number): Promise<void> {
    try {
      await this.awaitKeepalive(timeoutMs);
    } catch (error) {
      if (this.isOpen) await this.destroy();
      throw error;
    }
  }

  // The other side is gone: `end` would wait for an answer.
  private async destroy(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.onClose(resolve));
    this.lost = true;
    this.socket.destroy();
    await closed;
  }

  // Ends the connection at once; returns an error with the reason.
  private endFor(sent: string): AppError {
    this.lost = true;
    this.socket.destroy();
    return new AppError(
      "server_unreachable",
      `${this.address.name} (${whereOf(this.address)}) sent ${sent}, so the connection was closed.`,
    );
  }

  // Uses the channel that reads journals: one answer, while a command would cost the server a process and the network
  // four.
  private awaitKeepalive(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (reason: string) => reject(this.unreachable(new Error(reason)));
    const timer = setTimeout(() => refuse(late(timeoutMs).message), timeoutMs);
    const forget = this.onClose(() => refuse("the connection was lost"));
    this.sftp()
      .then((sftp) => sftp.greeting())
      .then(resolve, reject);
    return promise.finally(() => {
      clearTimeout(timer);
      forget();
    });
  }

  /**
   * Runs a command that does not end, and calls back for each line that it prints. Returns a function that stops it. A line of
   * more than 1 KiB ends the connection.
   */
  async follow(command: Script, onLine: (line: string) => void): Promise<() => void> {
    const channel = await this.open(command);
    let rest = "";
    channel.on("data", (data: Buffer) => {
      const lines = (rest + data.toString("latin1")).split("\n");
      if (lines.some((line) => line.length > longestLine)) return void this.endFor("a line that does not end");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    });
    channel.on("error", () => undefined);
    channel.stderr.resume();
    return () => channel.close();
  }

  /** SFTP on its own channel, which is opened once, and again after it has ended: reads files by offset, byte for byte. */
  sftp(): Promise<Sftp> {
    this.files ??= this.openSftp();
    return this.files;
  }

  private async takeTurn(): Promise<void> {
    while (this.running >= concurrentCommands) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running++;
  }

  private openSftp(): Promise<Sftp> {
    const forget = () => {
      this.files = undefined;
    };
    const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>();
    const ignoreClose = this.onClose(() => reject(new Error("the connection was lost")));
    const timer = setTimeout(() => reject(late(channelMs)), channelMs);
    rejecting(reject, () =>
      this.client.sftp((error, channel) => {
        if (error) reject(error);
        else resolve(channel);
      }),
    );
    const opened = promise.finally(() => {
      clearTimeout(timer);
      ignoreClose();
    });
    return opened.then(
      (channel) => {
        const sftp = new Sftp(channel, (reason) => this.unreachable(reason));
        sftp.ended.addEventListener("abort", forget);
        return sftp;
      },
      (error) => {
        forget();
        throw this.unreachable(error);
      },
    );
  }

  private open(command: Script, timeoutMs = channelMs): Promise<ClientChannel> {
    const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
    if (this.lost) return Promise.reject(this.unreachable(new Error("the connection is closed")));
    const refuse = (error: Error) => reject(this.unreachable(error));
    const forget = this.onClose(() => refuse(new Error("the connection was lost")));
    const timer = setTimeout(() => refuse(late(timeoutMs)), timeoutMs);
    let isLate = false;
    rejecting(refuse, () =>
      this.client.exec(command.script, (error, channel) => {
        if (error) refuse(error);
        else if (isLate) channel.close();
        else resolve(channel);
      }),
    );
    return promise.finally(() => {
      isLate = true;
      clearTimeout(timer);
      forget();
    });
  }

  private collect(channel: ClientChannel, { input, timeoutMs = 60_000 }: ExecOptions): Promise<ExecResult> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(this.endFor(`more than ${outputLimit >> 20} MiB as the answer to a command`));
      const stdout = collector(refuse);
      const stderr = collector(refuse);
      const timer = setTimeout(() => {
        channel.close();
        reject(this.unreachable(late(timeoutMs)));
      }, timeoutMs);
      channel.on("data", stdout.add);
      channel.stderr.on("data", stderr.add);
      channel.on("error", () => undefined);
      // The close event repeats the exit status: the exit event of a quick command may come before a listener is
      // attached.
      channel.on("close", (code?: number | null) => {
        clearTimeout(timer);
        const exitCode = code ?? -1;
        if (this.lost && exitCode === -1) reject(this.unreachable(new Error("the connection was lost")));
        else resolve({ exitCode, stdout: stdout.text(), stderr: stderr.text() });
      });
      channel.end(input);
    });
  }

  private unreachable(cause: Error): AppError {
    return unreachable(this.address, cause);
  }
}

/** ssh2 throws when its socket is closed, also before it reports that the connection is. */
function rejecting(reject: (error: Error) => void, call: () => unknown): void {
  try {
    call();
  } catch (error) {
    reject(error as Error);
  }
}

/** `server_unreachable`, with the reason. */
export function unreachable(address: Address, cause: Error): AppError {
  return new AppError(
    "server_unreachable",
    `${address.name} (${whereOf(address)}) did not answer: ${lastLine(messageOf(cause))}.`,
    { cause },
  );
}

export const whereOf = ({ host, port }: Address): string => `${host}:${port}`;

const late = (timeoutMs: number): Error => new Error(`no answer within ${timeoutMs / 1000} s`);

const longestQuote = 300;

/** The last line of a server's output, short enough for a message and without control characters. */
export const lastLine = (text: string): string =>
  (text.trimEnd().split("\n").at(-1) ?? "").slice(0, longestQuote).replaceAll(/\p{Cc}/gu, " ");

/** Collects up to `outputLimit` bytes; drops the rest and calls `onOverflow`. */
function collector(onOverflow: () => void): { add: (data: Buffer) => void; text: () => string } {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add: (data) => {
      size += data.length;
      if (size <= outputLimit) parts.push(data);
      else onOverflow();
    },
    text: () => Buffer.concat(parts).toString("utf8"),
  };
}
