import type { Static } from "typebox";
import type { Permission } from "../../../http/actor.ts";
import type { RequestContext } from "../../../http/route.ts";
import { can } from "../../accounts/reach.ts";
import {
  type FoundRow,
  find,
  type SearchPart,
  searchChannels,
  searchDatabases,
  searchDomains,
  searchGroups,
  searchMembers,
  searchMonitors,
  searchProjects,
  searchServers,
  searchStatusPages,
} from "./queries.ts";
import { mostFound, type SearchResult } from "./schema.ts";

/** What is searched, and the permission for reading it; the order is that of records that match equally well. */
const parts: readonly { permission: Permission; search: SearchPart }[] = [
  { permission: "project:read", search: searchProjects },
  { permission: "server:read", search: searchServers },
  { permission: "project:read", search: searchDomains },
  { permission: "server:read", search: searchDatabases },
  { permission: "monitor:read", search: searchMonitors },
  { permission: "project:read", search: searchGroups },
  { permission: "organization:read", search: searchMembers },
  { permission: "organization:read", search: searchChannels },
  { permission: "monitor:read", search: searchStatusPages },
];

export async function search({ pool, actor }: RequestContext, given: string): Promise<Static<typeof SearchResult>[]> {
  const text = given.trim();
  const readable = parts.filter(({ permission }) => can(actor, permission)).map((part) => part.search);
  if (text === "" || readable.length === 0) return [];
  return bestOf(await find(pool, readable, { actor, text, limit: mostFound }), mostFound);
}

/** The best first; among equals one of each noun in turn, so that many projects do not hide a server. */
export function bestOf(found: readonly FoundRow[], most: number): Static<typeof SearchResult>[] {
  const turns = new Map<string, number>();
  const withTurns = found
    .toSorted((a, b) => a.rank - b.rank)
    .map((row) => {
      const group = `${row.rank} ${row.noun}`;
      const turn = turns.get(group) ?? 0;
      turns.set(group, turn + 1);
      return { row, turn };
    });
  return withTurns
    .toSorted((a, b) => a.row.rank - b.row.rank || a.turn - b.turn)
    .slice(0, most)
    .map(({ row: { noun, id, name, context } }) => ({ noun, id, name, context }));
}
