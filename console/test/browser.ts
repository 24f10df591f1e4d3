import { type Browser, chromium } from "playwright-core";
import { ensurePackages } from "../../sandbox/packages.ts";

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
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [...quiet, `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`],
  });
}

export const insecureHost = "insecure.test";
