import type { ProjectLayout } from "../layout.ts";
import { scriptsBeside } from "../script-file.ts";
import type { Script } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

/**
 * Waits until the project's application has no requests in progress, for at most the given number of seconds, and prints the
 * result. The caller has made sure that no new requests arrive.
 */
export const awaitAnswers = (
  { slots, phpSocket }: Pick<ProjectLayout, "slots" | "phpSocket">,
  seconds: number,
): Script => script("await-answers.sh", { slots, php_socket: phpSocket, seconds });
