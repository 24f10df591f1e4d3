/** A block of nginx configuration, as lines; those of its body are indented, and empty ones stay empty. */
export const block = (head: string, body: readonly string[]): string[] => [
  `${head} {`,
  ...body.map((line) => (line === "" ? "" : `    ${line}`)),
  "}",
];
