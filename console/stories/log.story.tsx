import { MemoryRouter } from "react-router";
import type { LogStep } from "../src/parts/log-view/groups.ts";
import { LogView } from "../src/parts/log-view/log-view.tsx";
import type { LogSource } from "../src/parts/log-view/source.ts";

const esc = "\u001b";

const ofClone = ["Cloning into '/srv/shop/releases/102'", "HEAD is now at 3f9a2c1 Take VAT of the Netherlands"];
const ofBuild = [
  `${esc}[1m> shop@2.4.0 build${esc}[0m`,
  `${esc}[36mvite v8.3.8 ${esc}[32mbuilding for production...${esc}[39m`,
  "transforming (1) src/main.ts\rtransforming (812) src/pages/checkout.tsx\rtransforming (1204) done",
  `${esc}[33mwarning${esc}[0m chunk "editor" is larger than 500 kB, see https://vite.dev/config/build-options.html`,
  "متجر الكتب: src/locales/ar.json",
  `${esc}[31;1merror${esc}[0m  src/cart.ts:12:3  Property ${esc}[7m totl ${esc}[0m does not exist on type 'Cart'`,
  `${esc}[41;37m FAIL ${esc}[0m 1 of 312 files`,
  "a\u0000b \u202etxt.exe <img src=x onerror=alert(1)>",
  `npm ${esc}[31merror${esc}[0m code ELIFECYCLE`,
];
const lines = [...ofClone, ...ofBuild];

const step = (label: string, more: Partial<LogStep>): LogStep => ({
  key: label,
  label,
  status: "completed",
  detail: null,
  started_at: "2026-11-27T10:42:05Z",
  finished_at: "2026-11-27T10:42:07Z",
  duration_ms: 2_300,
  first_line: null,
  lines: 0,
  ...more,
});

const failed = [
  step("Check the disk", { duration_ms: 80 }),
  step("Fetch the commit", { first_line: 1, lines: 2 }),
  step("Build the release", {
    first_line: 3,
    lines: ofBuild.length,
    duration_ms: 72_400,
    status: "failed",
    detail: "The build failed with the status 1: npm error code ELIFECYCLE",
  }),
  step("Activate the release", { status: "skipped", started_at: null, duration_ms: null }),
];
const done = failed.map((each) => ({ ...each, status: "completed" as const, detail: null }));

const source = (key: string, texts: readonly string[]): LogSource => ({
  key,
  organization: 1,
  read: async () => ({
    data: [
      { offset: 0, step: null, audience: "client", first_line: 1, text: texts.map((text) => `${text}\n`).join("") },
    ],
    next: 1,
    has_more: false,
    is_complete: true,
    total_lines: texts.length,
  }),
  search: async (q) => ({ matches: [{ line: 8, step: null, text: q }], total: 1, next_line: null }),
  stream: () => "about:blank",
  changeOf: () => ({}),
  raw: "#raw",
});

const log =
  (name: string, texts: readonly string[], steps: readonly LogStep[], hash = "") =>
  () => (
    <MemoryRouter initialEntries={[`/${hash}`]}>
      <LogView source={source(name, texts)} steps={steps} />
    </MemoryRouter>
  );

export const states = {
  "a step has failed": log("failed", lines, failed),
  "all is done": log("done", lines, done),
  "without steps, lines of the address": log("lines", lines, [], "#L5-6"),
  empty: log("empty", [], []),
};
export const alone = true;
