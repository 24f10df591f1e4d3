import { useEffect, useState, useSyncExternalStore } from "react";
import { type LogReader, type LogState, readerOf, stopAhead } from "./log-reader.ts";
import type { LogSource } from "./source.ts";

/** The reader of a log, for as long as the component shows it. Another log needs another component: give it a `key`. */
export function useLog(source: LogSource): [LogReader, LogState] {
  const [reader] = useState(() => readerOf(source));
  useEffect(() => {
    const stop = reader.start();
    stopAhead();
    return stop;
  }, [reader]);
  return [reader, useSyncExternalStore(reader.subscribe, reader.getState)];
}
