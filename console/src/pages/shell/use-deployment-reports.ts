import { useEffect, useMemo } from "react";
import { request } from "../../api/client.ts";
import type { Changed } from "../../data/events.ts";
import { useEvents } from "../../data/live.ts";
import { useAccount } from "../../data/me.ts";
import { announce } from "../../parts/announce.tsx";
import { type OrganizationId, paths } from "../../paths.ts";
import { showToast } from "../../ui/toast.tsx";
import { reportsOf } from "./deployment-report.ts";

/** Those that end within this time are reported together. */
const gatherMs = 1000;

/** Reports deployments that the account started and that ended, except where one watches. */
export function useDeploymentReports(o: OrganizationId): void {
  const account = useAccount()?.id;
  const gathering = useMemo(() => gather((ids) => void report(o, account, ids)), [o, account]);
  useEffect(() => gathering.stop, [gathering]);
  useEvents(gathering.listen);
}

function gather(then: (ids: ReadonlySet<number>) => void) {
  let ids = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    then(ids);
    ids = new Set();
  };
  return {
    listen: (name: string, { id, state }: Changed) => {
      if (name !== "deployment.updated" || id === undefined || (state !== "success" && state !== "failed")) return;
      ids.add(id);
      timer ??= setTimeout(flush, gatherMs);
    },
    stop: () => clearTimeout(timer),
  };
}

async function report(o: OrganizationId, account: number | undefined, ids: ReadonlySet<number>): Promise<void> {
  // Other tabs have the same events: the one that is seen reports them.
  if (document.hidden || account === undefined) return;
  const query = { initiator: [String(account)], per_page: 100 };
  const { data } = await request("GET /api/v1/deployments", { organization: o, query });
  const ended = data.filter(({ id }) => ids.has(id) && location.pathname !== paths.deployment(o, id));
  for (const toast of reportsOf(o, ended)) {
    announce(toast.text, toast.tone === "bad" ? "assertive" : "polite");
    showToast(toast);
  }
}
