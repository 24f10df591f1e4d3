import type { IncomingHttpHeaders } from "node:http";
import { type Static, Type } from "typebox";
import { Nullable, named, OneOf } from "./schemas.ts";

const kinds = ["console", "cli", "mcp", "api"] as const;

/** For the audit log. `name` and `version` are what the program states: nothing is decided by them. */
export const CallingProgram = named(
  "CallingProgram",
  Type.Object({
    kind: OneOf(kinds, { description: "`console` for sessions; `api` also when it names none" }),
    name: Nullable(Type.String({ description: "Null: it did not name itself" })),
    version: Nullable(Type.String({ description: "Of the program" })),
  }),
  "The program that sent a request, as it named itself in `X-Longshore-Client`",
);
export type CallingProgram = Static<typeof CallingProgram>;

/** `kind/name/version`; name and version may be missing. */
export const programHeader = "X-Longshore-Client";

const format = /^(cli|mcp|api|console)(?:\/([A-Za-z][\w.@+-]{0,63}))?(?:\/(\d[\w.+-]{0,31}))?$/;

/** A session is that of a browser, and no token is, whatever the header is. A malformed header counts as none. */
export function callingProgram(headers: IncomingHttpHeaders, isSession: boolean): CallingProgram {
  const given = headers[programHeader.toLowerCase()];
  const [, kind, name = null, version = null] = format.exec(typeof given === "string" ? given.trim() : "") ?? [];
  const named = kind === "console" ? undefined : (kind as CallingProgram["kind"] | undefined);
  return { kind: isSession ? "console" : (named ?? "api"), name, version };
}
