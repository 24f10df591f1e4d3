import { contains } from "../../../db/filters.ts";
import { type Db, join, rows, type Sql, sql } from "../../../db/sql.ts";
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

/** Of a table that may be long, with indexes of the beginnings and the parts of the name (0032-overview.sql). */
function inLongTable(source: Source, text: string, limit: number): Sql {
  const { name, from, where } = source;
  const begins = sql`lower(${name}) ~>=~ lower(${text}::text) and lower(${name}) ~<~ (lower(${text}::text) || ${lastCharacter})`;
  return sql`select * from (
    (select ${selected(source, sql`case when lower(${name}) = lower(${text}::text) then 0 else 1 end`)} from ${from}
      where ${where} and ${begins} order by lower(${name}) using ~<~ limit ${limit})
    union all
    (select ${selected(source, sql`2`)} from ${from}
      where ${where} and parts_of_name(${name}) @> parts_of_search(${text}::text)
        and strpos(lower(${name}), lower(${text}::text)) > 1 limit ${limit})
  ) found limit ${limit}`;
}

/** Of a table with some thousands of rows at most in an organization; `also` are further texts of the record. */
function inShortTable(source: Source, text: string, { limit, also = [] }: { limit: number; also?: Sql[] }): Sql {
  const { name, from, where } = source;
  const rank = sql`case when lower(${name}) = lower(${text}::text) then 0
    when starts_with(lower(${name}), lower(${text}::text)) then 1 else 2 end`;
  return sql`select ${selected(source, rank)} from ${from}
    where ${where} and ${contains([name, ...also], text)} order by 5, 3 limit ${limit}`;
}

// The projects of records are looked up one by one: those that match are few.
const ofProjectInReach = (actor: Actor, id: Sql): Sql =>
  sql`exists (select 1 from projects p where p.id = ${id} and ${projectReach(actor)})`;

const nameOfProject = (id: Sql): Sql => sql`(select name from projects where id = ${id})`;

export type SearchPart = (actor: Actor, text: string, limit: number) => Sql;

export const searchProjects: SearchPart = (actor, text, limit) =>
  inLongTable(
    {
      noun: sql`case p.source_type when 'app' then 'app' else 'project' end`,
      ...{ id: sql`p.id`, name: sql`p.name` },
      context: sql`(select domain_name from domains where project_id = p.id and is_primary)`,
      from: sql`projects p`,
      where: projectReach(actor),
    },
    text,
    limit,
  );

export const searchDomains: SearchPart = (actor, text, limit) =>
  inLongTable(
    {
      ...{ noun: sql`'domain'`, id: sql`d.id`, name: sql`d.domain_name`, context: nameOfProject(sql`d.project_id`) },
      from: sql`domains d`,
      where: ofProjectInReach(actor, sql`d.project_id`),
    },
    text,
    limit,
  );

export const searchMonitors: SearchPart = (actor, text, limit) =>
  inLongTable(
    {
      ...{ noun: sql`'monitor'`, id: sql`m.id`, name: sql`m.name`, context: nameOfProject(sql`m.project_id`) },
      from: sql`monitors m`,
      where: sql`${monitorReach(actor)} and ${isPresent}`,
    },
    text,
    limit,
  );

export const searchDatabases: SearchPart = (actor, text, limit) =>
  inLongTable(
    {
      ...{ noun: sql`'database'`, id: sql`db.id`, name: sql`db.database_name` },
      context: sql`(select name from servers where id = db.server_id)`,
      from: sql`databases db`,
      where: sql`db.removed_at is null
        and exists (select 1 from servers s where s.id = db.server_id and ${serverReach(actor)})`,
    },
    text,
    limit,
  );

export const searchServers: SearchPart = (actor, text, limit) => {
  const address = sql`case when ${serverReach(actor)} then host(s.public_ip) end`;
  return inShortTable(
    {
      ...{ noun: sql`'server'`, id: sql`s.id`, name: sql`s.name`, context: address },
      from: sql`servers s`,
      where: serverVisible(actor),
    },
    text,
    { limit, also: [address] },
  );
};

export const searchGroups: SearchPart = (actor, text, limit) =>
  inShortTable(
    {
      ...{ noun: sql`'group'`, id: sql`g.id`, name: sql`g.name`, context: sql`null::text` },
      from: sql`project_groups g`,
      where: groupReach(actor),
    },
    text,
    { limit },
  );

export const searchMembers: SearchPart = ({ organizationId }, text, limit) =>
  inShortTable(
    {
      ...{ noun: sql`'member'`, id: sql`u.id`, name: sql`u.name`, context: sql`u.email` },
      from: sql`memberships ms join users u on u.id = ms.user_id`,
      where: sql`ms.organization_id = ${organizationId}`,
    },
    text,
    { limit, also: [sql`u.email`] },
  );

export const searchChannels: SearchPart = ({ organizationId, restriction }, text, limit) =>
  inShortTable(
    {
      ...{ noun: sql`'channel'`, id: sql`nc.id`, name: sql`nc.name`, context: sql`nc.type` },
      from: sql`notification_channels nc`,
      where: restriction ? sql`false` : sql`nc.organization_id = ${organizationId} and nc.monitor_id is null`,
    },
    text,
    { limit },
  );

export const searchStatusPages: SearchPart = ({ organizationId, restriction }, text, limit) =>
  inShortTable(
    {
      ...{ noun: sql`'status_page'`, id: sql`sp.id`, name: sql`sp.name`, context: sql`coalesce(sp.domain, sp.slug)` },
      from: sql`status_pages sp`,
      where: restriction ? sql`false` : sql`sp.organization_id = ${organizationId}`,
    },
    text,
    { limit, also: [sql`sp.domain`] },
  );

/** Up to `limit` records of each part. */
export const find = (
  db: Db,
  parts: readonly SearchPart[],
  { actor, text, limit }: { actor: Actor; text: string; limit: number },
): Promise<FoundRow[]> =>
  rows(
    db,
    join(
      parts.map((part) => sql`(${part(actor, text, limit)})`),
      " union all ",
    ),
  );
