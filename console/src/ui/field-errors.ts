import { createContext } from "react";

/** `errors` of a 422: field name, with dots inside objects → sentences. */
export type FieldErrors = Record<string, string | string[]>;

interface RefusedFields {
  errors: FieldErrors;
  /** The sentences of what is no field of the form. */
  elsewhere: readonly string[];
}

/** What the API refused of the form around. */
export const RefusedFields = createContext<RefusedFields>({ errors: {}, elsewhere: [] });

/** The sentences whose field shows none: it is not in the form, or is a checkbox. */
export function sentencesElsewhere(form: HTMLFormElement, errors: FieldErrors): string[] {
  const isShown = (name: string): boolean => {
    const found = form.elements.namedItem(name);
    const control = found instanceof RadioNodeList ? found[0] : found;
    return control != null && (control as HTMLInputElement).type !== "checkbox";
  };
  return Object.entries(errors).flatMap(([name, sentences]) => (isShown(name) ? [] : sentences));
}

/**
 * The sentence with what the page calls its field, where the API has another word: “Addresses” must be email addresses. A
 * sentence that does not begin with its field is as the API wrote it.
 */
export function inWordsOfPage(sentence: string, errors: FieldErrors, label: string): string {
  for (const [name, sentences] of Object.entries(errors)) {
    if (![sentences].flat().includes(sentence)) continue;
    const words = apiWordsOf(name);
    if (words.includes(label.toLowerCase())) continue;
    const subject = new RegExp(`^The (field )?(${words.map(escaped).join("|")}) (?=${verbs}\\b)`, "i");
    if (subject.test(sentence)) return sentence.replace(subject, () => `“${label}” `);
  }
  return sentence;
}

/** The name of a variable or file, which a person chose, can have any sign. */
const escaped = (text: string): string => text.replace(/[^\w ]/g, "\\$&");

/** Between them and the name stands nothing, unlike in "The server web-1 is off". */
const verbs = "(must|is|are|does|do|has|have|holds?|names?|cannot)";

/** What the API calls a field in its sentences: "grace_seconds", "grace in seconds", "grace". */
function apiWordsOf(name: string): string[] {
  const own = name.split(".").at(-1) ?? "";
  const words = own.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [own.toLowerCase(), words, words.replace(/ (seconds|mb)$/, " in $1"), words.replace(/ (seconds|mb)$/, "")];
}
