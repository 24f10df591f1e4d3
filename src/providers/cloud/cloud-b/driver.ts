import { parseCredentials } from "../credentials.ts";
import type { CloudDriver, DriverOptions } from "../driver.ts";
import { removeOrder } from "../removal.ts";
import { limits, makeApi } from "./api.ts";
import { checkOrder, listLocations, readCatalogue, volumeRules } from "./catalogue.ts";
import { checkCredentials, credentialFields } from "./credentials.ts";
import { label } from "./errors.ts";
import { operations } from "./operate.ts";
import { ensureAddress, ensureFirewall, ensureServer, getServer } from "./order.ts";
import { currency, listPrices } from "./prices.ts";
import { listTagged, removeImage, remover } from "./remove.ts";

/** AWS EC2. */
export function cloudB(options: DriverOptions): CloudDriver {
  const api = makeApi(options);
  return {
    providerType: "cloud_b",
    label,
    credentialFields,
    limits,
    currency,
    volumeRules,
    networkIsSubnet: true,
    staticAddress: "optional",
    hasSeparatePrices: true,
    hasDeleteProtection: true,
    parseCredentials: (credentials) => parseCredentials({ label, credentialFields }, credentials),
    checkCredentials: (access) => checkCredentials(api, access),
    listLocations: (access) => listLocations(api, access),
    listPrices: (access, location) => listPrices(api, access, location),
    readCatalogue: (access, location, prices) => readCatalogue(api, access, location, prices),
    checkOrder: checkOrder(api),
    ensureFirewall: ensureFirewall(api),
    ensureServer: ensureServer(api),
    getServer: getServer(api),
    ensureAddress: ensureAddress(api),
    removeOrder: (access, ref, save) => removeOrder(remover(api), access, { ...ref, ref, save }),
    ...operations(api),
    removeImage: removeImage(api),
    listTagged: listTagged(api),
  };
}
