import type { CloudDriver, CloudProviderType, DriverOptions } from "./driver.ts";

/** The driver of a provider. It keeps no state: make one for each use or keep it. */
export function driverFor(providerType: CloudProviderType, _options: DriverOptions): CloudDriver {
  throw new Error(`There is no driver of ${providerType} yet.`);
}
