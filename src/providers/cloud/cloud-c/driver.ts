import { parseCredentials } from "../credentials.ts";
import type { CloudDriver, DriverOptions } from "../driver.ts";
import { removeResource } from "../json-api.ts";
import { removeOrder } from "../removal.ts";
import { limits, makeApi } from "./api.ts";
import { checkOrder, currency, listLocations, readCatalogue } from "./catalogue.ts";
import { checkCredentials, credentialFields } from "./credentials.ts";
import { label } from "./errors.ts";
import { operations } from "./operate.ts";
import { ensureAddress, ensureFirewall, ensureServer, getServer } from "./order.ts";
import { listTagged, remover } from "./remove.ts";

/** DigitalOcean. */
export function cloudC(options: DriverOptions): CloudDriver {
  const api = makeApi(options);
  return {
    providerType: "cloud_c",
    label,
    credentialFields,
    limits,
    currency,
    volumeRules: null,
    networkIsSubnet: false,
    staticAddress: "optional",
    hasSeparatePrices: false,
    hasDeleteProtection: false,
    parseCredentials: (credentials) => parseCredentials({ label, credentialFields }, credentials),
    checkCredentials: (access) => checkCredentials(api, access),
    listLocations: (access) => listLocations(api, access),
    listPrices: async (_access, location) => ({ location, prices: {}, volumes: {}, problem: null }),
    readCatalogue: (access, location) => readCatalogue(api, access, location),
    checkOrder: checkOrder(api),
    ensureFirewall: ensureFirewall(api),
    ensureServer: ensureServer(api),
    getServer: getServer(api),
    ensureAddress: ensureAddress(api),
    removeOrder: (access, ref, save) => removeOrder(remover(api), access, { ...ref, ref, save }),
    ...operations(api),
    removeImage: (access, { id }) => removeResource(api, access, { kind: "image", id }),
    listTagged: listTagged(api),
  };
}
