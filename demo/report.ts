import Table from "cli-table3";
import colors from "picocolors";
import type { Platform } from "../stage/fixture.ts";
import type { StepTime } from "../stage/progress.ts";
import type { Switch } from "../stage/switches.ts";
import { tableStyle } from "../stage/table-style.ts";

export interface DemoResult {
  ok: boolean;
  seconds: number;
  steps: StepTime[];
  projects: { name: string; kind: string; url: string; version: string; commit: string }[];
  /** An application of the catalog, with the title of its page. */
  app: { name: string; version: string; url: string; title: string };
  switches: Switch[];
  requests: number;
  failed: number;
  platform: { url: string };
  server: { name: string; address: string };
}

const number = (value: number): string => value.toLocaleString("en-US");
const seconds = (value: number): string => `${value.toFixed(1)} s`;

function table(head: string[], rows: string[][], rightFrom: number): string {
  const colAligns = head.map((_, at): "left" | "right" => (at >= rightFrom ? "right" : "left"));
  const made = new Table({
    head: head.map((text) => colors.bold(text)),
    colAligns,
    style: tableStyle,
  });
  made.push(...rows);
  return made.toString();
}

/** The results, in tables for people; with addresses if all stays up. */
export function report(result: DemoResult, { stays }: { stays: boolean }): string {
  const address = (text: string) => (stays ? [text] : []);
  const projects = result.projects.map(({ name, kind, url, version, commit }) => [
    name,
    kind,
    version,
    commit.slice(0, 7),
    ...address(colors.cyan(url)),
  ]);
  const switches = result.switches.map((each) => [
    `${each.project}: ${each.action}`,
    seconds(each.seconds),
    number(each.requests),
    number(each.perSecond),
    `${each.latencyMs.p99.toFixed(1)} ms`,
    each.failed === 0 ? colors.green("0") : colors.red(`${number(each.failed)} (${each.failures})`),
  ]);
  const { app } = result;
  const apps = [[app.name, app.version, app.title, ...address(colors.cyan(app.url))]];
  const steps = result.steps.map(({ step, seconds: taken }) => [step, seconds(taken)]);
  const open = address("Open in a browser on this machine");
  return [
    "",
    table(["Project", "Kind", "Version", "Commit", ...open], projects, 5),
    table(["Installed from the catalog", "Version", "Title of its page", ...open], apps, 4),
    table(["Switched under load", "Took", "Requests", "Per second", "p99", "Failed"], switches, 1),
    table(["Step", "Took"], [...steps, [colors.bold("All"), colors.bold(seconds(result.seconds))]], 1),
    verdict(result),
    "",
  ].join("\n");
}

function verdict({ requests, failed }: DemoResult): string {
  const sentence = `${number(requests)} requests were sent while releases changed, ${number(failed)} failed.`;
  return failed === 0 ? colors.green(sentence) : colors.red(sentence);
}

/** What a person can do next, while everything runs. Contains a secret: not for logs. */
export function nextSteps(
  { server }: DemoResult,
  { url, token, email, password }: Platform,
  signInPage: string,
): string {
  return [
    "Everything keeps running until Ctrl-C.",
    `  The console    ${colors.cyan(signInPage)}  (once, within 10 minutes)`,
    `  and later      ${colors.cyan(url)}  (${email}, password ${password})`,
    `  Its API        curl -H "Authorization: Bearer ${token}" ${url}/api/v1/projects`,
    `  On the server  ./longshore sandbox exec ${server.name} -- bash`,
    "  Your own       ./longshore up",
    "",
  ].join("\n");
}
