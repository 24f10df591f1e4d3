import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const outputModule = JSON.stringify(join(import.meta.dirname, "../output.ts"));

/** What a program that uses the module prints to standard output. */
function printed(program: string): string {
  const script = `import { list, openOutput, reportFailure, table } from ${outputModule};
    import { invalid } from ${JSON.stringify(join(import.meta.dirname, "../../lib/errors.ts"))};
    ${program}`;
  const env = { PATH: process.env.PATH, NO_COLOR: "1" };
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    env,
    encoding: "utf8",
    stdio: "pipe",
  });
}

test("people get progress and a text", () => {
  const text = printed(
    `const output = openOutput({}); output.progress("Baked")(); output.result({ cakes: 1 }, "One cake");`,
  );
  assert.match(text, /^✓ Baked \d+\.\d s\nOne cake\n$/);
});

test("with --json standard output is one object and nothing else", () => {
  const text = printed(
    `const output = openOutput({ json: true }); output.progress("Baked")(); output.result({ cakes: 1 }, "One cake");`,
  );
  assert.equal(text, '{"cakes":1}\n');
});

test("a failure with --json is one object too", () => {
  const text = printed(`reportFailure(invalid({ cake: "It is a lie." }), { json: true });`);
  assert.equal(text, '{"error":"It is a lie."}\n');
});

test("a table has names and values in columns", () => {
  const text = printed(`console.log(table({ id: 1, organization_id: 22 }));`);
  assert.deepEqual(
    text.split("\n").map((line) => line.trimEnd()),
    ["id               1", "organization_id  22", ""],
  );
});

test("a list has a line for each record, and a name cannot make one of its own", () => {
  const text = printed(
    `openOutput({}).result({}, list(["id", "name"], [[1, "Ann\\u001b[2J\\nRoot \\u202eevil"], [20, null]]));`,
  );
  assert.deepEqual(
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.trimEnd()),
    ["id  name", "1   Ann\ufffd[2J\ufffdRoot \ufffdevil", "20"],
  );
});
