import type { OrganizationId } from "../paths.ts";
import { cache } from "./cache.ts";
import { readStored, store, storedNames } from "./stored.ts";

/** A record that was on screen not long ago. */
export interface Recent {
  noun: string;
  id: number;
  name: string;
}

const most = 8;

/** Whose they are: another account of the same browser may not see all of them. */
export interface RecentOf {
  account: number | undefined;
  organization: OrganizationId;
}

const storedAs = ({ account, organization }: RecentOf): string => `recent.${account}.${organization}`;

/** The newest first. */
export function recentRecords(of: RecentOf): Recent[] {
  try {
    const kept: unknown = JSON.parse(readStored(storedAs(of)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, most) : [];
  } catch {
    return [];
  }
}

const isRecent = (value: Partial<Recent> | null): value is Recent =>
  typeof value?.noun === "string" && typeof value.id === "number" && typeof value.name === "string";

/** Remembers the record of a page, by the name that the page read. */
export function noteRecent(of: RecentOf, noun: string, id: number): void {
  const name = nameInCache(of.organization, noun, id);
  if (name === undefined || of.account === undefined) return;
  const others = recentRecords(of).filter((each) => each.noun !== noun || each.id !== id);
  store(storedAs(of), JSON.stringify([{ noun, id, name }, ...others].slice(0, most)));
}

function nameInCache(o: OrganizationId, noun: string, id: number): string | undefined {
  // The API answers with a record, or has it in `data`.
  for (const [, reply] of cache.getQueriesData<{ name?: unknown; data?: { name?: unknown } }>({
    queryKey: [o, noun, id],
  })) {
    const name = reply?.name ?? reply?.data?.name;
    if (typeof name === "string") return name;
  }
  return undefined;
}

/** Forgets them all, when the session ends. */
export function forgetRecent(): void {
  for (const name of storedNames()) if (name.startsWith("recent.")) store(name, null);
}
