import { useSyncExternalStore } from "react";
import type { Connection } from "../api/stream.ts";

/** Whether changes reach this page, and since when they do not. */
export interface ConnectionState {
  isConnected: boolean;
  /** When the connection was lost, in milliseconds since 1970; undefined: it is not. */
  lostAt?: number;
}

let state: ConnectionState = { isConnected: false };
const listeners = new Set<() => void>();

export const connectionState = (): ConnectionState => state;

export function noteConnection(connection: Connection): void {
  const isConnected = connection === "connected";
  if (isConnected === state.isConnected && (isConnected || connection === "connecting" || state.lostAt)) return;
  state = isConnected || connection === "connecting" ? { isConnected } : { isConnected, lostAt: Date.now() };
  for (const listener of listeners) listener();
}

export const useConnection = (): ConnectionState => useSyncExternalStore(onConnection, connectionState);

function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
