import { QueryClient, queryOptions, type UseQueryOptions } from "@tanstack/react-query";
import type { Arguments, OperationName, Reply } from "../../../contract/client.ts";
import { request } from "../api/client.ts";
import { isStatus } from "../api/errors.ts";
import type { OrganizationId } from "../paths.ts";
import { allPages } from "./all-pages.ts";
import { connectionState } from "./connection.ts";

/**
 * `[organization, noun, id, operation, input]`: events invalidate by the first two or three. The organization is null for what
 * belongs to the account; the id is null for lists.
 */
export type Key = readonly [OrganizationId | null, string, number | string | null, ...unknown[]];

/** Events tell what changed as long as they arrive. */
const fresh = { followed: 5 * 60_000, otherwise: 0 };

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: () => (connectionState().isFollowed ? fresh.followed : fresh.otherwise),
      refetchOnWindowFocus: false,
      retry: false,
      // Its loader has just asked for it.
      retryOnMount: ({ state }) => !isStatus(state.error, 404),
      throwOnError: false,
    },
    // What was written, and the answer to it, can be a secret: both are forgotten with the form.
    mutations: { retry: false, gcTime: 0 },
  },
});

type Read = Extract<OperationName, `GET ${string}`>;
type PagedRead = {
  [Name in Read]: Reply<Name> extends { data: unknown[]; total_pages: number } ? Name : never;
}[Read];
type Given<Name extends OperationName> = NonNullable<Arguments<Name>[0]>;

interface Subject {
  organization: OrganizationId | null;
  noun: string;
  id?: number | string;
}

/** A read of the API as query options: `useQuery(reading({ organization, noun: "project", id }, "GET …", { params: { id } }))`. */
export function reading<Name extends Read>({ organization, noun, id }: Subject, name: Name, input?: Given<Name>) {
  const queryKey: Key = [organization, noun, id ?? null, name, input ?? {}];
  const inside = organization === null ? {} : { organization };
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<Reply<Name>> =>
      request(name, ...([{ ...input, ...inside, signal }] as unknown as Arguments<Name>)),
  });
}

/** A read of all pages of a list, for choices by name. */
export function readingAll<Name extends PagedRead>(
  { organization, noun }: Omit<Subject, "id">,
  name: Name,
  input?: Given<Name>,
) {
  const queryKey: Key = [organization, noun, null, name, "all", input ?? {}];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<{ data: Reply<Name>["data"][number][] }> => {
      const read = (page: number): Promise<Reply<Name>> => {
        const asked = { ...input, query: { ...input?.query, per_page: 100, page }, organization, signal };
        return request(name, ...([asked] as unknown as Arguments<Name>));
      };
      return { data: await allPages<Reply<Name>["data"][number]>(read) };
    },
  });
}

export type Reading<Name extends Read> = UseQueryOptions<Reply<Name>, Error, Reply<Name>, Key>;

/**
 * What a loader waits for before the page is shown; a failure is left to the page, which shows its error state, and so are
 * reads that take longer than one notices.
 */
export const prefetch = (...reads: { queryKey: Key }[]): Promise<null> =>
  waitShortly(Promise.all(reads.map((read) => cache.ensureQueryData(read as never).catch(() => {}))));

/** Of what belongs to a record. Nothing is read of one that is not there, which the page around may have found already. */
export async function prefetchOf(record: { queryKey: Key }, ...reads: { queryKey: Key }[]): Promise<null> {
  if (isStatus(cache.getQueryState(record.queryKey)?.error, 404)) return null;
  return waitShortly(
    cache.ensureQueryData(record as never).then(
      () => prefetch(...reads),
      () => {},
    ),
  );
}

const shortMs = 200;

/** Waits for reads that come at once. */
export async function waitShortly(reads: Promise<unknown>): Promise<null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([
    reads,
    new Promise((resolve) => {
      timer = setTimeout(resolve, shortMs);
    }),
  ]);
  clearTimeout(timer);
  return null;
}

/** Reads after a write. A read that is under way may have begun before it. */
export async function readAgain<Value>(read: UseQueryOptions<Value, Error, Value, Key>): Promise<Value> {
  await cache.cancelQueries({ queryKey: read.queryKey, exact: true });
  return cache.fetchQuery({
    ...(read as Parameters<typeof cache.fetchQuery<Value, Error, Value, Key>>[0]),
    staleTime: 0,
  });
}

/** Marks everything under the keys as changed; what is on screen is read again. */
export async function invalidate(...keys: readonly (readonly unknown[])[]): Promise<void> {
  await Promise.all(keys.flatMap((queryKey) => [...firstReadsUnder(queryKey), cache.invalidateQueries({ queryKey })]));
}

/** First reads that are under way are not begun again by that, and what they bring may be older: they are repeated at their end. */
function firstReadsUnder(queryKey: readonly unknown[]): Promise<void>[] {
  const reads = cache.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  return reads
    .filter(({ state }) => state.data === undefined)
    .map(async (read) => {
      await read.promise?.catch(() => {});
      await cache.invalidateQueries({ queryKey: read.queryKey, exact: true });
    });
}
