import type { CloudCredentials, CloudProviderType } from "../../src/providers/cloud/driver.ts";
import type { CloudOptions } from "./cloud.ts";
import { CloudA, tokenA } from "./cloud-a.ts";
import { CloudB, keyB } from "./cloud-b.ts";
import { CloudC, tokenC } from "./cloud-c.ts";

export const credentials: Record<CloudProviderType, CloudCredentials> = {
  cloud_a: { token: tokenA },
  cloud_b: { ...keyB },
  cloud_c: { token: tokenC },
};

/** Base URLs of the fakes, as settings of an installation. */
export const cloudSettings = ({ a, b, c }: { a: CloudA; b: CloudB; c: CloudC }) => ({
  cloudAUrl: `${a.url}/v1`,
  cloudBUrl: b.url,
  cloudBPricesUrl: b.url,
  cloudBSsmUrl: b.url,
  cloudCUrl: c.url,
});

export interface Clouds {
  a: CloudA;
  b: CloudB;
  c: CloudC;
  settings: ReturnType<typeof cloudSettings>;
  close(): Promise<void>;
}

/** A fake of each provider. */
export async function startClouds(options: CloudOptions = {}): Promise<Clouds> {
  const a = await new CloudA(options).listen();
  const b = await new CloudB(options).listen();
  const c = await new CloudC(options).listen();
  return {
    a,
    b,
    c,
    settings: cloudSettings({ a, b, c }),
    async close() {
      for (const cloud of [a, b, c]) await cloud.close();
    },
  };
}
