import { hash } from "node:crypto";

/**
 * A pure function of plain data that keeps its last answers, `most` of them: for one that takes long and is mostly asked the
 * same. Arguments with the same JSON have the same answer.
 */
export function remembering<Question, Answer>(
  most: number,
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  const known = new Map<string, { answer: Answer }>();
  return (question) => {
    const key = hash("sha256", JSON.stringify(question), "base64url");
    const found = known.get(key) ?? { answer: answer(question) };
    // The newest last: the least recently used one is forgotten first.
    known.delete(key);
    known.set(key, found);
    if (known.size > most) known.delete(known.keys().next().value as string);
    return found.answer;
  };
}
