/** As much of a text as fits after escaping; a cut text ends with an ellipsis. No character is split. */
export function fit(text: string, length: number, escaped: (text: string) => string = (plain) => plain): string {
  const whole = escaped(text);
  if (whole.length <= length) return whole;
  let fitting = "";
  for (const character of text) {
    const next = escaped(character);
    if (fitting.length + next.length > length - 1) break;
    fitting += next;
  }
  return `${fitting}…`;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The first line of a foreign answer, short and printable. */
export function firstLine(text: string): string {
  const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  return fit(line.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, " ").trim(), 300);
}
