import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../api/errors.ts";
import type { LogSource, Matches } from "./source.ts";

export interface LogSearch {
  text: string;
  setText: (text: string) => void;
  /** The line of the match that is shown. */
  line?: number;
  /** Its place, from 1. */
  place: number;
  /** null: not counted. */
  total: number | null;
  isSearching: boolean;
  message?: string;
  move: (by: 1 | -1) => void;
}

interface Found extends Matches {
  text: string;
  place: number;
}

const none: Found = { text: "", matches: [], total: 0, next_line: null, place: 0 };
/** After the last key. */
const waitMs = 250;

/** Searches the whole log, on the server; matches are read by the hundred, as one goes through them. */
export function useLogSearch(source: LogSource): LogSearch {
  const [text, setText] = useState("");
  const [found, setFound] = useState(none);
  const [isSearching, setSearching] = useState(false);
  const [message, setMessage] = useState<string>();
  const ended = useRef(new AbortController());

  const search = async (fromLine: number, take: (matches: Matches) => void) => {
    ended.current.abort();
    const own = new AbortController();
    ended.current = own;
    setSearching(true);
    try {
      const matches = await source.search?.(text, fromLine, own.signal);
      if (own.signal.aborted || !matches) return;
      take(matches);
      setMessage(undefined);
    } catch (error) {
      if (!own.signal.aborted) setMessage(messageOf(error));
    } finally {
      if (!own.signal.aborted) setSearching(false);
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins when its text changes.
  useEffect(() => {
    if (text === "") {
      ended.current.abort();
      setSearching(false);
      setFound(none);
      return;
    }
    const timer = setTimeout(() => void search(1, (matches) => setFound({ ...matches, text, place: 1 })), waitMs);
    return () => clearTimeout(timer);
  }, [text]);

  const move = (by: 1 | -1) => {
    const { matches, next_line: next, place } = found;
    const to = place + by;
    if (to >= 1 && to <= matches.length) return setFound({ ...found, place: to });
    if (by === -1 || matches.length === 0) return;
    if (next === null) return setFound({ ...found, place: 1 });
    void search(next, (more) =>
      setFound({ ...found, matches: [...matches, ...more.matches], next_line: more.next_line, place: to }),
    );
  };

  const match = found.text === text ? found.matches[found.place - 1] : undefined;
  return {
    text,
    setText,
    place: match ? found.place : 0,
    total: found.total,
    isSearching: isSearching || (found.text !== text && message === undefined),
    move,
    ...(match && { line: match.line }),
    ...(message !== undefined && { message }),
  };
}
