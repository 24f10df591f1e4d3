import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type ConsoleSize, type Loaded, sizeLimits, sizeOf } from "../../tools/console-size.ts";
import { builtConsole } from "./built.ts";

// What a page loads decides how soon it is there on a slow line.

let size: ConsoleSize;
before(async () => {
  size = await sizeOf(await builtConsole());
});

const list = ({ name, bytes, files }: Loaded): string =>
  [`${name}: ${bytes} bytes`, ...files.map((file) => `  ${file.bytes} ${file.path}`)].join("\n");

describe("the JavaScript of the console, compressed", () => {
  it("is at most 220 KB for the first screen", () => {
    const { firstScreen } = size;
    assert.ok(firstScreen.files.length > 0);
    assert.ok(firstScreen.bytes <= sizeLimits.firstScreen, list(firstScreen));
  });

  it("is at most 40 KB more for each other page", () => {
    assert.ok(size.routes.some(({ name }) => name === "src/pages/project/jobs/page.tsx"));
    assert.deepEqual(size.routes.filter(({ bytes }) => bytes > sizeLimits.route).map(list), []);
  });
});
