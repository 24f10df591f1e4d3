/** A failure the person at the keyboard can do something about: the message is the whole story, no stack is shown. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

/** The message of anything thrown; never a stack. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
