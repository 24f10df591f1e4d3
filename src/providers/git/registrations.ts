import { scalarOf, textOf } from "../../lib/foreign.ts";
import { findInPages } from "./call.ts";
import type { Hook, HostPage } from "./git-host.ts";

// Finds the keys and hooks that were registered at a host.

/** A list of the host, page by page. */
export type Pages = (cursor?: string) => Promise<HostPage<Record<string, unknown>>>;

/** The host's id for a key. */
export const findKeyIn = (pages: Pages, publicKey: string): Promise<string | undefined> =>
  findInPages(pages, (key) => (materialOf(textOf(key.key)) === materialOf(publicKey) ? scalarOf(key.id) : undefined));

/** The host's id for our hook; `read` gets the fields of the host's answer. */
export const findHookIn = (
  pages: Pages,
  read: (hook: Record<string, unknown>) => { id: string; url: string },
  isOurs: Hook["isOurs"],
): Promise<string | undefined> =>
  findInPages(pages, (hook) => {
    const { id, url } = read(hook);
    return isOurs(url) ? id : undefined;
  });

// Ignores the comments of the keys.
const materialOf = (key: string): string => key.trim().split(/\s+/).slice(0, 2).join(" ");
