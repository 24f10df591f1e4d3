import manifest from "../../package.json" with { type: "json" };

/** This program's version: `0.2.0`, or `0.3.0-dev` between two releases. */
export const version: string = manifest.version;
