import { useEffect } from "react";
import { listenToEvents } from "../api/events.ts";
import type { OrganizationId } from "../paths.ts";
import { invalidate } from "./cache.ts";
import { noteConnection } from "./connection.ts";
import { applyEvent, type Changed } from "./events.ts";

type Listener = (name: string, changed: Changed) => void;
const listeners = new Set<Listener>();

/** Keeps what the pages show up to date, while mounted. */
export function useLiveData(organization: OrganizationId): void {
  useEffect(
    () =>
      listenToEvents(organization, {
        onConnection: noteConnection,
        onRefused: () => {
          noteConnection("lost");
          // Shows why: the session has ended, or the membership.
          void invalidate([organization, "me"]);
        },
        onEvent: (name, data) => {
          applyEvent(organization, name, data as Changed);
          for (const listener of listeners) listener(name, data as Changed);
        },
      }),
    [organization],
  );
}

/** Calls the listener with each event of the organization, while mounted. The listener must be stable. */
export function useEvents(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}
