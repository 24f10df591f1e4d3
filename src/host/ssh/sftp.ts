import type { SFTPWrapper } from "ssh2";

/** An open file on a server. */
export type FileHandle = Buffer;

type Done<Answer> = (error: Error | null | undefined, answer: Answer) => void;

// https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02#section-7
const endOfFile = 1;
const noSuchFile = 2;
const answerMs = 60_000;

/**
 * The SFTP requests to a server, over one channel of its connection. A refusal rejects with the protocol's number as `code`; a
 * request that is pending when the channel ends, or made after it, rejects with the result of `lost`. A request without an
 * answer for a minute ends the channel. An answer is at most 256 KiB long, and never longer than the buffer given for it.
 */
export class Sftp {
  private readonly channel: SFTPWrapper;
  private readonly lost: (reason: Error) => Error;
  private readonly ending = new AbortController();

  constructor(channel: SFTPWrapper, lost: (reason: Error) => Error) {
    this.channel = channel;
    this.lost = lost;
    // The channel's end event comes before its close event; an error means that the server violates the protocol.
    for (const end of ["end", "close", "error"]) channel.on(end, () => this.ending.abort());
  }

  /** Aborts with the channel: no requests are possible after that. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Resolves at any answer: even a refusal shows that the server is reachable. */
  async greeting(): Promise<void> {
    await this.ask<string>((done) => this.channel.realpath(".", done)).catch(rethrowUnlessRefused);
  }

  /** Undefined when there is no such file. */
  openFile(path: string): Promise<FileHandle | undefined> {
    return this.ask<FileHandle>((done) => this.channel.open(path, "r", done)).catch(undefinedIf(noSuchFile));
  }

  /** Reads up to `limit` bytes from `offset` on into `space`; returns their number, which is 0 at the end. */
  async read(handle: FileHandle, space: Buffer, limit: number, offset: number): Promise<number> {
    const count = await this.ask<number>((done) => this.channel.read(handle, space, 0, limit, offset, done)).catch(
      undefinedIf(endOfFile),
    );
    return count ?? 0;
  }

  /** Does not wait for an answer. */
  closeFile(handle: FileHandle): void {
    if (!this.ended.aborted) this.channel.close(handle, () => undefined);
  }

  private ask<Answer>(question: (done: Done<Answer>) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.ended.aborted) return reject(this.lost(new Error("the channel for files was closed")));
      const timer = setTimeout(() => {
        this.channel.end();
        this.ending.abort();
      }, answerMs);
      const lose = () => {
        clearTimeout(timer);
        reject(this.lost(new Error("the channel for files was closed")));
      };
      this.ended.addEventListener("abort", lose);
      question((error, answer) => {
        clearTimeout(timer);
        this.ended.removeEventListener("abort", lose);
        if (!error) resolve(answer);
        else reject(codeOf(error) === undefined ? this.lost(error) : error);
      });
    });
  }
}

const codeOf = (error: unknown): number | undefined => {
  const { code } = error as { code?: unknown };
  return typeof code === "number" ? code : undefined;
};

function rethrowUnlessRefused(error: unknown): void {
  if (codeOf(error) === undefined) throw error;
}

const undefinedIf =
  (code: number) =>
  (error: unknown): undefined => {
    if (codeOf(error) !== code) throw error;
  };
