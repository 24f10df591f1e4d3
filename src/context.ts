import type { Pool } from "pg";
import type { Config } from "./config.ts";
import type { Listener } from "./engine/listener.ts";
import type { Queue } from "./engine/queue/queue.ts";
import type { Hosts } from "./host/ssh/hosts.ts";
import type { Hook } from "./lib/hooks.ts";
import type { Logger } from "./lib/log.ts";
import type { SecretBox } from "./lib/secrets.ts";
import type { CloudDriver, CloudProviderType } from "./providers/cloud/driver.ts";

/** Built once at the start, and passed to all other code. */
export interface Context {
  readonly config: Config;
  readonly pool: Pool;
  readonly log: Logger;
  readonly queue: Queue;
  readonly secrets: SecretBox;
  readonly hosts: Hosts;
  readonly listener: Listener;
  /** The API of each cloud provider. */
  readonly clouds: (type: CloudProviderType) => CloudDriver;
  /** What features add to earlier ones, for the `of` of their hook points. */
  readonly hooks: readonly Hook[];
}

/** What a transaction needs to start further work. */
export type WithQueue = Pick<Context, "queue">;
