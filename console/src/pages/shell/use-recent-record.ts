import { useEffect } from "react";
import { useMatch } from "react-router";
import { useAccount } from "../../data/me.ts";
import { noteRecent } from "../../data/recent.ts";
import type { OrganizationId } from "../../paths.ts";

const nouns: Record<string, string> = { projects: "project", servers: "server", monitors: "monitor" };

/** Remembers the record whose page is left, for the palette: by then its name was read. */
export function useRecentRecord(organization: OrganizationId): void {
  const match = useMatch("/o/:organization/:list/:id/*");
  const noun = nouns[match?.params.list ?? ""];
  const id = Number(match?.params.id);
  const account = useAccount()?.id;
  useEffect(() => {
    if (noun && id > 0) return () => noteRecent({ account, organization }, noun, id);
    return undefined;
  }, [account, organization, noun, id]);
}
