/** JSON in lines of at most 120 characters, as far as its strings permit: what fits on one line stands on one. */
export const formatJson = (value: unknown): string => `${format(value, "", 0)}\n`;

const width = 120;

/** `taken`: the columns of the line that its key and its comma take. */
function format(value: unknown, margin: string, taken: number): string {
  const line = onOneLine(value);
  if (typeof value !== "object" || value === null || margin.length + taken + line.length <= width) return line;
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => `${inner}${format(each, inner, 1)}`).join(",\n")}\n${margin}]`;
  }
  const entries = Object.entries(value).map(([name, each]) => {
    const key = `${JSON.stringify(name)}: `;
    return `${inner}${key}${format(each, inner, key.length + 1)}`;
  });
  return `{\n${entries.join(",\n")}\n${margin}}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${onOneLine(each)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
