import assert from "node:assert/strict";
import { test } from "node:test";
import { errorAnswer } from "../errors.ts";

const thrown = (code: string): Error => Object.assign(new Error("internal words"), { code });

test("a deadlock is not a bug: the loser is asked to try again", () => {
  for (const code of ["40P01", "40001"]) {
    const answer = errorAnswer(thrown(code), "request");
    assert.deepEqual([answer.status, answer.headers], [503, { "Retry-After": "1" }]);
    assert.doesNotMatch(answer.body, /internal words/);
  }
});

test("a database that is away is an outage, however it shows", () => {
  const codes = "08006 25006 25P03 28P01 3D000 53300 57014 57P01 57P03 ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT";
  const more = "EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN ENOTFOUND EAI_AGAIN CERT_HAS_EXPIRED";
  const errors = [
    ...`${codes} ${more}`.split(" ").map(thrown),
    Object.assign(new Error("connect ENOENT /run/.s.PGSQL.5432"), { code: "ENOENT", syscall: "connect" }),
    new Error("Client has encountered a connection error and is not queryable"),
    new Error("Connection terminated unexpectedly"),
    new Error("timeout expired"),
  ];
  for (const error of errors) {
    const answer = errorAnswer(error, "request");
    assert.deepEqual([answer.status, answer.headers], [503, { "Retry-After": "5" }], String(error));
    assert.doesNotMatch(answer.body, /internal words/);
  }
  assert.match(errorAnswer(thrown("25006"), "request").body, /The database is read-only: it is a standby/);
  // A file of the platform that is missing is a bug.
  assert.equal(errorAnswer(Object.assign(thrown("ENOENT"), { syscall: "open" }), "request").status, 500);
});

test("an unknown error is a bug, without details", () => {
  const answer = errorAnswer(thrown("23505"), "request-7");
  assert.equal(answer.status, 500);
  assert.match(answer.body, /request-7/);
  assert.doesNotMatch(answer.body, /internal words/);
});
