import { type Area, endpoint, rule, testsIn } from "./rule.ts";

const domains = testsIn("src/features/domains/tests/domains.test.ts");
const rules = testsIn("src/features/domains/tests/rules.test.ts");
const server = testsIn("test/e2e/domains.e2e.test.ts");
const site = testsIn("src/host/tests/site.test.ts");
const ns = testsIn("src/features/domains/tests/check-ns.test.ts");

export const domainRules: Area = {
  title: "Domains",
  rules: [
    endpoint(
      "GET /api/v1/domains answers pages of 25 with id and project_id",
      domains("of all projects in reach are pages of 25"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/domains lists the project's domains with id and project_id",
      domains("are listed, the primary one first, with id and project_id"),
    ),
    endpoint(
      "POST /api/v1/projects/{id}/domains answers 201 with the domain",
      domains("answers 201 with the entry and what nginx said"),
      domains("stores a name in another script as punycode"),
    ),
    endpoint(
      "PUT /api/v1/projects/{id}/domains replaces all; www_redirect is optional; answers nginx_response",
      domains("answers with the domains, www_redirect, the primary one and what nginx said"),
      domains("keeps what stays, and the primary one"),
      domains("names every bad one, and needs one at least"),
    ),
    endpoint(
      "PUT /api/v1/projects/{id}/domains/{domainId}/primary answers redirect_setting",
      domains("is set, and redirect_setting says what became of www_redirect"),
    ),
    endpoint(
      "PUT /api/v1/projects/{projectId}/domains/{domainId}/redirect takes redirect_to and 301, 302, 307 or 308",
      domains("is set with …, and answers with the domains"),
      domains("is taken back with null, and keeps its code when none is sent"),
      domains("refuses circles, other codes and what is no target"),
      server("serve as soon as they are added, redirect as they are told, and are gone when they are deleted"),
      rules("may not lead in a circle"),
    ),
    endpoint(
      "DELETE /api/v1/projects/{projectId}/domains/{domainId} refuses the last and the primary one",
      domains("may not redirect, be redirected or be deleted"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/check-ns compares the domain's address with the server's",
      ns("compares the primary domain with the server's address"),
      ns("follows aliases and tells of them"),
      ns("…: what to change"),
    ),
    rule(
      "www_redirect: 0 none, 1 www to non-www, 2 non-www to www",
      rules("leaves www_redirect where it does not"),
      server("follow www_redirect"),
    ),
    rule(
      "A domain is unique over the installation, and so is the form that www_redirect adds",
      domains("refuses what is there already, in this project or in another one"),
      domains("has one winner when many ask for the same name at once"),
      domains("are one project's, also when two claim them at once from both ends"),
    ),
    rule("Wildcards are refused with a sentence", domains("refuses … with a sentence")),
    rule(
      "Changes wait for the server, 90 s at the most; past that 202",
      domains("answers 202, and the change goes on"),
    ),
    rule(
      "What the web server refuses is taken back and answered in its words",
      domains("has the change taken back, and the answer is nginx's own words"),
      domains("has deleted and replaced domains brought back as they were"),
      server("by its test is taken back, and answered in its words"),
      server("for the sake of another site is taken back, and answered in its words"),
      server("only when it reloads is taken back as well"),
      domains("and refuses later has the change taken back without anybody waiting"),
    ),
    rule(
      "What is answered as published is served",
      server("is served when it is answered, also while somebody else reloads nginx"),
    ),
    rule(
      "Many changes are few publications",
      domains("are few publications, each of all that came before it"),
      server("are few reloads when many change at once, and no visitor notices"),
    ),
    rule(
      "What was changed by hand on the server is noticed before it is overwritten, kept and told",
      server("is kept beside before it is overwritten, and told"),
      server("is told when it is a file that was removed"),
    ),
    rule(
      "Sites are compressed, take uploads up to their size and can ask for a password",
      server("is compressed as the browser likes it"),
      server("takes uploads up to its size"),
      server("asks for the password that is set, which is nowhere to be read"),
      site("asks for a password, but not certificate authorities and the release check"),
    ),
    rule("Sites pass WebSockets on", site("passes a WebSocket on, both ways, for as long as it lasts")),
    rule(
      "The address of a visitor is what a trusted proxy says, and nobody else",
      site("tells an application who visits only what a trusted proxy says"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/logs answers the last lines of access, error or php log",
      server("can be read to their end over the API"),
      server("are rotated without a lost request or line"),
    ),
    rule(
      "Domain changes are told as domain.updated",
      domains("tell of themselves: domain.updated and project.updated"),
    ),
  ],
};
