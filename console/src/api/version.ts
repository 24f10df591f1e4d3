// Which version of Longshore answers: an open page may be older than the server.
let loaded: string | undefined;
let answered: string | undefined;
const listeners = new Set<() => void>();

/** Notes the version that an answer named. The first one is that of this page. */
export function noteVersion(version: string | null): void {
  if (version === null || version === answered) return;
  loaded ??= version;
  answered = version;
  for (const listener of listeners) listener();
}

export const isOutdated = (): boolean => answered !== loaded;

export function onVersion(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
