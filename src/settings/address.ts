import { resolve } from "node:path";
import type { Settings } from "./setting.ts";
import { hostName, integer } from "./values.ts";

/** Where it keeps its data and listens without TLS. */
export const addressSettings = {
  dataDirectory: {
    env: "LONGSHORE_DATA",
    flag: "--data",
    type: "a directory",
    default: ".longshore",
    about: "Where the secret key and the embedded PostgreSQL live. Everything in it must be backed up together.",
    parse: (text): string => resolve(text),
  },
  host: {
    env: "LONGSHORE_HOST",
    flag: "--host",
    type: hostName.type,
    default: "127.0.0.1",
    about:
      "The address to listen on without TLS. Set `LONGSHORE_DOMAIN`, or put a TLS-terminating proxy in front, before it is anything but loopback.",
    parse: hostName.parse,
  },
  port: {
    env: "LONGSHORE_PORT",
    flag: "--port",
    ...integer(0, 65_535),
    default: "8080",
    about: "The port to listen on; 0 takes a free one.",
  },
} as const satisfies Settings;
