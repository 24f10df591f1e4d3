import { inSync } from "../../../engine/reconcile/target.ts";

export const php = {
  memory_limit_mb: 512,
  max_execution_seconds: null,
  max_workers: 40,
  opcache_is_enabled: true,
  opcache_memory_mb: null,
  extensions: ["imagick"],
  most_workers: 126,
  refusal: null,
  sync: inSync,
};
