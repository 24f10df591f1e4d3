/** What the exit status of the program means. Scripts rely on these numbers. */
export const exitStatus = {
  done: 0,
  /** Also wrong usage. */
  failed: 1,
  cancelled: 2,
  /** By the server: 403, 409 and 422. */
  refused: 3,
  notSignedIn: 4,
  notFound: 5,
  deploymentFailed: 6,
  /** It was accepted, and may still succeed or fail. */
  unknown: 7,
  interrupted: 130,
} as const;

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];

/** A failure that the reader can act on: its message is a sentence for them. Any other error is a bug. */
export class Failure extends Error {
  readonly status: ExitStatus;

  constructor(status: ExitStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Failure";
    this.status = status;
  }
}

export const usage = (message: string): Failure => new Failure(exitStatus.failed, message);

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
