import { cloudA } from "./cloud-a/driver.ts";
import { cloudB } from "./cloud-b/driver.ts";
import { cloudC } from "./cloud-c/driver.ts";
import type { CloudDriver, CloudProviderType, DriverOptions } from "./driver.ts";

const makers: Record<CloudProviderType, (options: DriverOptions) => CloudDriver> = {
  cloud_a: cloudA,
  cloud_b: cloudB,
  cloud_c: cloudC,
};

/** The driver of a provider. It has no state: create one for each use, or keep it. */
export const driverFor = (providerType: CloudProviderType, options: DriverOptions): CloudDriver =>
  makers[providerType](options);
