import { messageOf } from "./errors.ts";
import type { Logger } from "./log.ts";

let newest: string | undefined;

/** The newest version of Longshore that was found; undefined until then, and if it is not looked for. */
export const newestVersion = (): string | undefined => newest;

const everyMs = 24 * 3_600_000;

/** Looks for the newest version now and once a day. Returns a function that stops this. */
export function watchNewestVersion(find: () => Promise<string | undefined>, log: Logger): () => void {
  const look = async (): Promise<void> => {
    try {
      newest = await find();
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "The newest version of Longshore could not be looked up");
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  void look();
  return () => {
    clearInterval(timer);
    newest = undefined;
  };
}
