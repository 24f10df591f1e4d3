import { useSyncExternalStore } from "react";
import { upload } from "../../api/upload.ts";
import { invalidate } from "../../data/cache.ts";
import type { DatabaseRef } from "../../data/databases.ts";
import type { OrganizationId } from "../../paths.ts";

/** A dump on its way to a database. It continues while one is on other pages. */
export interface Upload {
  file: File;
  emptiesFirst: boolean;
  sent: number;
  /** Why it ended before all of it was there. */
  error?: unknown;
  /** All of it is there, and this import loads it. */
  importId?: number;
  cancel: () => void;
}

const uploads = new Map<number, Upload>();
const listeners = new Set<() => void>();

function put(database: number, next: Upload | undefined): void {
  if (next) uploads.set(database, next);
  else uploads.delete(database);
  const isAny = [...uploads.values()].some(isUnderWay);
  window[isAny ? "addEventListener" : "removeEventListener"]("beforeunload", warn);
  for (const listener of listeners) listener();
}

const isUnderWay = ({ error, importId }: Upload): boolean => error === undefined && importId === undefined;

/** To leave the page would end the upload: the browser asks. */
const warn = (event: Event): void => event.preventDefault();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The upload to a database, until `forgetUpload`. */
export const useUpload = (database: number): Upload | undefined =>
  useSyncExternalStore(subscribe, () => uploads.get(database));

export const forgetUpload = (database: number): void => put(database, undefined);

/** Sends a dump to a database; `useUpload` shows how far it is. Resolves with how it ended; undefined: it was cancelled. */
export async function startUpload(
  organization: OrganizationId,
  { id, server_id: serverId }: DatabaseRef,
  { file, emptiesFirst }: Pick<Upload, "file" | "emptiesFirst">,
): Promise<Upload | undefined> {
  const stop = new AbortController();
  const started: Upload = { file, emptiesFirst, sent: 0, cancel: () => stop.abort() };
  put(id, started);
  const address = `/api/v1/servers/${serverId}/databases/${id}/imports?empty_first=${emptiesFirst}`;
  const onProgress = (sent: number) => put(id, { ...started, sent });
  try {
    const { data } = await upload({ file, address, organization, onProgress, signal: stop.signal });
    put(id, { ...started, sent: file.size, importId: data.id });
  } catch (error) {
    put(id, stop.signal.aborted ? undefined : { ...started, error });
  }
  await invalidate([organization, "database", id]);
  return uploads.get(id);
}
