import { type Static, Type } from "typebox";
import { Nullable, named, OneOf, Success } from "./schemas.ts";

// Requests for a page of a log (engine/runs/log.ts), and the page.

const mostLines = 5_000;

const Line = (description: string) => Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description });

export const LogQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "`next` of the page before; 0 is the beginning",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1 << 20,
      description: "Bytes of text at which a page ends; default: 262,144",
    }),
  ),
  from_line: Type.Optional(Line("In place of `after`: the first line of the page; 1 is that of the log")),
  before_line: Type.Optional(Line("In place of `after`: the line after the last one of the page")),
  tail: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostLines, description: "In place of `after`: the last so many lines" }),
  ),
  max_lines: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostLines,
      description: "Lines at which a page ends that begins at a line; default: 500",
    }),
  ),
});

const LogPart = named(
  "LogPart",
  Type.Object({
    offset: Type.Integer({ description: "Where it begins; grows, with gaps" }),
    step: Nullable(Type.String({ description: "Key of the step that printed it" })),
    audience: OneOf(["system", "client"], {
      description: "client: the user's own command; system: a step of the platform",
    }),
    text: Type.String({ description: "Whole lines; a line longer than 64 KiB comes in parts" }),
    first_line: Type.Integer({
      description: "The number of its first line in the log, from 1; a further part of a line has the same",
    }),
  }),
  "Output of one step",
);

/** A page of a log, as part of an answer. */
export const logPageFields = {
  data: Type.Array(LogPart, { description: "In the order of the log" }),
  next: Type.Integer({ description: "What to send as `after` to read the next page" }),
  has_more: Type.Boolean({ description: "Whether there is more already" }),
  is_complete: Type.Boolean({ description: "The work has ended and this is the end of its log" }),
  total_lines: Type.Integer({ description: "Lines of the whole log so far" }),
  total_bytes: Type.Integer({ description: "Bytes of the whole log so far" }),
};

export const LogSearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^[^\\r\\n]+$",
    title: "text",
    description: "What the lines contain, in any case",
  }),
  from_line: Type.Optional(Line("The first line that may match; `next_line` of the page before")),
});

export const LogMatches = named(
  "LogMatches",
  Success({
    matches: Type.Array(
      named(
        "LogMatch",
        Type.Object({
          line: Type.Integer({ description: "The number of the line in the log, from 1" }),
          step: Nullable(Type.String({ description: "Key of the step that printed it" })),
          text: Type.String({ description: "The line, up to 1,000 characters" }),
        }),
      ),
      { description: "At most 100, in the order of the log" },
    ),
    total: Nullable(
      Type.Integer({
        description:
          "Lines of the whole log that match; 10,000: as many or more; null: it takes too long to count them",
      }),
    ),
    next_line: Nullable(Type.Integer({ description: "Where the next page begins; null: there are no further ones" })),
  }),
  "Lines of a log that contain a text",
);

export const logMatchesExample: Static<typeof LogMatches> = {
  status: "success",
  matches: [{ line: 118, step: "build", text: "npm error code ELIFECYCLE" }],
  total: 1,
  next_line: null,
};

export const LogPage = named("LogPage", Success(logPageFields));
