import { hash } from "node:crypto";

/**
 * Caches the last `most` results of a pure function of plain data: for a slow function that is usually called with the same
 * arguments. Arguments with the same JSON have the same result.
 */
export function memoize<Question, Answer>(
  most: number,
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  const known = new Map<string, { answer: Answer }>();
  return (question) => {
    const key = hash("sha256", JSON.stringify(question), "base64url");
    const found = known.get(key) ?? { answer: answer(question) };
    // The newest last: the least recently used one is dropped first.
    known.delete(key);
    known.set(key, found);
    if (known.size > most) known.delete(known.keys().next().value as string);
    return found.answer;
  };
}
