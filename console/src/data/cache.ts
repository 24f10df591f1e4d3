import { QueryClient, queryOptions, type UseQueryOptions } from "@tanstack/react-query";
import type { Arguments, OperationName, Reply } from "../../../contract/client.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { connectionState } from "./connection.ts";

/**
 * `[organization, noun, id, operation, input]`: events invalidate by the first two or three. The organization is null for what
 * belongs to the account; the id is null for lists.
 */
export type Key = readonly [OrganizationId | null, string, number | string | null, ...unknown[]];

/** Events tell what changed as long as they arrive. */
const fresh = { connected: 5 * 60_000, otherwise: 0 };

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: () => (connectionState().isConnected ? fresh.connected : fresh.otherwise),
      refetchOnWindowFocus: false,
      retry: false,
      throwOnError: false,
    },
    mutations: { retry: false },
  },
});

type Read = Extract<OperationName, `GET ${string}`>;
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

export type Reading<Name extends Read> = UseQueryOptions<Reply<Name>, Error, Reply<Name>, Key>;

/** What a loader waits for before the page is shown; a failure is left to the page, which shows its error state. */
export async function prefetch(...reads: { queryKey: Key }[]): Promise<null> {
  await Promise.all(reads.map((read) => cache.ensureQueryData(read as never).catch(() => {})));
  return null;
}

/** Marks everything under the keys as changed; what is on screen is read again. */
export async function invalidate(...keys: readonly (readonly unknown[])[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
}
