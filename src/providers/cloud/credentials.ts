import { refuse } from "./check.ts";
import type { CloudCredentials, CloudDriver } from "./driver.ts";

/** Accepts the fields of a driver, and refuses missing, unknown and malformed ones, naming only their labels. */
export function parseCredentials(
  { label, credentialFields }: Pick<CloudDriver, "label" | "credentialFields">,
  given: Record<string, unknown>,
): CloudCredentials {
  const unknown = Object.keys(given).find((name) => !credentialFields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw refuse("credentials", `The credentials of ${label} have no ${unknown.slice(0, 40)}.`);
  return Object.fromEntries(
    credentialFields.map((field) => {
      const value = given[field.name];
      if (typeof value !== "string" || !field.pattern.test(value.trim())) {
        throw refuse("credentials", `The ${field.label} of ${label} is missing or malformed. ${field.help}`);
      }
      return [field.name, value.trim()];
    }),
  );
}
