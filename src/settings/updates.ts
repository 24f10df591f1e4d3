import { resolve } from "node:path";
import type { Settings } from "./setting.ts";
import { oneOf, url } from "./values.ts";

/** Its own new versions. */
export const updateSettings = {
  updateSource: {
    env: "LONGSHORE_UPDATE_SOURCE",
    type: "an absolute path of a directory, or a URL that begins with https://",
    about:
      "Where `longshore upgrade` finds new versions: a directory, or the `https://` URL of one, with packages and their `SHA256SUMS`. Without it, the package `longshore` of the registry that npm uses on this machine.",
    parse: (text): string | undefined =>
      /^[a-z][a-z+.-]*:/i.test(text) ? url("https:").parse(text) : text.startsWith("/") ? resolve(text) : undefined,
  },
  updateCheck: {
    env: "LONGSHORE_UPDATE_CHECK",
    ...oneOf(["off", "on"]),
    default: "off",
    about:
      "`on` asks the update source once a day which version is the newest, for `newest_version` of `GET /api/v1/version`. Nothing about this installation is sent.",
  },
} as const satisfies Settings;
