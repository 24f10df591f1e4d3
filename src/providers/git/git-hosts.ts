import type { GitHostApi } from "./git-host.ts";
import { gitHostA } from "./git-host-a/api.ts";
import { webhookA } from "./git-host-a/webhook.ts";
import { gitHostB } from "./git-host-b/api.ts";
import { webhookB } from "./git-host-b/webhook.ts";
import { gitHostC } from "./git-host-c/api.ts";
import { webhookC } from "./git-host-c/webhook.ts";
import { webhookPlain } from "./plain/webhook.ts";
import type { WebhookDialect } from "./webhook.ts";

/** Each kind of git host by its neutral name. */
export const gitHostApis: Readonly<Record<"git_host_a" | "git_host_b" | "git_host_c", GitHostApi>> = {
  git_host_a: gitHostA,
  git_host_b: gitHostB,
  git_host_c: gitHostC,
};

export const webhookDialects: Readonly<Record<keyof typeof gitHostApis | "git", WebhookDialect>> = {
  git_host_a: webhookA,
  git_host_b: webhookB,
  git_host_c: webhookC,
  git: webhookPlain,
};
