// Runs on managed servers: a thread that converts one page after the other.
import { parentPort } from "node:worker_threads";
import { markdownOf } from "./convert.ts";

parentPort?.on("message", (html: string) => parentPort?.postMessage(converted(html)));
parentPort?.postMessage("ready");

/** Null: this page cannot be converted, such as one that is nested too deeply. */
function converted(html: string): { markdown: string | null } {
  try {
    return { markdown: markdownOf(html) };
  } catch {
    return { markdown: null };
  }
}
