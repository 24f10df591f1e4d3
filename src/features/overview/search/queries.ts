import { contains } from "../../../db/filters.ts";
import { type Db, join, raw, rows, type Sql, sql } from "../../../db/sql.ts";
import {
  type Actor,
  groupReach,
  monitorReach,
  projectReach,
  serverReach,
  serverVisible,
} from "../../accounts/reach.ts";
import { isPresent } from "../../monitors/queries.ts";

import type { Noun } from "./schema.ts";

export interface FoundRow {
  noun: Noun;
  id: number;
  name: string;
  context: string | null;
  /** 0: the text is the name; 1: the name begins with it; 2: it contains it, or something else of the record does. */
  rank: 0 | 1 | 2;
}

interface Source {
  noun: Sql;
  id: Sql;
  name: Sql;
  /** What tells it from others of the same name; for the found rows only. */
  context: Sql;
  from: Sql;
  where: Sql;
}

const selected = ({ noun, id, name, context }: Source, rank: Sql): Sql =>
  sql`${noun} as noun, ${id} as id, ${name} as name, ${context} as context, ${rank} as rank`;

/** The last character: what begins with a text stands between it and this after it. */
const lastCharacter = sql`chr(1114111)`;

/** Asks for the rows that match a text, `limit` at most: a constant, since PostgreSQL expects many rows for one that it does not know. */
type Finding = (actor: Actor, text: string, limit: Sql) => Sql;

/** The search for one noun. */
export interface SearchPart {
  /** Among others all whose name begins with the text. */
  first: Finding;
  /** The others, which matter only if the first are too few. */
  others?: Finding;
}

/** Of a table that may be long, with indexes of the beginnings and the parts of the name (0032-overview.sql). */
const inLongTable = (sourceFor: (actor: Actor) => Source): SearchPart => ({
  first: (actor, text, limit) => {
    const source = sourceFor(actor);
    const name = sql`lower(${source.name})`;
    const begins = sql`${name} ~>=~ lower(${text}::text) and ${name} ~<~ (lower(${text}::text) || ${lastCharacter})`;
    return sql`select ${selected(source, sql`case when ${name} = lower(${text}::text) then 0 else 1 end`)} from ${source.from}
      where ${source.where} and ${begins} order by ${name} using ~<~ limit ${limit}`;
  },
  others: (actor, text, limit) => {
    const source = sourceFor(actor);
    const { name, from, where } = source;
    return sql`select ${selected(source, sql`2`)} from ${from}
      where ${where} and parts_of_name(${name}) @> parts_of_search(${text}::text)
        and strpos(lower(${name}), lower(${text}::text)) > 1 limit ${limit}`;
  },
});

/** Of a table with some thousands of rows at most in an organization; `also` are further texts of the record. */
const inShortTable = (sourceFor: (actor: Actor) => Source & { also?: Sql[] }): SearchPart => ({
  first: (actor, text, limit) => {
    const { also = [], ...source } = sourceFor(actor);
    const { name, from, where } = source;
    const rank = sql`case when lower(${name}) = lower(${text}::text) then 0
      when starts_with(lower(${name}), lower(${text}::text)) then 1 else 2 end`;
    return sql`select ${selected(source, rank)} from ${from}
      where ${where} and ${contains([name, ...also], text)} order by 5, 3 limit ${limit}`;
  },
});

// The projects of records are looked up one by one: those that match are few.
const ofProjectInReach = (actor: Actor, id: Sql): Sql =>
  sql`exists (select 1 from projects p where p.id = ${id} and ${projectReach(actor)})`;

const nameOfProject = (id: Sql): Sql => sql`(select name from projects where id = ${id})`;

export const searchProjects = inLongTable((actor) => ({
  noun: sql`case p.source_type when 'app' then 'app' else 'project' end`,
  ...{ id: sql`p.id`, name: sql`p.name` },
  context: sql`(select domain_name from domains where project_id = p.id and is_primary)`,
  from: sql`projects p`,
  where: projectReach(actor),
}));

export const searchDomains = inLongTable((actor) => ({
  ...{ noun: sql`'domain'`, id: sql`d.id`, name: sql`d.domain_name`, context: nameOfProject(sql`d.project_id`) },
  from: sql`domains d`,
  where: ofProjectInReach(actor, sql`d.project_id`),
}));

export const searchMonitors = inLongTable((actor) => ({
  ...{ noun: sql`'monitor'`, id: sql`m.id`, name: sql`m.name`, context: nameOfProject(sql`m.project_id`) },
  from: sql`monitors m`,
  where: sql`${monitorReach(actor)} and ${isPresent}`,
}));

export const searchDatabases = inLongTable((actor) => ({
  ...{ noun: sql`'database'`, id: sql`db.id`, name: sql`db.database_name` },
  context: sql`(select name from servers where id = db.server_id)`,
  from: sql`databases db`,
  where: sql`db.removed_at is null
    and exists (select 1 from servers s where s.id = db.server_id and ${serverReach(actor)})`,
}));

export const searchServers = inShortTable((actor) => {
  const address = sql`case when ${serverReach(actor)} then host(s.public_ip) end`;
  return {
    ...{ noun: sql`'server'`, id: sql`s.id`, name: sql`s.name`, context: address, also: [address] },
    from: sql`servers s`,
    where: serverVisible(actor),
  };
});

export const searchGroups = inShortTable((actor) => ({
  ...{ noun: sql`'group'`, id: sql`g.id`, name: sql`g.name`, context: sql`null::text` },
  from: sql`project_groups g`,
  where: groupReach(actor),
}));

export const searchMembers = inShortTable(({ organizationId }) => ({
  ...{ noun: sql`'member'`, id: sql`u.id`, name: sql`u.name`, context: sql`u.email`, also: [sql`u.email`] },
  from: sql`memberships ms join users u on u.id = ms.user_id`,
  where: sql`ms.organization_id = ${organizationId}`,
}));

export const searchChannels = inShortTable(({ organizationId, restriction }) => ({
  ...{ noun: sql`'channel'`, id: sql`nc.id`, name: sql`nc.name`, context: sql`nc.type` },
  from: sql`notification_channels nc`,
  where: restriction ? sql`false` : sql`nc.organization_id = ${organizationId} and nc.monitor_id is null`,
}));

export const searchStatusPages = inShortTable(({ organizationId, restriction }) => ({
  ...{ noun: sql`'status_page'`, id: sql`sp.id`, name: sql`sp.name`, context: sql`coalesce(sp.domain, sp.slug)` },
  from: sql`status_pages sp`,
  where: restriction ? sql`false` : sql`sp.organization_id = ${organizationId}`,
  also: [sql`sp.domain`],
}));

interface Asked {
  actor: Actor;
  text: string;
  limit: number;
}

/** Up to `limit` records of each part that match best, and of those that match otherwise. */
export async function find(db: Db, parts: readonly SearchPart[], asked: Asked): Promise<FoundRow[]> {
  const first = await all(
    db,
    parts.map((part) => part.first),
    asked,
  );
  if (first.filter(({ rank }) => rank < 2).length >= asked.limit) return first;
  return [
    ...first,
    ...(await all(
      db,
      parts.flatMap(({ others }) => others ?? []),
      asked,
    )),
  ];
}

const all = async (db: Db, findings: readonly Finding[], { actor, text, limit }: Asked): Promise<FoundRow[]> =>
  findings.length === 0
    ? []
    : rows(
        db,
        join(
          findings.map((finding) => sql`(${finding(actor, text, raw(String(limit)))})`),
          " union all ",
        ),
      );
