import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { putNginx } from "../../nginx/setup.ts";
import { type Script, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import { putFile, putLink } from "../functions.ts";
import { withPrelude } from "../prelude.ts";

let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-prelude-"));
});

after(() => rm(directory, { recursive: true }));

// Simulates a full disk: nothing can be written.
const nothingFits: Script = sh`trap '' XFSZ; ulimit -f 0`;

describe("put_file", () => {
  test("leaves the file as it is when the new one does not fit, also where its output is taken", async () => {
    const file = join(directory, "unit");
    await writeFile(file, "former\n");
    const body = sh`${nothingFits}
      wrote=$(${putFile} ${file} 0644 new)
      echo "not reached: $wrote"`;
    const { code, stdout, stderr } = await runBash(withPrelude("It could not be written.", body), directory);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /It could not be written\.\n$/);
    assert.doesNotMatch(stdout, /not reached/);
    assert.equal(await readFile(file, "utf8"), "former\n");
    assert.deepEqual((await readdir(directory)).sort(), ["secrets", "unit"]);
  });
});

describe("put_nginx", () => {
  let files: string;
  let file: string;

  beforeEach(async () => {
    files = await mkdtemp(join(directory, "nginx-"));
    file = join(files, "site.conf");
    await writeFile(file, "former\n");
  });

  /** Puts a file where nginx's test ends with `status`. */
  const put = (content: string, { status, before = sh`` }: { status: string; before?: Script }) =>
    runBash(
      withPrelude(
        "It could not be set up.",
        sh`
          export TMPDIR=${files}
          nginx() { return ${status}; }
          ${before}
          ${putNginx} ${file} ${content}`,
      ),
      directory,
    );

  test("leaves the former file, and no other, when the new one does not fit", async () => {
    const { code, stderr } = await put("new", { status: "0", before: nothingFits });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /It could not be set up\.\n$/);
    assert.deepEqual(await readdir(files), ["site.conf"]);
    assert.equal(await readFile(file, "utf8"), "former\n");
  });

  for (const content of ["new\n", "former\n"]) {
    test(`puts back the former file when nginx rejects ${JSON.stringify(content)}`, async () => {
      const { code, stderr } = await put(content, { status: "1" });
      assert.equal(code, 1, stderr);
      assert.match(stderr, /the former state was put back\.\n$/);
      assert.deepEqual(await readdir(files), ["site.conf"]);
      assert.equal(await readFile(file, "utf8"), "former\n");
    });
  }

  test("leaves only the new file when nginx accepts it", async () => {
    const { code, stderr } = await put("new\n", { status: "0" });
    assert.equal(code, 0, stderr);
    assert.deepEqual(await readdir(files), ["site.conf"]);
    assert.equal(await readFile(file, "utf8"), "new\n");
  });
});

describe("a file that put_file makes", () => {
  test("has the mode it was asked for, whatever the script's umask", async () => {
    const modes = ["0600", "0640", "0644", "0700", "0755"];
    const body = sh`
      for mask in 077 022; do
        umask "$mask"
        for mode in ${modes}; do ${putFile} ${directory}/"$mask/$mode" "$mode" "$mask" > /dev/null; done
      done
      stat -c %a ${directory}/0?[27]/*`;
    const { code, stdout, stderr } = await runBash(withPrelude("It could not be written.", body), directory);
    assert.equal(code, 0, stderr);
    const wanted = modes.map((mode) => mode.slice(1));
    assert.deepEqual(stdout.trim().split("\n"), [...wanted, ...wanted]);
  });
});

describe("put_link", () => {
  test("continues where a run that died left it", async () => {
    const link = join(directory, "link");
    const body = sh`ln -s nowhere ${`${link}.longshore-new`}; ${putLink} unit ${link}; readlink ${link}`;
    const { code, stdout, stderr } = await runBash(withPrelude("It could not be linked.", body), directory);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^unit$/m);
  });
});
