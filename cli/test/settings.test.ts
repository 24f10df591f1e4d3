import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Failure } from "../src/failure.ts";
import { choose, type Sources } from "../src/settings/choose.ts";
import { type Configuration, readConfiguration, writeConfiguration } from "../src/settings/configuration.ts";

const configuration: Configuration = {
  current: "panel.example.com",
  installations: {
    "panel.example.com": {
      url: "https://panel.example.com",
      organization: 1,
      tokens: {
        1: { token: "lsh_one", organization_name: "Harbour" },
        2: { token: "lsh_two", organization_name: "Dock" },
      },
    },
    "other.example.com": {
      url: "https://other.example.com",
      organization: 7,
      tokens: { 7: { token: "lsh_seven", organization_name: "Other" } },
    },
  },
};

const from = (given: Partial<Sources>): Sources => ({ flags: {}, env: {}, link: undefined, configuration, ...given });

const linkTo = (url: string, organization: number) => ({ url, organization, project: { id: 5, name: "shop" } });

const failureOf = (given: Partial<Sources>): Failure => {
  try {
    choose(from(given));
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("It was not refused.");
};

describe("where a command works", () => {
  it("is the configuration's installation and organization by default", () => {
    assert.deepEqual(choose(from({})), { url: "https://panel.example.com", token: "lsh_one", organization: 1 });
  });

  it("is the link's before that, with the token of its organization", () => {
    assert.deepEqual(choose(from({ link: linkTo("https://panel.example.com", 2) })), {
      url: "https://panel.example.com",
      token: "lsh_two",
      organization: 2,
    });
  });

  it("is the environment's before the link's, and the flags' before all", () => {
    const link = linkTo("https://panel.example.com", 2);
    const env = { url: "https://other.example.com/", token: "lsh_env" };
    assert.deepEqual(choose(from({ link, env })), {
      url: "https://other.example.com",
      token: "lsh_env",
      organization: undefined,
    });
    const flags = { url: "panel.example.com", organization: "Dock" };
    assert.deepEqual(choose(from({ link, env: { organization: "1" }, flags })), {
      url: "https://panel.example.com",
      token: "lsh_two",
      organization: 2,
    });
  });

  it("never sends a token to an address that only a link names, or without encryption", () => {
    const evil = linkTo("https://evil.example.com", 1);
    assert.equal(failureOf({ link: evil }).status, 4);
    assert.match(failureOf({ link: evil, env: { token: "lsh_env" } }).message, /LONGSHORE_URL/);
    assert.equal(failureOf({ link: linkTo("http://panel.example.com", 1) }).status, 4);
    assert.equal(
      choose(from({ link: linkTo("https://panel.example.com", 1), env: { token: "lsh_env" } })).token,
      "lsh_env",
    );
  });

  it("has to be known", () => {
    const empty = { current: null, installations: {} };
    assert.equal(failureOf({ configuration: empty }).status, 4);
    assert.equal(failureOf({ flags: { organization: "Nowhere" } }).status, 1);
    assert.equal(failureOf({ flags: { url: "ht tp://x" } }).status, 1);
    assert.equal(failureOf({ flags: { url: "https://user@panel.example.com" } }).status, 1);
  });
});

describe("the configuration", () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "longshore-configuration-"));
    file = join(folder, "longshore/config.json");
  });
  after(() => rm(folder, { recursive: true }));

  it("is empty at first, and only its owner can read it", async () => {
    assert.deepEqual(await readConfiguration(file), { current: null, installations: {} });
    await writeConfiguration(configuration, file);
    assert.deepEqual(await readConfiguration(file), configuration);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "longshore"))).mode & 0o777, 0o700);
    assert.deepEqual(await readdir(join(folder, "longshore")), ["config.json"]);
  });

  it("is closed to others if it was open", async () => {
    await chmod(file, 0o644);
    await readConfiguration(file);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("that is damaged is not overwritten", async () => {
    await writeFile(file, "{");
    await assert.rejects(readConfiguration(file), /is damaged/);
  });
});
