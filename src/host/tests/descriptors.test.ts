import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gitFunction } from "../git/git.ts";
import { projectLayout } from "../layout.ts";
import { evaluate } from "../node/evaluate.ts";
import { lines, type Script, sh } from "../sh.ts";
import { runBash } from "./bash.ts";

// What runs for a project in a step of root's has no descriptor of the journal, which it could truncate.

const layout = projectLayout(7);

/** The descriptors of what `setpriv` would start, in a script whose output is a file as a run's journal is. */
async function descriptorsOf(script: Script): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "longshore-descriptors-"));
  try {
    const [journal, seen] = [join(directory, "journal"), join(directory, "seen")];
    const look = `#!/bin/bash\nreadlink /proc/$$/fd/* > ${seen}\necho an answer\necho an error >&2\n`;
    writeFileSync(join(directory, "setpriv"), look, { mode: 0o755 });
    const { code } = await runBash(lines(sh`exec > ${journal} 2>&1`, script), directory, directory);
    assert.equal(code, 0);
    assert.match(readFileSync(journal, "utf8"), /^an answer$/m);
    return readFileSync(seen, "utf8");
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe("a program that root starts for a project", () => {
  it("is handed pipes in place of the journal, as git in the mirror", async () => {
    const seen = await descriptorsOf(lines(gitFunction(layout), sh`as_git gc --auto`));
    assert.match(seen, /^pipe:/m);
    assert.doesNotMatch(seen, /journal/);
  });

  it("is handed none of it where it evaluates what a project wrote", async () => {
    const seen = await descriptorsOf(sh`${evaluate(layout, "")} 1 | cat`);
    assert.match(seen, /^pipe:/m);
    assert.doesNotMatch(seen, /journal/);
  });
});
