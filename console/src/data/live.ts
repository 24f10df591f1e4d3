import { useEffect } from "react";
import { listenToEvents } from "../api/events.ts";
import type { OrganizationId } from "../paths.ts";
import { cache, invalidate } from "./cache.ts";
import { noteConnection } from "./connection.ts";
import { applyEvent, type Changed } from "./events.ts";

type Listener = (name: string, changed: Changed) => void;
const listeners = new Set<Listener>();

/** The organization whose events keep what the pages show up to date. */
let live: { organization: OrganizationId; end: () => void } | undefined;

/**
 * Connects the events of an organization, unless there are some already: before its first page reads anything, so that little has to
 * be read again once they are connected.
 */
export function connectEarly(organization: OrganizationId): void {
  if (!live) connect(organization);
}

/** Keeps what the pages show up to date, while mounted. */
export function useLiveData(organization: OrganizationId): void {
  useEffect(() => {
    if (live?.organization !== organization) {
      disconnect();
      connect(organization);
    }
    return disconnect;
  }, [organization]);
}

export function disconnect(): void {
  live?.end();
  live = undefined;
  noteConnection(undefined);
}

function connect(organization: OrganizationId): void {
  let isFirst = true;
  const end = listenToEvents(organization, {
    onConnection: (connection) => {
      noteConnection(connection);
      if (connection !== "connected") return;
      // Events tell what changes from here on; what was read before may have changed since, or could not be read.
      void (isFirst ? invalidate([organization]) : readFailedAgain());
      isFirst = false;
    },
    onRefused: () => {
      noteConnection("lost");
      // Shows why: the session has ended, or the membership.
      void invalidate([organization, "me"]);
    },
    onEvent: (name, data) => {
      applyEvent(organization, name, data as Changed);
      for (const listener of listeners) listener(name, data as Changed);
    },
  });
  live = { organization, end };
}

const readFailedAgain = (): Promise<void> =>
  cache.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });

/** Calls the listener with each event of the organization, while mounted. The listener must be stable. */
export function useEvents(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}
