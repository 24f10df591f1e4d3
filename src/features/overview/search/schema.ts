import { Type } from "typebox";
import { Id, Nullable, named, OneOf } from "../../../http/schemas.ts";

export const mostFound = 20;

const nouns = [
  "project",
  "app",
  "server",
  "domain",
  "database",
  "monitor",
  "group",
  "member",
  "channel",
  "status_page",
] as const;
export type Noun = (typeof nouns)[number];

export const SearchQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, title: "text", description: "Part of a name, in any case" })),
});

export const SearchResult = named(
  "SearchResult",
  Type.Object({
    noun: OneOf(nouns, { description: "`app`: a project that is a catalog application" }),
    id: { ...Id, description: "Of a member the user's" },
    name: Type.String(),
    context: Nullable(
      Type.String({
        description:
          "Tells it from others of the same name: the primary domain of a project, the project of a domain or monitor, the server of a database, the address of a server or member",
      }),
    ),
  }),
  "A record that a search found",
);
