import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callingProgram } from "../calling-program.ts";

const named = (header: string | undefined, isSession = false) => {
  const { kind, name, version } = callingProgram(
    header === undefined ? {} : { "x-longshore-client": header },
    isSession,
  );
  return [kind, name, version];
};

describe("the program of a request", () => {
  it("is what it calls itself", () => {
    assert.deepEqual(named("cli/longshore/0.3.0"), ["cli", "longshore", "0.3.0"]);
    assert.deepEqual(named("mcp/claude-desktop"), ["mcp", "claude-desktop", null]);
    assert.deepEqual(named("cli/0.3.0-dev"), ["cli", null, "0.3.0-dev"]);
    assert.deepEqual(named(" api "), ["api", null, null]);
  });

  it("is the console exactly for sessions", () => {
    assert.deepEqual(named("cli/longshore/0.3.0", true), ["console", "longshore", "0.3.0"]);
    assert.deepEqual(named(undefined, true), ["console", null, null]);
    assert.deepEqual(named("console/longshore/0.3.0"), ["api", "longshore", "0.3.0"]);
  });

  it("is unknown when it does not say so in few plain characters", () => {
    const odd = ["", "root", "cli/", "CLI/x", "cli/x/1/2", "cli/<b>", "cli/x\ny", `cli/${"x".repeat(65)}`, "cli/x/1é"];
    for (const header of [undefined, ...odd]) assert.deepEqual(named(header), ["api", null, null], header);
  });
});
