import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { describe, test } from "node:test";
import { chooseNode, type NodeQuestion, readIndex, type Semver, versionRequestIn } from "../choose-node.ts";

// npm's own semver, as on a server.
const npm = process.env.PATH?.split(delimiter).flatMap((directory) => {
  try {
    return [join(dirname(dirname(realpathSync(join(directory, "npm")))), "node_modules/semver")];
  } catch {
    return [];
  }
})[0];
const semver = createRequire(import.meta.url)(npm ?? "semver") as Semver;

const lines: [string, string | false][] = [
  ["16.20.2", "Gallium"],
  ["18.20.8", "Hydrogen"],
  ["20.19.5", "Iron"],
  ["21.7.3", false],
  ["22.3.0", "Jod"],
  ["22.21.1", "Jod"],
  ["24.21.0", "Krypton"],
  ["25.9.0", false],
  ["26.10.0", false],
];
const index = lines.map(([version, lts]) => ({ version, lts }));

const question = (over: Partial<NodeQuestion>): NodeQuestion => ({
  setting: "",
  files: [],
  own: "24.20.0",
  installed: ["24.20.0"],
  index,
  isLast: false,
  ...over,
});
const ask = (over: Partial<NodeQuestion>) => chooseNode(question(over), semver);
const used = (over: Partial<NodeQuestion>): string => {
  const answer = ask(over);
  return typeof answer === "object" && "use" in answer ? answer.use : JSON.stringify(answer);
};
const nvmrc = (text: string) => ({ files: [{ name: ".nvmrc", text }] });
const engines = (node: unknown, more: object = {}) => ({
  files: [{ name: "package.json", text: JSON.stringify({ engines: { node }, ...more }) }],
});
const refused = (over: Partial<NodeQuestion>): string => {
  const answer = ask({ isLast: true, ...over });
  assert.ok(typeof answer === "object" && "refuse" in answer, JSON.stringify(answer));
  return answer.refuse;
};

describe("the version of Node", () => {
  test("is the server's own where nothing asks for one", () => {
    assert.equal(used({}), "24.20.0");
    assert.equal(used({ files: [{ name: "package.json", text: '{"x":"engines"}' }] }), "24.20.0");
    assert.equal(used({ setting: "default", ...nvmrc("22") }), "24.20.0");
  });

  test("is what a version file names, in every form", () => {
    for (const text of ["22", "v22", "22.21.1\n", "v22.21.1", "22.x", "22.21", "^22", "# web\n\n  22 # line\r\n"]) {
      assert.equal(used(nvmrc(text)), "22.21.1", JSON.stringify(text));
    }
    for (const [text, version] of [
      ["lts/*", "24.20.0"],
      ["lts/-1", "22.21.1"],
      ["lts/jod", "22.21.1"],
      ["lts/Iron", "20.19.5"],
      ["node", "24.20.0"],
    ] as const) {
      assert.equal(used(nvmrc(text)), version, text);
    }
  });

  test("is the newest that fits a range, and one that is there already before one that is not", () => {
    assert.equal(used(engines(">=20 <23")), "22.21.1");
    assert.equal(used(engines("^20 || ^22")), "22.21.1");
    assert.equal(used(engines(">=18")), "24.20.0");
    assert.equal(used(engines("*")), "24.20.0");
    assert.equal(used({ ...engines(">=18"), installed: ["24.20.0", "26.10.0"] }), "24.20.0", "not of a neighbour");
    assert.equal(used({ ...engines("22.x"), installed: ["24.20.0", "22.3.0"], index: undefined }), "22.3.0");
    assert.equal(used(engines(">=14 <19")), "18.20.8");
  });

  test("is asked for by the setting, then the version files, then package.json", () => {
    const files = [
      { name: ".nvmrc", text: "20" },
      { name: ".node-version", text: "21" },
      { name: "package.json", text: '{"engines":{"node":"18"}}' },
    ];
    assert.deepEqual(ask({ setting: "22", files }), {
      use: "22.21.1",
      why: "the project's Node version asks for 22",
    });
    assert.deepEqual(ask({ files }), { use: "20.19.5", why: ".nvmrc asks for 20" });
    assert.equal(used({ files: files.slice(1) }), "21.7.3");
    assert.deepEqual(ask({ files: files.slice(2) }), { use: "18.20.8", why: "engines in package.json asks for 18" });
    const runtime = { devEngines: { runtime: [{ name: "bun" }, { name: "node", version: "^22" }] } };
    assert.deepEqual(ask(engines("18", runtime)), { use: "22.21.1", why: "devEngines in package.json asks for ^22" });
    const single = { devEngines: { runtime: { name: "node", version: "20" } } };
    assert.equal(used(engines(undefined, single)), "20.19.5");
    const nearest = [
      { name: "apps/web/package.json", text: '{"engines":{"npm":"10"}}' },
      { name: "package.json", text: '{"engines":{"node":"22"}}' },
    ];
    assert.equal(used({ files: nearest }), "22.21.1");
  });

  test("is what the files of other version managers name", () => {
    const named = (name: string, text: string) => used({ files: [{ name, text }] });
    for (const text of [
      "nodejs 22.3.0",
      "ruby 3.3.0\nnodejs   22.3.0 20.19.5 # of the team\n",
      "# node 18\nnode 22.3.0\r\n",
      "core:node 22.3",
    ]) {
      assert.equal(named("apps/web/.tool-versions", text), "22.3.0", JSON.stringify(text));
    }
    for (const [version, used] of [
      ["lts-iron", "20.19.5"],
      ["latest:22", "22.21.1"],
      ["system", "24.20.0"],
    ] as const) {
      assert.equal(named(".tool-versions", `nodejs ${version}`), used, version);
    }
    for (const text of [
      '[tools]\nnode = "22.3"',
      "[ tools ]\npython = '3.12'\nnodejs = '22.3.0' # node\n\n[env]\nnode = '18'",
      '[env]\nNODE_ENV = "test"\n[tools]\nnode = [\n  "22.3.0",\n  "20",\n]',
      '[tools]\n"core:node" = { os = ["linux"], version = "22.3.0" }',
      "[tools]\nnode={version='prefix:22.3'}",
      'tools.node = "22.3.0"',
      '[tools.node]\npostinstall = "corepack enable"\nversion = "22.3.0"',
    ]) {
      for (const name of ["mise.toml", "apps/.mise.toml"]) assert.equal(named(name, text), "22.3.0", text);
    }
    for (const text of [
      '[env]\nnode = "22"',
      '[tools]\nnodemon = "22"',
      '[tasks.tools]\nnode = "22"',
      "ruby 3",
      "=[\n",
    ]) {
      assert.equal(named("mise.toml", text), "24.20.0", text);
      assert.equal(named(".tool-versions", text.replaceAll("node =", "ruby")), "24.20.0", text);
    }
    const volta = { volta: { node: "22.3.0", yarn: "4.0.0" } };
    assert.deepEqual(ask(engines(">=18", volta)), { use: "22.3.0", why: "volta in package.json asks for 22.3.0" });
    assert.deepEqual(ask(engines("20", { volta: { extends: "../package.json" } })), {
      use: "20.19.5",
      why: "engines in package.json asks for 20",
    });
    const files = [
      { name: ".tool-versions", text: "ruby 3.3.0" },
      { name: "mise.toml", text: "[tools]\nnode = '22.3.0'" },
      { name: "package.json", text: '{"engines":{"node":"18"}}' },
    ];
    assert.equal(used({ files }), "22.3.0", "a file that names no Node leaves the choice to the next");
  });

  test("needs the mirror's list only when what is installed does not do", () => {
    assert.equal(used({ ...engines(">=20"), index: undefined }), "24.20.0");
    for (const text of ["22", "lts/*"]) assert.equal(ask({ ...nvmrc(text), index: undefined }), "index");
    assert.equal(ask(nvmrc("22.99.0")), "index", "the list may be an old one");
  });

  test("that is not to be had is refused with what asks for it and what there is", () => {
    assert.equal(
      refused(nvmrc("16")),
      ".nvmrc asks for Node 16, which is not to be had. There are versions from 18 on, such as 18.20.8, 20.19.5, 21.7.3, 22.21.1, " +
        "24.21.0, 25.9.0, 26.10.0. The project's Node version (node_version) can be another one.",
    );
    assert.match(refused({ setting: "99", ...nvmrc("22") }), /^the project's Node version asks for Node 99/);
    assert.match(
      refused({ ...nvmrc("22"), index: undefined }),
      /the mirror of Node did not answer: on the server are 24/,
    );
    const old = refused({ ...nvmrc("22.99.0"), isOld: true });
    assert.match(
      old,
      /the mirror of Node did not answer: its last list and the server have .*24\.21\.0.* Deploy again/,
    );
    assert.doesNotMatch(old, /not to be had/);
    assert.match(refused({ ...nvmrc("lts/nothing") }), /which is no version of Node/);
    assert.match(refused(nvmrc("# nothing\n")), /\.nvmrc is empty/);
    assert.match(refused({ files: [{ name: "web/package.json", text: '{"engines"' }] }), /web\/package\.json is not/);
  });

  test("is refused whatever else a project writes there", () => {
    const hostile = [
      "../../x",
      "$(id)",
      "`id`",
      "/etc/passwd",
      "22/../24",
      "22;id",
      "-e",
      "\u001b[2J22",
      "file:x",
      "22\u0000",
      "x".repeat(5000),
    ];
    for (const text of hostile) {
      const sentence = refused(nvmrc(text));
      assert.match(sentence, /no version of Node/, text);
      assert.match(sentence, /^[\x20-\x7e]{1,300}$/);
    }
    for (const node of [7, null, {}, [], true, ""]) assert.equal(used(engines(node)), "24.20.0", JSON.stringify(node));
    for (const text of ["null", "[]", '"x"', '{"engines":null}', '{"devEngines":{"runtime":[null,7]}}']) {
      assert.equal(used({ files: [{ name: "package.json", text }] }), "24.20.0", text);
    }
  });
});

test("the mirror's list is read as far as it is about the server", () => {
  const entry = (version: string, files: string[]) => ({ version, files, lts: false, date: "2026-01-01" });
  const text = JSON.stringify([
    entry("v26.1.0", ["linux-x64", "linux-arm64"]),
    entry("v22.1.0", ["linux-arm64"]),
    entry("v8.0.0/../../x", ["linux-x64"]),
  ]);
  assert.deepEqual(readIndex(text, "x86_64"), [{ version: "26.1.0", lts: false }]);
  assert.equal(readIndex(text, "aarch64").length, 2);
});

describe("a file of 200 KB that takes an expression long", () => {
  const kilobytes = 200_000;
  for (const [what, name, text] of [
    ["spaces in a header", "mise.toml", `[${" ".repeat(kilobytes)}x`],
    ["headers that do not end", "mise.toml", `${"[".repeat(kilobytes)}x`],
    ["lists that do not end", "mise.toml", `${"=[".repeat(kilobytes / 2)}]`],
    ["short lines of lists", ".mise.toml", "a=[\n".repeat(kilobytes / 4)],
    ["headers of spaces", "mise.toml", `[${" ".repeat(900)}x\n`.repeat(kilobytes / 900)],
    ["words", ".tool-versions", " a".repeat(kilobytes / 2)],
  ] as const) {
    test(`${what}: asks for nothing`, () => assert.equal(versionRequestIn([{ name, text }]), undefined));
  }

  test("a range: is a sentence", () => {
    const text = JSON.stringify({ engines: { node: `1||${" ".repeat(kilobytes)}x` } });
    assert.match(String(versionRequestIn([{ name: "package.json", text }])), /more than 200 characters/);
  });
});
