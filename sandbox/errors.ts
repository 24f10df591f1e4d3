/** A failure that the user can correct: the message is complete, and no stack is shown. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

/** The message of any thrown value; never a stack. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
