import { useMutation, useQuery } from "@tanstack/react-query";
import type { PreferencesReply } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { cache, reading } from "./cache.ts";
import { useOrganization } from "./organization.ts";

// The account's, and the same in all of its organizations. Events of any of them say when they change.
const preferences = (o: OrganizationId) =>
  reading({ organization: o, noun: "preferences" }, "GET /api/v1/me/preferences");

/** A preference of the console, such as how a list looks: what is stored, unchecked, and how to change it. */
export function usePreference(name: string): [stored: unknown, store: (value: object) => void] {
  const o = useOrganization();
  const read = preferences(o);
  const stored = (useQuery(read).data?.preferences.console as Record<string, unknown> | undefined)?.[name];
  const write = useMutation({
    mutationFn: (value: object) =>
      request("PATCH /api/v1/me/preferences", { body: { preferences: { console: { [name]: value } } } }),
    // Shown at once: how a list looks is nothing that the API could refuse.
    onMutate: (value) =>
      cache.setQueryData<PreferencesReply>(read.queryKey, (now) => now && withPreference(now, name, value)),
    onSuccess: (reply) => cache.setQueryData(read.queryKey, reply),
  });
  return [stored, write.mutate];
}

const withPreference = (reply: PreferencesReply, name: string, value: object): PreferencesReply => ({
  ...reply,
  preferences: { ...reply.preferences, console: { ...(reply.preferences.console as object), [name]: value } },
});
