import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, it } from "node:test";

// The documents refer to each other, and the code to them: a document or a heading that is moved takes its references along.

type Files = ReadonlyMap<string, string>;

/** Our own documents, without those of the applications that are deployed in tests. */
const isDocument = (file: string): boolean => /^(?:docs\/.*|[A-Z]+)\.md$/.test(file);

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");

/** The anchors of the headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.*)$/gm);
  const anchors = new Set<string>();
  for (const [, heading = ""] of headings) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links of documents to a file or a heading that is not there. */
const brokenLinks = (files: Files, exists: (path: string) => boolean): string[] =>
  [...files].flatMap(([file, text]) => {
    if (!isDocument(file)) return [];
    const links = withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g);
    return [...links].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : posix.join(dirname(file), path);
      if (!exists(target)) return [`${file} links to ${link}: there is no ${target}.`];
      const isThere = anchor === undefined || anchorsOf(files.get(target) ?? "").has(anchor);
      return isThere ? [] : [`${file} links to ${link}: ${target} has no such heading.`];
    });
  });

/** Mentions of documents, in code too, that are not there. A migration keeps the words that it was released with. */
const lostMentions = (files: Files, exists: (path: string) => boolean): string[] =>
  [...files].flatMap(([file, text]) =>
    /^src\/db\/migrations\/|^test\/docs\.test\.ts$/.test(file)
      ? []
      : Array.from(text.matchAll(/(?<![\w/.])docs\/[\w/-]+\.md\b/g), ([path]) => path)
          .filter((path) => !exists(path))
          .map((path) => `${file} mentions ${path}, which is not there.`),
  );

describe("documents", () => {
  const root = join(import.meta.dirname, "..");
  const exists = (path: string) => existsSync(join(root, path));
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const texts = /\.(?:ts|tsx|sh|pl|conf|sql|md|json|jsonc)$|^longshore$/;
  const files: Files = new Map(
    tracked
      .toString()
      .split("\0")
      .filter((file) => texts.test(file) && !file.startsWith("stage/applications/") && exists(file))
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );

  it("link to files and headings that exist", () => assert.deepEqual(brokenLinks(files, exists), []));

  it("exist where code mentions them", () => assert.deepEqual(lostMentions(files, exists), []));

  it("are found missing", () => {
    const documents = new Map([
      [
        "docs/a.md",
        "# Sails, `ropes` & tar\n[x](#sails-ropes--tar) [y](b.md) [z](c.md#ropes)\n```\n[no](link.md)\n```\n",
      ],
      ["docs/c.md", "## Anchors\n[up](../README.md) [web](https://example.com/a.md)"],
      ["src/a.ts", "// docs/b.md has the list, and docs/c.md the reason."],
    ]);
    const isThere = (path: string) => documents.has(path) || path === "README.md";
    assert.deepEqual(brokenLinks(documents, isThere), [
      "docs/a.md links to b.md: there is no docs/b.md.",
      "docs/a.md links to c.md#ropes: docs/c.md has no such heading.",
    ]);
    assert.deepEqual(lostMentions(documents, isThere), ["src/a.ts mentions docs/b.md, which is not there."]);
  });
});
