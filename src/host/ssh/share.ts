import type { Socket } from "node:net";

const share = 0.25;
const burstMs = 250;
const longestPauseMs = 1_000;

/**
 * Limits the share of this process's time that goes into data arriving at a socket: a quarter, beyond a quarter of a second
 * that may be used at once. A socket that exceeds it is not read for a while, so that its other side has to wait, whichever
 * data it sends and however cheaply.
 */
export function limitShare(socket: Socket): void {
  let usedMs = 0;
  let lookedAt = performance.now();
  socket.prependListener("data", () => {
    const began = performance.now();
    usedMs = Math.max(0, usedMs - (began - lookedAt) * share);
    // After all other listeners of this event.
    queueMicrotask(() => {
      lookedAt = performance.now();
      usedMs += lookedAt - began;
      if (usedMs < burstMs) return;
      socket.pause();
      setTimeout(() => socket.resume(), Math.min((usedMs - burstMs) / share + 1, longestPauseMs));
    });
  });
}
