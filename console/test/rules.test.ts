import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, it } from "node:test";

// What every file of the console keeps to. Each rule is a function from the sources to sentences about its violations, which
// is tested itself on files that violate it.

type Sources = ReadonlyMap<string, string>;

const folder = join(import.meta.dirname, "../src");

const sources: Sources = new Map(
  globSync("**/*.{ts,tsx,css}", { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), "utf8")]),
);

const storiesFolder = join(import.meta.dirname, "../stories/pages");
const stories: Sources = new Map(
  globSync("*.story.tsx", { cwd: storiesFolder }).map((file) => [
    file,
    readFileSync(join(storiesFolder, file), "utf8"),
  ]),
);

// Imports --------------------------------------------------------------------------------------------------------------------

/** Each layer with those that it may import. What is in none wires them: main and routes. */
const layers: Record<string, readonly string[]> = {
  ui: ["use-settled.ts"],
  api: ["contract"],
  data: ["api", "contract", "paths.ts", "use-settled.ts"],
  parts: ["ui", "data", "api", "contract", "paths.ts", "use-settled.ts"],
  pages: ["parts", "ui", "data", "api", "contract", "paths.ts", "use-settled.ts", "routes.tsx"],
};

const contract = "../../contract";
const anyImport = /(?:^(?:import|export)\s[^;"']*?from\s+|^import\s+|\bimport\(\s*)"(\.[^"]*)"/gm;

function layerOf(file: string): string {
  if (file.startsWith(contract)) return "contract";
  return file.split("/")[0] ?? "";
}

function strayImports(files: Sources): string[] {
  return [...files].flatMap(([file, text]) => {
    const from = layerOf(file);
    const allowed = layers[from];
    if (!allowed) return [];
    const targets = [...text.matchAll(anyImport)].map(([, path = ""]) => posix.join(posix.dirname(file), path));
    return targets
      .filter((target) => layerOf(target) !== from && !allowed.includes(layerOf(target)))
      .map((target) => `${file} imports ${target}: ${from} may not import that.`);
  });
}

// Colours --------------------------------------------------------------------------------------------------------------------

const palette =
  "slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose";
const foreignColours = [
  /(?<=["'\s:[(,])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b/gi,
  /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(/g,
  new RegExp(`-(?:${palette})-\\d{2,3}\\b`, "g"),
  /\b(?:bg|text|border|outline|fill|stroke|ring|shadow|from|to|via|divide|accent|caret)-(?:white|black)\b/g,
];

/** A line that gives a variable its value, in the one file that may. */
const definition = /^\s*--[\w-]+: #[\da-f]{3,6};$/gm;

function strayColours(files: Sources): string[] {
  return [...files].flatMap(([file, text]) => {
    const used = file === "styles.css" ? text.replaceAll(definition, "") : text;
    return foreignColours
      .flatMap((pattern) => used.match(pattern) ?? [])
      .map((colour) => `${file} uses ${colour}: only the variables of styles.css are colours.`);
  });
}

/** The colours of a theme, by name. */
function coloursOf(selector: string, css: string): string[] {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return [...block.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name = ""]) => name);
}

// Stories of pages -----------------------------------------------------------------------------------------------------------

/** A page is a folder whose page.tsx is not only the frame of the pages below it. */
const isPage = (file: string, text: string): boolean =>
  /^pages\/.*\/page\.tsx$/.test(file) && !text.includes("<Outlet");

const storyOf = (folder: string): string => `${folder.replace("pages/", "").replaceAll("/", "-")}.story.tsx`;

/** The sources below a folder, without those of pages below it. */
function textBelow(folder: string, files: Sources): string {
  const others = [...files.keys()].filter((file) => file.endsWith("/page.tsx")).map((file) => posix.dirname(file));
  const isOwn = (file: string) =>
    file.startsWith(`${folder}/`) && !others.some((other) => other !== folder && file.startsWith(`${other}/`));
  return [...files].flatMap(([file, text]) => (isOwn(file) ? [text] : [])).join("\n");
}

function missingStates(files: Sources, stories: Sources): string[] {
  return [...files].flatMap(([file, text]) => {
    if (!isPage(file, text)) return [];
    const folder = posix.dirname(file);
    const story = stories.get(storyOf(folder));
    if (!story?.includes("pageStory(")) return [`${folder} needs stories/pages/${storyOf(folder)}, made by pageStory.`];
    const source = textBelow(folder, files);
    return [
      source.includes("<Empty") &&
        !story.includes("empty:") &&
        `${folder} shows when it is empty: give its story \`empty\`.`,
      source.includes("useQuery(") && story.includes("readsNothing") && `${folder} reads something.`,
    ].filter((complaint) => complaint !== false);
  });
}

// The tests ------------------------------------------------------------------------------------------------------------------

describe("the console", () => {
  it("imports from upper layers to lower ones, and only the contract from outside", () =>
    assert.deepEqual(strayImports(sources), []));

  it("has no colour but the variables of its themes", () => assert.deepEqual(strayColours(sources), []));

  it("has each colour in both themes", () => {
    const css = sources.get("styles.css") ?? "";
    const light = coloursOf(":root", css);
    assert.ok(light.length > 30);
    assert.deepEqual(coloursOf('[data-theme="dark"]', css), light);
  });

  it("shows each page in its states, as stories", () => assert.deepEqual(missingStates(sources, stories), []));

  it("sets no HTML, and evaluates no code", () => {
    const users = [...sources].filter(([, text]) => /dangerouslySetInnerHTML|\.innerHTML\b|\beval\(/.test(text));
    assert.deepEqual(
      users.map(([file]) => file),
      [],
    );
  });
});

describe("the rules find", () => {
  const complaints = (rule: (files: Sources) => string[], file: string, text: string): number =>
    rule(new Map([[file, text]])).length;

  it("a component that imports a part, and a file that imports the server", () => {
    assert.equal(complaints(strayImports, "ui/a.tsx", 'import { b } from "../parts/b.tsx";'), 1);
    assert.equal(complaints(strayImports, "data/a.ts", 'import type { b } from "../../../src/config.ts";'), 1);
    assert.equal(complaints(strayImports, "api/a.ts", 'const b = await import("../data/b.ts");'), 1);
    assert.equal(complaints(strayImports, "parts/a.ts", 'import { b } from "../../../contract/client.ts";'), 0);
  });

  it("a page without a story, and a story without the states of its page", () => {
    const page = new Map([["pages/a/b/page.tsx", "useQuery(of()); <Empty />"]]);
    const found = (text?: string) => missingStates(page, new Map(text === undefined ? [] : [["a-b.story.tsx", text]]));
    assert.equal(found().length, 1);
    assert.equal(found("pageStory({ readsNothing: true })").length, 2);
    assert.deepEqual(found("pageStory({ empty: {} })"), []);
    assert.deepEqual(missingStates(new Map([["pages/a/page.tsx", "<Outlet />"]]), new Map()), []);
  });

  it("colours of all kinds", () => {
    const strange = ["color: #fff;", "bg-red-500", "text-white", "rgb(0 0 0)", "border-[#abcdef]"];
    for (const text of strange) assert.equal(complaints(strayColours, "ui/a.tsx", `"${text}"`), 1, text);
    assert.equal(complaints(strayColours, "ui/a.tsx", '"bg-bad-bg text-text-2 #L120"'), 0);
  });
});
