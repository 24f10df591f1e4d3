import { readFileSync } from "node:fs";
import { join } from "node:path";

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
  version: string;
};

/** This program's version: `0.2.0`, or `0.3.0-dev` between two releases. */
export const { version } = manifest;
