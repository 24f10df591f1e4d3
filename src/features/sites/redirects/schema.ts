import { type Static, Type } from "typebox";
import { Sync } from "../../../engine/reconcile/target.ts";
import { ruleMatches } from "../../../host/nginx/path-pattern.ts";
import { ruleStatuses } from "../../../host/nginx/redirects.ts";
import { described, Nullable, named, OneOf, OneOfIntegers, Success, Switch, Timestamp } from "../../../http/schemas.ts";
import { ServerAnswer } from "../schema.ts";

export const mostRedirects = 500;
/** In a text that is imported. */
export const mostLines = 5_000;

const matchMeaning =
  "exact: this path. prefix: this path and all below it, which is added to the target. pattern: with placeholders, as in " +
  "/blog/:year/:slug, and with an asterisk as its last part for all that follows, as in /docs/*";
const match = OneOf(ruleMatches, { description: matchMeaning });
const from = Type.String({
  minLength: 1,
  maxLength: 500,
  title: "path",
  description: "The path, with a slash at its beginning; upper and lower case differ",
});
const to = Nullable(
  Type.String({
    maxLength: 1_000,
    title: "target",
    description:
      "A path of the project, or an http(s) address. In that of a pattern, :name is what the placeholder stands for, and :splat what the " +
      "asterisk does. null with 410",
  }),
);
const statusMeaning = "301 and 308 are permanent, 302 and 307 temporary; 410: what was there is gone";
const status = OneOfIntegers(ruleStatuses, { description: statusMeaning });
const keepsQuery = "Whether the query of the request is added to the target";

const Redirect = named(
  "Redirect",
  Type.Object({ match, from, to, status, keeps_query: Type.Boolean({ description: keepsQuery }) }),
  "A redirect by path",
);

export const RedirectsRequest = named(
  "RedirectsUpdate",
  Type.Object({
    redirects: Type.Array(
      named(
        "RedirectOrder",
        Type.Object({
          match: Type.Optional(described(match, `${matchMeaning}; default: exact`)),
          from,
          to: Type.Optional(to),
          status: Type.Optional(described(status, `${statusMeaning}; default: 301, without a target 410`)),
          keeps_query: Type.Optional(
            Type.Unsafe<boolean | 0 | 1>({ ...Switch, description: `${keepsQuery}; default: on` }),
          ),
        }),
        "A redirect by path, as it is asked for",
      ),
      {
        maxItems: mostRedirects,
        title: "list of redirects",
        description: "All of them: the first that matches applies",
      },
    ),
  }),
);

export const RedirectsImport = named(
  "RedirectsImport",
  Type.Object({
    format: OneOf(["_redirects", "htaccess"], {
      description:
        "_redirects: the file of Netlify and Cloudflare Pages. htaccess: Redirect, RedirectMatch and RewriteRule of Apache",
    }),
    text: Type.String({
      minLength: 1,
      maxLength: 200_000,
      description: `The content of the file, at most ${mostLines} lines`,
    }),
    replace: Type.Optional(
      Type.Unsafe<boolean | 0 | 1>({
        ...Switch,
        description:
          "Whether the redirects that the project has are deleted; default: off, they stay before the others",
      }),
    ),
  }),
);

const redirects = Type.Array(Redirect, { description: "All of the project, in their order" });

export const RedirectsReply = named(
  "RedirectsReply",
  Success({
    data: named(
      "Redirects",
      Type.Object({
        redirects,
        updated_at: described(Timestamp, "When the project was changed last, for `expected_updated_at`"),
        sync: Sync,
      }),
      "The redirects of a project",
    ),
  }),
);

const changed = { message: Type.String(), data: redirects, nginx_response: Nullable(ServerAnswer) };

export const RedirectsChanged = named("RedirectsChanged", Success(changed));

const IgnoredLine = named(
  "IgnoredLine",
  Type.Object({
    line: Type.Integer({ description: "Its number in the text, from 1" }),
    text: Type.String({ description: "The line, up to 200 characters" }),
    reason: Type.String({ description: "Why it was not imported" }),
  }),
  "A line of a file that was not imported",
);
export type IgnoredLineRow = Static<typeof IgnoredLine>;

export const RedirectsImported = named(
  "RedirectsImported",
  Success({
    ...changed,
    imported: Type.Integer({ description: "The number of redirects that the text added" }),
    ignored: Type.Array(IgnoredLine, { description: "The lines that were not imported" }),
  }),
);
