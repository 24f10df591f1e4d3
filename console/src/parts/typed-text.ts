import { useEffect, useEffectEvent, useState } from "react";

/** The address follows once one has stopped typing. */
const typedAfterMs = 150;

/**
 * What is typed into a filter, at once; `onQuery` gets it after a pause. A change of `q` from elsewhere replaces it; our own
 * arrives while one types on.
 */
export function useTypedText(q: string, onQuery: (q: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState({ text: q, q, sent: q });
  if (typed.q !== q) setTyped({ text: q === typed.sent ? typed.text : q, q, sent: q });
  const { text } = typed;
  const send = useEffectEvent((sent: string) => {
    setTyped((now) => ({ ...now, sent }));
    onQuery(sent);
  });
  useEffect(() => {
    const sent = text.trim();
    if (sent === q) return;
    const timer = setTimeout(() => send(sent), typedAfterMs);
    return () => clearTimeout(timer);
  }, [text, q]);
  return [text, (next) => setTyped((now) => ({ ...now, text: next }))];
}
