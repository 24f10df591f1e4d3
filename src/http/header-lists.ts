/** The values of a header such as `Accept`, each with its weight (RFC 9110, 12.4.2), in lower case. */
export function listOf(header: string): ReadonlyMap<string, number> {
  const entries = header.split(",").map((entry): [string, number] => {
    const [value = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const [, weight = "1"] = parameters.map((each) => /^q=(.*)$/.exec(each)).find((found) => found !== null) ?? [];
    return [value, Number(weight) || 0];
  });
  return new Map(entries.filter(([value]) => value !== ""));
}

/** Whether a client that sends this `Accept` is a browser: those name HTML, and programs name JSON, or nothing. */
export function prefersHtml(accepted = ""): boolean {
  const weights = listOf(accepted);
  const ofHtml = weights.get("text/html") ?? 0;
  return ofHtml > 0 && ofHtml >= (weights.get("application/json") ?? 0);
}
