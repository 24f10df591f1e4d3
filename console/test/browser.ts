import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { ensurePackages } from "../../sandbox/packages.ts";

const executablePath = "/usr/bin/chromium";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Debian's chromium, without a window. `insecure.test` leads to this machine: over plain http browsers trust no name but
 * localhost, as they trust no address of another machine.
 */
export async function openBrowser(): Promise<Browser> {
  await ensurePackages(["chromium"], "tests of the console use it");
  return chromium.launch({ executablePath, args: [...quiet, `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`] });
}

/** A browser with one profile, in the directory, that other programs may drive through the port. */
export const openSharedBrowser = (profile: string, port: number): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, { executablePath, args: [...quiet, `--remote-debugging-port=${port}`] });

export const insecureHost = "insecure.test";
