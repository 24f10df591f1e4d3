import { useSyncExternalStore } from "react";
import type { Connection } from "../api/stream.ts";

/** Whether changes reach this page, and since when they do not. */
export interface ConnectionState {
  /** Events tell what changes; while they are being connected, what is read is read again once they are. */
  isFollowed: boolean;
  /** When the connection was lost, in milliseconds since 1970; undefined: it is not. */
  lostAt?: number;
}

let state: ConnectionState = { isFollowed: false };
const listeners = new Set<() => void>();

export const connectionState = (): ConnectionState => state;

/** Undefined: nothing is followed, as on pages outside of organizations. */
export function noteConnection(connection: Connection | undefined): void {
  const isLost = connection === "lost" || (connection === "connecting" && state.lostAt !== undefined);
  const isFollowed = connection !== undefined && !isLost;
  if (isFollowed === state.isFollowed && isLost === (state.lostAt !== undefined)) return;
  state = isLost ? { isFollowed, lostAt: Date.now() } : { isFollowed };
  for (const listener of listeners) listener();
}

export const useConnection = (): ConnectionState => useSyncExternalStore(onConnection, connectionState);

function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
