import { isNetwork } from "../lib/addresses.ts";
import type { Settings } from "./setting.ts";
import { integer, isDomain, list } from "./values.ts";

/** Which machines may be servers, and the machine that it runs on. */
export const machineSettings = {
  serversAllow: {
    env: "LONGSHORE_SERVERS_ALLOW",
    ...list("addresses or networks such as 127.0.0.1 or 10.0.0.0/8", isNetwork),
    default: "",
    about:
      "Addresses that may be managed servers although they are this machine's own, loopback, link-local, multicast or a cloud's service for its machines. All other such addresses are refused: every account could otherwise find out what listens there.",
  },
  thisMachine: {
    env: "LONGSHORE_THIS_MACHINE",
    ...integer(1, 65_535),
    about:
      "The port of this machine's SSH server on 127.0.0.1, with which an Owner of the first organization may add the machine that Longshore runs on as a server. `service install --manage-this-machine` sets it, and makes the key `this-machine.key` in the data directory. Without it, no request makes Longshore connect to its own machine.",
  },
  reservedDomains: {
    env: "LONGSHORE_RESERVED_DOMAINS",
    ...list("domain names such as panel.example.com", isDomain),
    default: "",
    about:
      "Names that no project may have, such as those of this installation on a machine that is also a server. With `LONGSHORE_THIS_MACHINE`, the name in `LONGSHORE_PUBLIC_URL` is one of them.",
  },
} as const satisfies Settings;
