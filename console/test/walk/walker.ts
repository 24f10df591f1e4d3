import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page, Request } from "playwright-core";
import { type Control, drawn, fillFields, findTarget, lookAround, type Scene } from "./in-page.ts";
import { patternOf } from "./route-table.ts";

const axe = await readFile(join(import.meta.dirname, "../../node_modules/axe-core/axe.min.js"), "utf8");

/** The rules of axe about names. */
const namesOnly = {
  runOnly: [
    "aria-command-name",
    "aria-dialog-name",
    "aria-input-field-name",
    "aria-toggle-field-name",
    "button-name",
    "document-title",
    "label",
    "link-name",
    "select-name",
    "svg-img-alt",
  ],
};

/** The walk needs what these take away. Their dialogs are opened, and closed again. */
const destroys = /^(?:Delete|Remove|Revoke|Leave|Transfer|Disconnect|Sign out)\b/;
const endsSession = /^(?:Sign out|Leave)\b/;

const settleMs = 10_000;

/** What is typed into fields, by a part of their name. */
const fieldValues = [
  ["to confirm$", ""],
  ["email|mail address", "walk@example.com"],
  ["password", "correct horse battery"],
  ["\\bIP\\b|address", "203.0.113.7"],
  ["domain", "walk.example.com"],
  ["repository|url", "https://git.example.com/acme/walk.git"],
  ["branch", "main"],
  ["code", "000000"],
  ["", "Walk"],
] as const;

export interface Way {
  /** Addresses. The others are found by links. */
  start: readonly string[];
  /** Of a page: one that always shows new controls would never end. */
  mostPresses: number;
  isWalked: (pattern: string) => boolean;
}

/** Presses everything on the pages of one browser, in the order of the document. */
export class Walker {
  /** Patterns of the pages that were visited, with their presses. */
  readonly visited = new Map<string, number>();
  readonly problems: string[] = [];
  private readonly page: Page;
  private readonly mostPresses: number;
  private readonly isWalked: (pattern: string) => boolean;
  private readonly waiting: string[];
  private readonly pressed = new Set<string>();
  /** The first of them, such as the menu of the account. */
  private readonly sharedOverlays = new Set<string>();
  private readonly openRequests = new Set<Request>();
  /** What the walk does now, for its report. */
  private trail = "";

  constructor(page: Page, { start, mostPresses, isWalked }: Way) {
    this.page = page;
    this.mostPresses = mostPresses;
    this.isWalked = isWalked;
    this.waiting = [...start];
    this.watch();
  }

  /** Visits the pages where it starts and each kind of page to which one of them links. */
  async walk(): Promise<void> {
    await addPasskeys(this.page);
    for (let address = this.waiting.shift(); address !== undefined; address = this.waiting.shift()) {
      const pattern = patternOf(address);
      if (pattern === undefined || this.visited.has(pattern) || !this.isWalked(pattern)) continue;
      this.visited.set(pattern, 0);
      this.visited.set(pattern, await this.pressAllOf(address));
    }
  }

  private watch(): void {
    const { page } = this;
    // Streams do not end, and Chromium does not report the end of a worker's file.
    const ends = /^\/(?:api\/(?!.*\/(?:events|stream)$)|assets\/(?!.*worker).*\.js$)/;
    const isCounted = (request: Request) => ends.test(new URL(request.url()).pathname);
    const isOver = (request: Request) => void this.openRequests.delete(request);
    page.on("request", (request) => isCounted(request) && this.openRequests.add(request));
    page.on("requestfinished", isOver);
    page.on("requestfailed", isOver);
    page.on("response", (response) => {
      // 503 is how the API says that a server does not answer, and none does here.
      if (response.status() < 500 || response.status() === 503) return;
      this.report(`${response.request().method()} ${response.url()}: ${response.status()}`);
    });
    page.on("pageerror", (error) => this.report(`uncaught ${error.stack ?? error.message}`));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted Type/.test(message.text())) this.report(message.text());
    });
    page.on("dialog", (dialog) => dialog.accept());
  }

  private report(problem: string): void {
    const entry = `${this.trail}: ${problem}`;
    if (!this.problems.includes(entry)) this.problems.push(entry);
  }

  /** The number of presses. */
  private async pressAllOf(address: string): Promise<number> {
    const named = new Set<string>();
    /** How each overlay was opened: a menu is opened again for its next item. */
    const openers = new Map<string, string>();
    let scene = await this.open(address);
    const { pathname } = scene;
    for (let presses = 0; presses < this.mostPresses; presses++) {
      const before = scene;
      await this.checkNames(before, named);
      const index = this.findNext(before);
      const control = before.controls[index];
      if (control === undefined && before.overlays.length === 0) return presses;
      scene = control ? await this.press(before, control, index) : await this.close(before);
      // Some pages need a moment to be opened, in which this one could still be used.
      if (scene.pathname !== pathname) scene = await this.goBack(pathname, address);
      else if (control && scene.overlays.length > before.overlays.length)
        openers.set(this.placeOf(scene), this.idOf(before, control));
      if (scene.overlays.length < before.overlays.length) this.openAgain(before, openers);
    }
    return this.mostPresses;
  }

  /** An overlay that closed before everything in it was pressed is opened again. */
  private openAgain(left: Scene, openers: Map<string, string>): void {
    const opener = openers.get(this.placeOf(left));
    const hasMore = left.controls.some((control) => this.isNext(left, control));
    if (hasMore && opener !== undefined) this.pressed.delete(opener);
  }

  /** What belongs to this page alone comes first: the rest can be pressed on the next page, if this one shows too much. */
  private findNext(scene: Scene): number {
    const find = (wanted: Control["place"]) =>
      scene.controls.findIndex((control) => control.place === wanted && this.isNext(scene, control));
    return [find("page"), find("top"), find("around")].find((index) => index >= 0) ?? -1;
  }

  private placeOf({ pathname, overlays }: Scene): string {
    const isShared = overlays[0] !== undefined && this.sharedOverlays.has(overlays[0]);
    return [...(isShared ? [] : [patternOf(pathname)]), ...overlays].join(" › ");
  }

  /** What is pressed once: on a page, on all pages of a record, or on all pages. */
  private idOf(scene: Scene, { key, place }: Control): string {
    if (scene.overlays.length > 0 || place === "page") return `${this.placeOf(scene)} › ${key}`;
    const record = /^.*:\w+/.exec(patternOf(scene.pathname) ?? "")?.[0];
    return place === "top" ? `${record} › ${key}` : key;
  }

  /** What an overlay that all pages have opens is the same on all pages too. */
  private share(from: Scene, { place }: Control, [opened]: readonly string[]): void {
    const isShared = from.overlays[0] === undefined ? place === "around" : this.sharedOverlays.has(from.overlays[0]);
    if (isShared && opened !== undefined) this.sharedOverlays.add(opened);
  }

  private isNext(scene: Scene, control: Control): boolean {
    if (this.pressed.has(this.idOf(scene, control)) || control.name === "Dismiss" || endsSession.test(control.name))
      return false;
    const isInDialog = scene.overlays.at(-1)?.includes("dialog") ?? false;
    if (!isInDialog) return true;
    return !/^(?:Close|Cancel)$/.test(control.name) && !(control.isSubmit && destroys.test(control.name));
  }

  private async press(scene: Scene, control: Control, index: number): Promise<Scene> {
    this.trail = `${[scene.pathname, ...scene.overlays, control.name].join(" › ")}`;
    this.pressed.add(this.idOf(scene, control));
    const target = await this.page.evaluate(findTarget, index);
    if (target === undefined) return this.settle();
    if (target.isCovered) this.report("something covers it");
    if (control.isSubmit) await this.page.evaluate(fillFields, fieldValues);
    await this.page.mouse.click(target.x, target.y);
    const then = await this.settle();
    this.share(scene, control, then.overlays);
    await this.checkHeading(then);
    if (then.overlays.length < scene.overlays.length) await this.checkFocus();
    if (then.pathname !== scene.pathname) await this.checkUncovered(then);
    return then;
  }

  /** To the page where it was before: much quicker than to open it again. */
  private async goBack(pathname: string, address: string): Promise<Scene> {
    await this.page.goBack();
    await this.page
      .waitForFunction((wanted) => location.pathname === wanted, pathname, { timeout: 1_000 })
      .catch(() => {});
    const then = await this.settle();
    const isBack = then.pathname === pathname && then.overlays.length === 0 && then.heading !== "";
    return isBack ? then : this.open(address);
  }

  private async close(scene: Scene): Promise<Scene> {
    this.trail = `${scene.pathname} › ${scene.overlays.join(" › ")} › Escape`;
    for (let times = 0; times < 3; times++) {
      await this.page.keyboard.press("Escape");
      const then = await this.settle();
      if (then.overlays.length < scene.overlays.length) {
        await this.checkFocus();
        return then;
      }
    }
    this.report("does not close it");
    return this.open(scene.pathname);
  }

  /** Nothing lies over a page that was just opened. */
  private async checkUncovered({ overlays }: Scene): Promise<void> {
    if (overlays.length === 0 || (await this.settle()).overlays.length === 0) return;
    this.report(`the page that was opened has ${overlays.join(", ")} over it`);
  }

  private async open(address: string): Promise<Scene> {
    this.trail = address;
    this.openRequests.clear();
    await this.page.goto(address);
    await this.page
      .locator("h1")
      .first()
      .waitFor()
      .catch(() => {});
    const scene = await this.settle();
    await this.checkHeading(scene);
    for (const link of scene.links) if (!this.visited.has(patternOf(link) ?? "")) this.waiting.push(link);
    return scene;
  }

  /** Until no request is open and nothing more is drawn. */
  private async settle(): Promise<Scene> {
    const { page } = this;
    const until = Date.now() + settleMs;
    for (let quiet = 0; quiet < 2 && Date.now() < until; quiet = this.openRequests.size > 0 ? 0 : quiet + 1) {
      await page.evaluate(drawn).catch(() => {});
    }
    if (this.openRequests.size > 0) {
      for (const request of this.openRequests) this.report(`no answer to ${request.method()} ${request.url()}`);
      this.openRequests.clear();
    }
    return page.evaluate(lookAround);
  }

  private async checkHeading({ heading, pathname }: Scene): Promise<void> {
    const shown = this.page.locator("h1").first();
    const text = heading || (await shown.textContent({ timeout: settleMs }).catch(() => ""));
    if (!text) this.report(`${pathname} has no h1`);
    if (text === "This page could not be shown") this.report(`${pathname} fails`);
  }

  private async checkFocus(): Promise<void> {
    const hasFocus = () => document.activeElement !== null && document.activeElement !== document.body;
    await this.page
      .waitForFunction(hasFocus, undefined, { timeout: 1_000 })
      .catch(() => this.report("the focus is lost"));
  }

  /** Once in each place: `done` has those where it was. */
  private async checkNames(scene: Scene, done: Set<string>): Promise<void> {
    const place = this.placeOf(scene);
    if (done.has(place)) return;
    done.add(place);
    if (!(await this.page.evaluate(() => "axe" in globalThis))) await this.page.evaluate(axe);
    const { violations } = (await this.page.evaluate(
      // @ts-expect-error axe is in the page.
      (options) => axe.run(document, options),
      namesOnly,
    )) as AxeResults;
    for (const { id, nodes } of violations) for (const { html } of nodes) this.report(`${id}: ${html.slice(0, 200)}`);
  }
}

/** Answers what the page asks of passkeys, as a device does whose person agrees. */
async function addPasskeys(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
