import type { Context } from "../../context.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { openAuthority } from "../certificates/authority/account.ts";
import { renewIfDue } from "./orders.ts";
import { isOrdered } from "./schema.ts";

export function installationCertificateSchedules(ctx: Context): PeriodicTask[] {
  if (!isOrdered(ctx.config)) return [];
  const { config, pool, log, secrets } = ctx;
  const deps = { config, pool, log, secrets, authority: openAuthority(ctx) };
  return [
    {
      name: "renew-installation-certificate",
      everyMs: 5_000,
      work: (signal) => renewIfDue(deps, signal),
    },
  ];
}
