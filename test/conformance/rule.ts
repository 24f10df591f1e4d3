/** A test, or a group of them, by its file and its name; `…` stands for what the file puts in. */
export type Proof = readonly [file: string, test: string];

/** One rule of the API, with the tests that prove it. None yet: the rule is open. */
export interface Rule {
  rule: string;
  proofs: readonly Proof[];
}

export interface Area {
  title: string;
  rules: readonly Rule[];
}

export const rule = (text: string, ...proofs: readonly Proof[]): Rule => ({ rule: text, proofs });

/** Names tests of one file. */
export const testsIn =
  (file: string) =>
  (name: string): Proof => [file, name];

/** What is proven of every route there is, by walking the route table. */
export const everyRoute = testsIn("test/route-coverage.test.ts");
export const everyRequest = testsIn("test/property.test.ts");
const works = everyRoute("works after all that");
const badInput = everyRoute("refuses bad input");

/** An endpoint, as `METHOD /path` with what it takes and answers: the walk over all routes, and what is said of it alone. */
export const endpoint = (text: string, ...proofs: readonly Proof[]): Rule => rule(text, works, badInput, ...proofs);
