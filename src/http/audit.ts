import { isIP } from "node:net";
import type { Pool } from "pg";
import type { BeforeCommit } from "../db/transaction.ts";
import { scalarOf } from "../lib/foreign.ts";
import type { Logger } from "../lib/log.ts";
import type { Actor } from "./actor.ts";
import type { CallingProgram } from "./calling-program.ts";
import { type AuditEntry, addAuditSubjects, insertAuditEntry, insertAuditEntryOfChange } from "./queries.ts";
import { Answer, type Route, StreamAnswer } from "./route.ts";

// Every request that changes something leaves one entry in the audit log, in the transaction of the change. This is
// independent of the handlers, so that none can forget it: the pool of a handler writes the entry before its first commit.
// A route can ask for an entry of each reading as well.

export interface AuditedRequest {
  route: Route;
  actor: Actor;
  requestId: string;
  /** The address of the client, as reported by it or by a proxy. */
  from: string;
  client: CallingProgram;
  params: unknown;
  query: unknown;
  body: unknown;
}

export interface Audit {
  /** For the pool of the handler. */
  record: BeforeCommit;
  /**
   * After a success: adds the records that the answer names, and records a request that had nothing to change. Throws only if the
   * reading of a secret cannot be recorded, which must not be shown then.
   */
  complete(result: unknown): Promise<void>;
}

/** Follows one request. It records names of fields and ids, never a value. */
export function auditOf({ pool, log }: { pool: Pool; log: Logger }, request: AuditedRequest): Audit {
  let recorded: number | undefined;
  let made: AuditEntry | undefined;

  // Created when first needed: most requests only read.
  function entry(): AuditEntry {
    made ??= entryOf(request);
    return made;
  }

  const record: BeforeCommit = async (tx) => {
    const id = recorded === undefined ? await insertAuditEntryOfChange(tx, entry()) : recorded;
    return () => {
      recorded = id;
    };
  };

  async function complete(result: unknown): Promise<void> {
    if (recorded === undefined && request.route.method === "GET" && !showsSecret(request)) return;
    const subjects = merged(entry().subjects, subjectsOfAnswer(request.route.path, result));
    if (recorded === undefined) await insertAuditEntry(pool, { ...entry(), subjects });
    else if (subjects.length > entry().subjects.length) await addAuditSubjects(pool, recorded, subjects);
  }

  return {
    record,
    complete: async (result) => {
      try {
        await complete(result);
      } catch (err) {
        if (recorded === undefined && showsSecret(request)) throw err;
        // The change is committed: a failure here must not hide it.
        log.error({ err }, "audit entry not completed");
      }
    },
  };
}

const showsSecret = ({ route: { isAudited }, query }: AuditedRequest): boolean =>
  typeof isAudited === "function" ? isAudited(query) : isAudited === true;

function entryOf({ route, actor, requestId, from, client, params, body }: AuditedRequest): AuditEntry {
  return {
    organizationId: actor.organizationId,
    userId: actor.userId,
    userEmail: actor.email,
    tokenId: actor.tokenId,
    ip: addressOf(from),
    action: `${route.method} ${route.path}`,
    summary: route.summary,
    subjects: merged(subjectsOfPath(route.path, params), subjectsOfFields(body)),
    fields: isObject(body) ? Object.keys(body) : [],
    requestId,
    client,
  };
}

/**
 * Null for text that PostgreSQL does not accept as an address: a proxy may send anything. A zone has no meaning on
 * another machine.
 */
export function addressOf(ip: string): string | null {
  const address = ip.replace(/%.*$/, "");
  return isIP(address) === 0 ? null : address;
}

// Subjects -----------------------------------------------------------------------------------------------------------------

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Keeps an entry readable when a bulk request names many records. */
const maxSubjects = 200;

const merged = (...lists: string[][]): string[] => [...new Set(lists.flat())].slice(0, maxSubjects);

/**
 * `/projects/:id/domains/:domainId` with 5 and 7: `project:5`, `domain:7`. Parameters that are not ids are left out: they
 * may be secrets.
 */
export function subjectsOfPath(path: string, params: unknown): string[] {
  const segments = path.split("/");
  return segments.flatMap((segment, position) => {
    if (!segment.startsWith(":") || !isObject(params)) return [];
    const name = segment.slice(1);
    const kebab = name.replace(/Id$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const type = name === "id" ? singular(segments[position - 1] ?? "") : kebab;
    return idsIn(params[name]).map((id) => `${type}:${id}`);
  });
}

/** `project_ids: [1, 2], server_id: 3`: `project:1`, `project:2`, `server:3`. */
export function subjectsOfFields(fields: unknown): string[] {
  if (!isObject(fields)) return [];
  return Object.entries(fields).flatMap(([name, value]) => {
    const type = /^([a-z_]+)_ids?$/.exec(name)?.[1]?.replaceAll("_", "-");
    return type && !noSubjects.has(type) ? idsIn(value).map((id) => `${type}:${id}`) : [];
  });
}

/** Ids that name a choice rather than a record that the request changes. */
const noSubjects = new Set(["framework", "tenant", "current-organization", "commit", "request"]);

/** The records that a request names and those in what its transaction returned, the created ones first. */
export function subjectsOfChange(
  { route, params, body }: Pick<AuditedRequest, "route" | "params" | "body">,
  result: unknown,
) {
  const made = [result].flat().flatMap((data) => subjectsOfAnswer(route.path, { data }));
  return merged(made, subjectsOfPath(route.path, params), subjectsOfFields(body));
}

/** The records named in an answer, the created one first. */
export function subjectsOfAnswer(path: string, result: unknown): string[] {
  const answer = result instanceof Answer ? result.body : result;
  if (!isObject(answer) || answer instanceof StreamAnswer || Array.isArray(answer)) return [];
  const { data } = answer;
  const collection = path.split("/").findLast((segment) => segment.endsWith("s") && !segment.startsWith(":"));
  const noun = collection ? singular(collection) : path.endsWith("/me") ? "user" : undefined;
  const created = isObject(data) && noun ? idsIn(data.id).map((id) => `${noun}:${id}`) : [];
  return [...created, ...subjectsOfFields(answer), ...subjectsOfFields(data)];
}

const singular = (collection: string): string => collection.replace(/s$/, "");

/** Some fields carry their id as a string. */
const idsIn = (value: unknown): string[] =>
  [value].flat().flatMap((each) => (/^[1-9]\d{0,15}$/.test(scalarOf(each)) ? [scalarOf(each)] : []));
