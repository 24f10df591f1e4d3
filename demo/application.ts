import { GiveUp, waitFor } from "../stage/api-client.ts";
import type { Platform } from "../stage/fixture.ts";
import type { Progress } from "../stage/progress.ts";
import { visit } from "../stage/projects.ts";
import type { Forwarder } from "./forwarder.ts";
import type { DemoResult } from "./report.ts";

interface Stage {
  platform: Platform;
  serverId: number;
  forwarder: Forwarder;
}

const siteTitle = "Harbour news";

/** Installs WordPress from the catalog, and shows the title of its page, as a browser gets it. */
export function installWordPress(stage: Stage, progress: Progress): Promise<DemoResult["app"]> {
  const { platform, serverId, forwarder } = stage;
  return progress.step("Install WordPress from the catalog", async (update) => {
    const domain = "news.localhost";
    const { data } = await platform.client("POST /api/v1/projects/install", {
      body: {
        name: "news",
        domain,
        server_id: serverId,
        app_slug: "app_cms",
        inputs: { site_title: siteTitle },
      },
    });
    const { app_version } = await installationEnd(platform, data.id, update);
    const { status, body } = await visit({ address: "127.0.0.1", port: forwarder.port, host: domain });
    const title = /<title>([^<]*)<\/title>/.exec(body)?.[1];
    if (status !== 200 || title !== siteTitle) throw new Error(`WordPress answers ${status} with the title ${title}`);
    return { name: "WordPress", version: app_version ?? "", title, url: `http://${domain}:${forwarder.port}/` };
  });
}

const installationEnd = ({ client }: Platform, id: number, update: (text: string) => void) =>
  waitFor(
    "WordPress to be installed",
    async () => {
      const { data } = await client("GET /api/v1/projects/{id}/install-steps", { params: { id } });
      const running = data.steps.find(({ status }) => status === "running");
      if (running) update(running.label);
      const failed = data.steps.find(({ status }) => status === "failed");
      if (failed && data.installation_status === 2) throw new GiveUp(`${failed.label}: ${failed.detail}`);
      return data.installation_status === 1 && data;
    },
    { timeoutMs: 300_000, intervalMs: 200 },
  );
