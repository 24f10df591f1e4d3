import { type Browser, chromium } from "playwright-core";
import { ensurePackages } from "../../sandbox/packages.ts";

/**
 * Debian's chromium, without a window. Root on Debian gets the package if it is missing; otherwise this throws a sentence with
 * the command that installs it.
 */
export async function openBrowser(): Promise<Browser> {
  await ensurePackages(["chromium"], "the console is tested in it");
  return await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
