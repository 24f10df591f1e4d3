import { isMet } from "../contract/capability-rules.ts";
import { type CapabilityTable, hasCondition, type Refusal } from "../src/http/capabilities.ts";
import type { Route } from "../src/http/route.ts";
import { errorStatus } from "../src/lib/errors.ts";

// The capability tables in the form that contract/ publishes.

type Table = CapabilityTable<Record<string, unknown>>;
type FieldValues = Record<string, readonly unknown[]>;

export interface PublishedRefusal {
  reason: string;
  status: number;
  /** For the reader; `{name}` stands for a field of the record, or for something that only the API knows. */
  message: string;
  when?: FieldValues;
  unless?: FieldValues;
}

interface PublishedVerb {
  operation: string;
  permission: string;
  /** The states in which the verb is not refused; missing if the noun has no states. */
  allowed_states?: string[];
  /** Decided by the record alone; the first match is the response. */
  refusals: PublishedRefusal[];
  /** Decided by more than the record. */
  depends_on: PublishedRefusal[];
}

interface PublishedNoun {
  /** The operation whose response has the fields that the refusals name. */
  record: string;
  state?: { field: string; values: Record<string, unknown> };
  verbs: Record<string, PublishedVerb>;
}

export type PublishedCapabilities = Record<string, PublishedNoun>;

/** Throws if a verb names a route that does not exist. */
export function publishedCapabilities(tables: readonly Table[], routes: readonly Route[]): PublishedCapabilities {
  const permissions = new Map(routes.map((route) => [`${route.method} ${route.path}`, route.permission]));
  const permissionOf = (route: string): string => {
    const permission = permissions.get(route);
    if (permission === undefined) throw new Error(`A capability names the route ${route}, which does not exist.`);
    return permission;
  };
  const nouns = Object.groupBy(tables, ({ noun }) => noun);
  return Object.fromEntries(
    Object.entries(nouns).map(([noun, parts = []]) => [noun, publishedNoun(parts, permissionOf)]),
  );
}

function publishedNoun(parts: readonly Table[], permissionOf: (route: string) => string): PublishedNoun {
  const [first] = parts as [Table];
  const state = parts.flatMap((part) => part.state ?? [])[0];
  const values = state && (Array.isArray(state.values) ? named(state.values) : (state.values as object));
  const states = state && { field: state.field, values: { ...values } };
  const verbs = parts.flatMap((part) => Object.entries(part.verbs));
  return {
    record: operationOf(first.record),
    ...(states && { state: states }),
    verbs: Object.fromEntries(
      verbs.map(([name, { route, refusals }]) => {
        const all = Object.entries(refusals);
        const byRecord = all.filter(([, refusal]) => hasCondition(refusal));
        return [
          name,
          {
            operation: operationOf(route),
            permission: permissionOf(route),
            ...(states && { allowed_states: allowedStates(states, byRecord) }),
            refusals: byRecord.map(published),
            depends_on: all.filter(([, refusal]) => !hasCondition(refusal)).map(published),
          },
        ];
      }),
    ),
  };
}

const named = (values: readonly string[]) => Object.fromEntries(values.map((value) => [value, value]));

const operationOf = (route: string): string => route.replace(/:(\w+)/g, "{$1}");

type Entry = [reason: string, refusal: Refusal<Record<string, unknown>>];

/** Omits refusals that also need another field: in such a state the verb is allowed for some records. */
function allowedStates(
  { field, values }: { field: string; values: Record<string, unknown> },
  refusals: readonly Entry[],
): string[] {
  const byState = refusals.filter(([, { when, unless }]) =>
    [when, unless].every((each) => Object.keys(each ?? {}).every((name) => name === field)),
  );
  return Object.keys(values).filter(
    (name) =>
      !byState.some(([, { when, unless }]) =>
        isMet(
          { ...(when && { when: when as FieldValues }), ...(unless && { unless: unless as FieldValues }) },
          { [field]: values[name] },
        ),
      ),
  );
}

const published = ([reason, { when, unless, code, message }]: Entry): PublishedRefusal => ({
  reason,
  status: errorStatus[code ?? "refused"],
  message,
  ...(when && { when: when as FieldValues }),
  ...(unless && { unless: unless as FieldValues }),
});
