import { Type } from "typebox";
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
    audience: OneOf(["system", "client"]),
    text: Type.String({ description: "Whole lines; a line longer than 64 KiB comes in parts" }),
    first_line: Type.Integer({
      description: "The number of its first line in the log, from 1; a further part of a line has the same",
    }),
  }),
  "Output of one step",
);

/** A page of a log, as part of an answer. */
export const logPageFields = {
  data: Type.Array(LogPart),
  next: Type.Integer({ description: "What to send as `after` to read the next page" }),
  has_more: Type.Boolean({ description: "Whether there is more already" }),
  is_complete: Type.Boolean({ description: "The work has ended and this is the end of its log" }),
  total_lines: Type.Integer({ description: "Lines of the whole log so far" }),
  total_bytes: Type.Integer({ description: "Bytes of the whole log so far" }),
};

export const LogPage = named("LogPage", Success(logPageFields));
