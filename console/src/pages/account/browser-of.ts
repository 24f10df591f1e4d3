/** The first that matches: most browsers also carry the names of others. */
const browsers: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ["Safari", /\bVersion\/.*Safari\//],
];
const systems: readonly [name: string, pattern: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** "Firefox on Linux", as far as what the browser calls itself shows it. */
export function browserOf(userAgent: string | null): string {
  const [browser, system] = [browsers, systems].map((table) => nameIn(table, userAgent ?? ""));
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? (userAgent?.slice(0, 60) || "Unknown browser");
}

const nameIn = (table: readonly [string, RegExp][], text: string): string | undefined =>
  table.find(([, pattern]) => pattern.test(text))?.[0];
