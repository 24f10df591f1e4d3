/** A block of nginx configuration, as lines; the lines of its body are indented, and empty lines stay empty. */
export const block = (head: string, body: readonly string[]): string[] => [
  `${head} {`,
  ...body.map((line) => (line === "" ? "" : `    ${line}`)),
  "}",
];
