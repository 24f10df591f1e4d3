const shortestSecret = 8;
const masked = "********";

/**
 * A function that replaces every known secret in a text. A secret of several lines is masked line by line, as logs
 * print it. What is shorter than eight characters is left: `true` or `3000` in an environment file is no secret, and
 * masking it would garble the log.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const values = new Set(secrets.flatMap((secret) => [secret, ...secret.split("\n")]).map((value) => value.trim()));
  const longestFirst = [...values]
    .filter((value) => value.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const pattern = new RegExp(longestFirst.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
  return (text) => text.replace(pattern, masked);
}
