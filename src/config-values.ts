import { urlsOfHosts } from "./lib/postgres-url.ts";

// Types of settings: a description (`type`, for use after "must be"), and a parser whose value is undefined if the text is not
// valid.

export function integer(min: number, max: number) {
  return {
    type: `a whole number between ${min} and ${max}`,
    parse: (text: string): number | undefined => {
      const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return {
    type: `one of ${choices.join(", ")}`,
    parse: (text: string): Choice | undefined => choices.find((choice) => choice === text),
  };
}

export function url(...protocols: [string, ...string[]]) {
  return {
    type: `a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    /** Without a slash at the end, so that a path can be appended. */
    parse: (text: string): string | undefined => {
      const isUrl = protocols.some((protocol) => text.startsWith(`${protocol}//`)) && URL.canParse(text);
      return isUrl ? text.replace(/\/+$/, "") : undefined;
    },
  };
}

const postgres = url("postgresql:", "postgres:");

/** With one host or several. */
export const postgresUrl = {
  type: postgres.type,
  parse: (text: string): string | undefined =>
    urlsOfHosts(text).every((host) => postgres.parse(host) !== undefined) ? text.replace(/\/+$/, "") : undefined,
};

/** Separated by commas or blanks. */
export function list(of: string, isItem: (item: string) => boolean) {
  return {
    type: `a comma-separated list of ${of}`,
    parse: (text: string): readonly string[] | undefined => {
      const items = text.split(/[\s,]+/).filter((item) => item !== "");
      return items.every(isItem) ? Object.freeze(items) : undefined;
    },
  };
}

/** Only a scheme and a host, with a port if it is not the default. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** A name that an authority can issue a certificate for: at least two labels, no wildcard, and no address. */
export function isDomain(text: string): boolean {
  return (
    text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i.test(text)
  );
}

/** An address of mail that can be part of a `mailto:` URL. */
export function isMailbox(text: string): boolean {
  return /^[^\s@,?]+@[^\s@,?]+\.[^\s@,?]+$/.test(text);
}
