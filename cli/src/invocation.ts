import { usage } from "./failure.ts";
import type { JsonChoice } from "./output/lists.ts";
import type { Terminal } from "./output/terminal.ts";
import { parseDuration } from "./output/times.ts";
import type { Session } from "./session.ts";
import { type Chosen, choose, type Sources } from "./settings/choose.ts";
import { type Configuration, readConfiguration } from "./settings/configuration.ts";
import { findLink, type Link } from "./settings/link.ts";

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** One call of a command: what was typed, and what it works with. */
export class Invocation {
  readonly terminal: Terminal;
  readonly args: readonly string[];
  /** The words after `--`. */
  readonly rest: readonly string[];
  readonly json: JsonChoice;
  private readonly flags: Flags;
  private opened: Promise<Session> | undefined;

  constructor(given: { terminal: Terminal; args: readonly string[]; rest: readonly string[]; flags: Flags }) {
    this.terminal = given.terminal;
    this.args = given.args;
    this.rest = given.rest;
    this.flags = given.flags;
    this.json = jsonChoice(given.flags.json);
  }

  text(flag: string): string | undefined {
    const value = this.flags[flag];
    return typeof value === "string" ? value : undefined;
  }

  list(flag: string): readonly string[] {
    const value = this.flags[flag];
    return Array.isArray(value) ? value : [];
  }

  isSet(flag: string): boolean {
    return this.flags[flag] === true;
  }

  /** A flag that is a whole number from 1 on. */
  count(flag: string): number | undefined {
    const value = this.text(flag);
    if (value === undefined) return undefined;
    if (!/^[1-9]\d{0,14}$/.test(value)) throw usage(`--${flag} takes a whole number from 1 on.`);
    return Number(value);
  }

  /** A flag that is a time, in milliseconds. */
  duration(flag: string): number | undefined {
    const value = this.text(flag);
    if (value === undefined) return undefined;
    const ms = parseDuration(value);
    if (ms === undefined) throw usage(`--${flag} takes a time such as 90s, 10m or 2h.`);
    return ms;
  }

  configuration(): Promise<Configuration> {
    return readConfiguration();
  }

  link(): Promise<Link | undefined> {
    return findLink();
  }

  async sources(): Promise<Sources> {
    const { LONGSHORE_URL, LONGSHORE_TOKEN, LONGSHORE_ORGANIZATION } = process.env;
    return {
      flags: { url: this.text("url"), organization: this.text("organization") },
      env: { url: LONGSHORE_URL, token: LONGSHORE_TOKEN, organization: LONGSHORE_ORGANIZATION },
      link: await this.link(),
      configuration: await this.configuration(),
    };
  }

  async chosen(): Promise<Chosen> {
    return choose(await this.sources());
  }

  session(): Promise<Session> {
    // Loaded when it is needed: help and completion answer sooner.
    this.opened ??= this.chosen().then(async (chosen) => (await import("./session.ts")).openSession(chosen));
    return this.opened;
  }
}

function jsonChoice(value: Flags[string]): JsonChoice {
  if (value === undefined || value === false) return undefined;
  const fields = typeof value === "string" ? value.split(",").map((field) => field.trim()) : [];
  return { fields: fields.filter((field) => field !== "") };
}

/** Runs a command; resolves with the exit status, if it is not 0. */
export type Verb = (invocation: Invocation) => Promise<number | undefined>;
