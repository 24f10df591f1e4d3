import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether this program runs in a checkout of the repository: a package holds it as JavaScript. */
export const isCheckout = existsSync(join(import.meta.dirname, "../main.ts"));

/** How the reader of a message starts this program, with the arguments of a command. */
export const commandLine = (args: string): string => `${isCheckout ? "./longshore" : "longshore"} ${args}`;
