import { type Area, endpoint, everyRequest, everyRoute, rule, testsIn } from "./rule.ts";

const app = testsIn("src/http/tests/app.test.ts");
const accounts = testsIn("src/features/accounts/tests/accounts.test.ts");
const idempotency = testsIn("src/http/tests/idempotency.test.ts");
const rateLimit = testsIn("src/http/tests/rate-limit.test.ts");
const projects = testsIn("src/features/projects/tests/create.test.ts");
const documentedAnswers = everyRequest("is answered as documented: … of them");

export const http: Area = {
  title: "HTTP in general",
  rules: [
    rule("Bodies and answers are JSON, as the OpenAPI document says", documentedAnswers),
    rule("201 when a record is created, 202 when work is queued, 200 otherwise", everyRoute("works after all that")),
    rule(
      "Field errors: 422 with every bad field at once, nested names dotted",
      app("say which field is wrong, every one at once, under dotted names"),
      app("name all of many bad fields"),
    ),
    rule(
      'Other errors: `{status: "error", message}`, no stack, SQL or path',
      app("of bugs show no detail, and carry the request id"),
      documentedAnswers,
    ),
    rule("400 for malformed JSON", app("answer the malformed body … without a 5xx")),
    rule(
      "401 for a missing, malformed, expired or revoked token, with WWW-Authenticate",
      app("refuses … with 401"),
      accounts("expire"),
      accounts("are revoked from the next request on, in every process"),
    ),
    rule(
      "403 for a missing permission or role",
      app("names the missing permission with 403"),
      everyRoute("refuses a token without the permission"),
      everyRoute("lets viewers read and nothing else"),
    ),
    rule("403 for X-Organization of an organization the user is not in", accounts("naming … is refused with 403")),
    rule("404 for an unknown route", app("are 404 for an unknown route, with or without a token")),
    rule(
      "404 for an id that is no integer, is out of range, or is of another organization",
      app("are 404 for the id …"),
      everyRoute("hides from strangers"),
    ),
    rule(
      "Path ids: positive integers up to 2^53-1",
      app("are not caused by the largest id"),
      app("are 404 for the id …"),
    ),
    rule(
      "405 with Allow for a wrong method on a known path",
      app("are 405 with Allow for a wrong method on a known path"),
    ),
    rule("413 for a body over 1 MiB", app("are 413 above 1 MiB, and not at it")),
    rule(
      "415 for a body that is not JSON",
      app("are 415 for a body of type …"),
      app("are not caused by a JSON type with parameters"),
    ),
    rule("Unknown body fields are ignored", app("lose fields that the schema does not name")),
    rule(
      "Every answer carries X-Request-Id, which is in the log line",
      app("of … carries a request id and the rate limit"),
      app("has a line for each request with its id, and no token"),
    ),
    rule(
      "Idempotency-Key: the same key, user and body get the first answer again",
      idempotency("the same key, user and body get the first answer again, and nothing is done twice"),
      idempotency("of requests that come at once, to two processes, one is carried out and all get its answer"),
    ),
    rule(
      "Idempotency-Key: another body under the same key gets 422",
      idempotency("another body under the same key is refused with 422"),
    ),
    rule("Idempotency-Key: for 24 hours", idempotency("after 24 hours a key is new, and is swept")),
    rule("per_page: the endpoint's default when it is not a positive number, 100 at the most", app("reads …")),
    rule("page: 1 when it is not a positive number; past the end empty data and current_page as asked", app("reads …")),
    rule(
      "Pagination envelope: current_page, data, per_page, total_pages (never 0), total_items",
      app("counts pages"),
      app("reads …"),
    ),
    rule(
      "Rate limit: 120 a minute for each user, over all tokens and processes",
      rateLimit("120 a minute by default: the 121st is refused with 429 and says when to come back"),
      rateLimit("two processes and two tokens share one budget, one after the other and at once"),
      rateLimit("requests that come at once to two processes never exceed the budget"),
    ),
    rule(
      "X-RateLimit-Limit and -Remaining on every answer; Retry-After and X-RateLimit-Reset with 429",
      app("of … carries a request id and the rate limit"),
      rateLimit("120 a minute by default: the 121st is refused with 429 and says when to come back"),
    ),
    rule("MCP has a bucket of its own", rateLimit("buckets are apart")),
    rule("CORS by configuration", app("lets configured origins in, and no other")),
    rule(
      "Shutdown finishes running requests",
      app("ends streams and lets a request under way finish"),
      testsIn("src/tests/up.test.ts")("a request under way when it is told to stop gets its answer"),
    ),
    rule(
      "Logs hold no secrets",
      app("has a line for each request with its id, and no token"),
      testsIn("src/lib/tests/log.test.ts")(
        "lines are JSON on standard error, from the level on, and without credentials",
      ),
    ),
    rule(
      "Hostile input is stored as data or refused, and never answered with 5xx",
      app("…: …"),
      projects("hostile text is stored as data, or refused with the name of its field"),
      documentedAnswers,
    ),
    rule("No answer shows records of another organization", documentedAnswers, everyRoute("hides from strangers")),
    endpoint(
      "GET /api/v1/health answers 200 while database and queue answer, 503 otherwise, without a token",
      app("is 200 while database and queue answer"),
      app("is 503 when the queue does not"),
      app("are 503 when the database is away"),
    ),
    rule("Prometheus metrics on a port of their own", app("count requests by route on a port of their own")),
    endpoint(
      "GET /api/v1/openapi.json answers the OpenAPI 3.1 document",
      testsIn("src/http/tests/openapi.test.ts")("describes an operation with all that its route says"),
      testsIn("test/contract.test.ts")(
        "has an example of every parameter, body and successful answer, and each fits its schema",
      ),
    ),
    rule(
      "/docs shows it for people",
      testsIn("src/http/tests/docs.test.ts")("shows every operation with its permission, fields and refusals"),
    ),
  ],
};
