import { randomBytes } from "node:crypto";
import { removeUnknownFields } from "../../http/unknown-fields.ts";
import type { FieldErrors } from "../../lib/errors.ts";
import type { Answers, App, AppInput } from "./app.ts";

type Requested = Readonly<Record<string, string | null | undefined>>;

/** The errors of the answers, by field of the request. */
export function inputErrors(app: App, asked: Requested): FieldErrors {
  const errors: FieldErrors = {};
  for (const input of app.inputs) {
    const error = errorOf(input, asked[input.key] ?? "");
    if (error !== undefined) errors[`inputs.${input.key}`] = error;
  }
  return errors;
}

/** The warnings about answers to questions that the application does not have. */
export function ignoredInputs(app: App, asked: Requested): { warnings?: string[] } {
  const properties = Object.fromEntries(app.inputs.map(({ key }) => [key, {}]));
  const unknown = removeUnknownFields({ inputs: { ...asked } }, { properties: { inputs: { properties } } });
  return unknown ? { warnings: Object.values(unknown.sentences) } : {};
}

function errorOf({ label, type, required, generated, check }: AppInput, answer: string): string | undefined {
  if (answer === "") return required && !generated ? `The ${label.toLowerCase()} is required.` : undefined;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(answer)) return `The ${label.toLowerCase()} must be one line of text.`;
  if (answer.length > 200) return `The ${label.toLowerCase()} must have at most 200 characters.`;
  if (type === "password" && answer.length < 8) return `The ${label.toLowerCase()} must have at least 8 characters.`;
  if (type === "email" && !/^[^\s@<>"',;]+@[^\s@<>"',;]+\.[^\s@<>"',;]+$/.test(answer))
    return `The ${label.toLowerCase()} must be an e-mail address.`;
  return check?.(answer);
}

/** The answers, with missing ones filled in and the application's further secrets. */
export function completeAnswers(app: App, asked: Requested, about: { name: string; email: string }): Answers {
  const answers = { ...app.generate() };
  for (const { key, generated, fallback, check } of app.inputs) {
    answers[key] = asked[key] || (generated ? generatedAnswer(check) : (fallback?.(about) ?? ""));
  }
  return answers;
}

// Few of them fail a check, for example for lack of a digit.
function generatedAnswer(check: AppInput["check"]): string {
  for (;;) {
    const answer = randomBytes(18).toString("base64url");
    if (check?.(answer) === undefined) return answer;
  }
}

/** Answers that may appear in a plan. */
export function shownAnswers(app: App, answers: Answers): Answers {
  const shown = app.inputs.filter(({ type }) => type !== "password");
  return Object.fromEntries(shown.map(({ key }) => [key, answers[key] ?? ""]));
}

/** Values that are masked in all output. */
export function secretAnswers(app: App, answers: Answers): string[] {
  const shown = shownAnswers(app, answers);
  return Object.entries(answers).flatMap(([key, value]) => (key in shown ? [] : [value]));
}

/** A check for answers that an application's installer would decode into something else. */
export const decodedEntity =
  (label: string): NonNullable<AppInput["check"]> =>
  (answer) =>
    /&(?:amp|lt|gt|quot|apos|#0?39);/.test(answer)
      ? `The ${label} must not contain an HTML entity such as &amp;.`
      : undefined;

// Questions of several applications.

/** The title of the application; default: the project's name. */
export const siteTitle = (label: string): AppInput => ({
  key: "site_title",
  label,
  type: "text",
  required: false,
  generated: false,
  fallback: ({ name }) => name,
});

/** Default: the address of the user who installs it. */
export const adminEmail = (label = "Administrator's e-mail address"): AppInput => ({
  key: "admin_email",
  label,
  type: "email",
  required: false,
  generated: false,
  fallback: ({ email }) => email,
});
