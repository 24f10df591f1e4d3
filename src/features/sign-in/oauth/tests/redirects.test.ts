import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mayRedirect } from "../redirects.ts";

const listed = [
  "https://assistant.example.net/callback?x=1",
  "http://127.0.0.1/callback",
  "http://localhost:8000/callback",
  "http://[::1]:1/",
  "http://assistant.example.net/callback",
  "https://user@assistant.example.net/callback",
  "https://assistant.example.net/callback#x",
  "javascript:alert(1)",
  "data:text/html,x",
  "assistant://callback",
  " https://assistant.example.net/blank",
  "",
];

describe("the address that a browser takes an answer to", () => {
  it("is one of the program's, letter by letter", () => {
    assert.ok(mayRedirect("https://assistant.example.net/callback?x=1", listed));
    for (const other of [
      "https://assistant.example.net/callback",
      "https://assistant.example.net/callback?x=1&y=2",
      "https://assistant.example.net/callback?x=2",
      "https://assistant.example.net:443/callback?x=1",
      "https://assistant.example.net:444/callback?x=1",
      "https://ASSISTANT.example.net/callback?x=1",
      "https://assistant.example.net/other/../callback?x=1",
      "https://assistant.example.net/callback/?x=1",
      "https://assistant.example.net.evil.example/callback?x=1",
      "https://evil.example/callback?x=1",
    ]) {
      assert.equal(mayRedirect(other, listed), false, other);
    }
  });

  it("may have any port on the person's own computer, and nothing else may differ", () => {
    for (const same of [
      "http://127.0.0.1/callback",
      "http://127.0.0.1:33418/callback",
      "http://localhost:1/callback",
      "http://localhost/callback",
      "http://[::1]:65535/",
    ]) {
      assert.ok(mayRedirect(same, listed), same);
    }
    for (const other of [
      "http://127.0.0.1:33418/other",
      "http://127.0.0.1:33418/callback?x=1",
      "http://127.0.0.2:33418/callback",
      "https://127.0.0.1:33418/callback",
      "http://127.0.0.1:33418@evil.example/callback",
      "http://localhost.evil.example:8000/callback",
      "http://[::1]:1/callback",
    ]) {
      assert.equal(mayRedirect(other, listed), false, other);
    }
  });

  it("is an https one or on that computer, without a fragment and without a name, also if the program lists others", () => {
    for (const other of listed.slice(4)) assert.equal(mayRedirect(other, listed), false, other);
  });
});
