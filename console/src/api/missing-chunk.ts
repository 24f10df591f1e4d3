import { pause } from "./stream.ts";

// The parts of the program that pages load when they need them. After an upgrade those of an open page may be gone, and while the
// server does not answer none can be loaded.

const missing = new WeakSet<object>();

/** Remembers which errors are about a part that could not be loaded. */
export const watchMissingChunks = (): void =>
  window.addEventListener("vite:preloadError", ({ payload }) => void missing.add(payload));

export const isMissingChunk = (error: unknown): boolean =>
  typeof error === "object" && error !== null && missing.has(error);

/** After this long, a chunk that is missing again is worth another reload. */
const quietMs = 60_000;
const waitsMs = [500, 1000, 2000, 5000];

export const wasJustReloaded = (): boolean => Date.now() - Number(sessionStorage.getItem("reloaded") ?? 0) < quietMs;

/** Loads the page again, with the present version, once the server answers: without an answer the browser would leave the console. */
export async function reloadWhenAnswered(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !(await answers(signal)); failures++) {
    await pause(waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0, signal);
    if (signal.aborted) return;
  }
  sessionStorage.setItem("reloaded", String(Date.now()));
  location.reload();
}

const answers = (signal: AbortSignal): Promise<boolean> =>
  fetch("/api/v1/version", { cache: "no-store", signal }).then(
    ({ ok }) => ok,
    () => false,
  );
