import type { OrganizationId } from "../paths.ts";
import { cache } from "./cache.ts";
import { readStored, store } from "./stored.ts";

/** A record that was on screen not long ago. */
export interface Recent {
  noun: string;
  id: number;
  name: string;
}

const most = 8;
const storedAs = (o: OrganizationId): string => `recent.${o}`;

/** The newest first. */
export function recentRecords(o: OrganizationId): Recent[] {
  try {
    const kept: unknown = JSON.parse(readStored(storedAs(o)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, most) : [];
  } catch {
    return [];
  }
}

const isRecent = (value: Partial<Recent> | null): value is Recent =>
  typeof value?.noun === "string" && typeof value.id === "number" && typeof value.name === "string";

/** Remembers the record of a page, by the name that the page read. */
export function noteRecent(o: OrganizationId, noun: string, id: number): void {
  const name = nameInCache(o, noun, id);
  if (name === undefined) return;
  const others = recentRecords(o).filter((each) => each.noun !== noun || each.id !== id);
  store(storedAs(o), JSON.stringify([{ noun, id, name }, ...others].slice(0, most)));
}

function nameInCache(o: OrganizationId, noun: string, id: number): string | undefined {
  for (const [, reply] of cache.getQueriesData<{ data?: { name?: unknown } }>({ queryKey: [o, noun, id] })) {
    const name = reply?.data?.name;
    if (typeof name === "string") return name;
  }
  return undefined;
}

/** Forgets what everybody saw in this browser: when the session ends. */
export function forgetRecent(): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith("recent.")) store(name, null);
}
