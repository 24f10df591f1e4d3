import type { Context } from "./context.ts";
import type { RunKind } from "./engine/runs.ts";
import type { JobHandler } from "./engine/worker.ts";
import { accountRoutes } from "./features/accounts/routes.ts";
import type { Route } from "./http/route.ts";

/** What a feature brings: its part of the API, the runs it gives a meaning to, and the jobs its workers do. */
export interface Feature {
  name: string;
  routes?: readonly Route[];
  runKinds?: (ctx: Context) => readonly RunKind[];
  jobs?: (ctx: Context) => readonly JobHandler[];
}

/** Everything the product does, in dependency order: a feature may use those above it. */
export const features: readonly Feature[] = [{ name: "accounts", routes: accountRoutes }];
