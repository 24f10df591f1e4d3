import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import type { BrowserContext, BrowserContextOptions, ConsoleMessage, Locator, Page } from "playwright-core";
import { type Client, createClient } from "../../contract/client.ts";
import { adminUser } from "../../src/features/accounts/admin.ts";
import { type Stage as Application, openStage as openApplication } from "../../src/features/servers/tests/support.ts";
import { features } from "../../src/features.ts";
import { openBrowser } from "./browser.ts";
import { builtConsole } from "./built.ts";

/** Alice owns Acme, Adam administers it, Bob is a member, Victor a viewer; Charlie has an organization of his own. */
export type Person = "alice" | "adam" | "bob" | "victor" | "charlie";

/** What all of them sign in with. */
export const password = "correct horse battery";
export const emailOf = (person: Person): string => `${person}@example.com`;

export interface Stage extends Application {
  /** Where the control plane serves the console, on a free port of 127.0.0.1: `http://localhost:…`. */
  url: string;
  /** A page of a browser that never was here. */
  visit(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** A page of a browser of their own in which a person is signed in. The start page, or the one at the path. */
  signIn(person: Person, path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The API as a person's token has it: `stage.as("alice")("GET /api/v1/projects")`. */
  as(person: Person): Client;
  /** Errors that no page caught, and what the content security policy refused. `close` fails when there are any. */
  problems: string[];
}

/**
 * A control plane in this process with a database of its own and the cast, which serves the console, and a chromium. It has the
 * queue and the live events, and no worker: nothing but the test changes its records.
 */
export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const [browser, consoleDirectory] = [await openBrowser(), await builtConsole()];
  const application = await openApplication({ consoleDirectory, sessionRateLimit: "1000000", ...settings });
  await givePasswords(application);
  const url = await listen(application);
  const problems: string[] = [];
  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> =>
    watch(await browser.newContext({ baseURL: url, ...options }), problems);
  return {
    ...application,
    url,
    problems,
    visit: async (path = "/", options = {}) => {
      const page = await openPage(options);
      await page.goto(path);
      return page;
    },
    signIn: async (person, path = "/", options = {}) => {
      const page = await openPage(options);
      await openSession(page, options.baseURL ?? url, person);
      await page.goto(path);
      return page;
    },
    as: (person) => createClient({ url, token: application.cast[person] }),
    close: async () => {
      await browser.close();
      await application.close();
      assert.deepEqual(problems, [], "no page had an uncaught error, and none was refused by its policy");
    },
  };
}

async function givePasswords({ pool }: Application): Promise<void> {
  for (const name of ["Alice", "Adam", "Bob", "Victor", "Charlie"]) {
    const organization = name === "Charlie" ? "Charlie's" : "Acme";
    await adminUser({ pool }, { email: emailOf(name.toLowerCase() as Person), name, organization, password });
  }
}

async function listen({ app, ctx }: Application): Promise<string> {
  for (const { mount } of features) mount?.(app, ctx);
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://localhost:${(app.server.address() as AddressInfo).port}`;
}

/** Gives the focus by the keyboard, which is what a tooltip opens for. */
export async function reach(control: Locator): Promise<void> {
  await control.focus();
  await control.page().keyboard.press("Shift+Tab");
  await control.page().keyboard.press("Tab");
}

/** Has a page read again what a test refused it, unless it has done so by itself: pages read again when their events begin. */
export async function readAgain(page: Page): Promise<void> {
  await page.unrouteAll();
  await page
    .getByRole("button", { name: "Try again" })
    .first()
    .click({ timeout: 2_000 })
    .catch(() => {});
}

/** On a busy machine; what does not come in this time does not come. */
const waitMs = 20_000;

async function watch(context: BrowserContext, problems: string[]): Promise<Page> {
  context.setDefaultTimeout(waitMs);
  const note = (problem: string) => {
    if (!isOfNetwork(problem)) problems.push(problem);
  };
  context.on("weberror", (error) => note(String(error.error().stack)));
  context.on("console", (message) => {
    if (message.type() === "error" && !isRefusal(message)) note(message.text());
  });
  return context.newPage();
}

/** Browsers log each answer of the API that is an error, which pages show where they belong. */
const isRefusal = (message: ConsoleMessage): boolean =>
  message.text().startsWith("Failed to load resource") && new URL(message.location().url).pathname.startsWith("/api/");

/**
 * A local server of another test has added a network interface, or removed one, or a test has stopped the control plane for a
 * while. The page sends the request again, and loads itself again where a part of it could not be loaded.
 */
const isOfNetwork = (problem: string): boolean =>
  /net::ERR_(NETWORK_CHANGED|CONNECTION_REFUSED)|Failed to fetch dynamically imported module/.test(problem);

/** As the page does, and so with a real session. */
export async function openSession({ request }: Pick<Page, "request">, origin: string, person: Person): Promise<void> {
  const answer = await request.post(`${origin}/api/auth/sign-in/email`, {
    headers: { origin },
    data: { email: emailOf(person), password },
  });
  assert.equal(answer.status(), 200, await answer.text());
}
