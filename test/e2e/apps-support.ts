import type { App, AppInstallProgress, AppInstallRequest, CustomServerRequest } from "../../contract/types.ts";
import { type AppsMirror, startAppsMirror, wordpressVersions } from "../../sandbox/apps-mirror/server.ts";
import { ensureBridgeAddress } from "../../sandbox/network.ts";
import { waitFor } from "../../stage/api-client.ts";
import { openStage, type Stage } from "../../stage/support.ts";

// Shared by the tests of catalog applications: a stage whose server downloads from this machine's mirror.

export interface AppsStage extends Stage {
  mirror: AppsMirror;
  wordpress: ReturnType<typeof wordpressVersions>;
}

/** The bridge's address is known before any server exists: that of the sandbox's network. */
export async function openAppsStage(
  role: string,
  env: Record<string, string> = {},
  server: Partial<CustomServerRequest> = {},
): Promise<AppsStage> {
  const mirror = await startAppsMirror();
  const settings: Record<string, string> = { LONGSHORE_APPS_CHECKSUMS: "off", ...env };
  settings.LONGSHORE_APPS_MIRROR = `http://${await ensureBridgeAddress()}:${mirror.port}`;
  try {
    const stage = await openStage(role, settings, server);
    const close = async () => {
      await stage.close();
      await mirror.close();
    };
    return { ...stage, mirror, wordpress: wordpressVersions(mirror), close };
  } catch (error) {
    await mirror.close();
    throw error;
  }
}

/** A directory of real packages takes npm minutes; within what `lengthy` allows. */
export const appWaiting = { timeoutMs: 1_500_000 };

type NewApp = Omit<AppInstallRequest, "server_id">;

export const requestInstall = ({ client, serverId }: Stage, body: NewApp) =>
  client.answer("POST /api/v1/projects/install", { body: { server_id: serverId, ...body } });

/** Begins an installation; resolves with the project's id. */
export const beginInstall = async ({ client, serverId }: Stage, body: NewApp): Promise<number> =>
  (await client("POST /api/v1/projects/install", { body: { server_id: serverId, ...body } })).data.id;

/** Waits for the end of an installation, successful or not. */
export const installEnd = ({ client }: Pick<Stage, "client">, id: number): Promise<AppInstallProgress> =>
  waitFor(
    `the installation of project ${id} to end`,
    async () => {
      const { data } = await client("GET /api/v1/projects/{id}/install-steps", { params: { id } });
      return data.installation_status !== 0 && data;
    },
    appWaiting,
  );

export const retryToEnd = async (stage: Stage, id: number): Promise<AppInstallProgress> => {
  await stage.client("POST /api/v1/projects/{id}/install/retry", { params: { id } });
  return installEnd(stage, id);
};

export const detailsOf = async ({ client }: Pick<Stage, "client">, id: number): Promise<App> =>
  (await client("GET /api/v1/projects/{id}/app", { params: { id } })).data;

/** Updates and waits for the end, successful or not. */
export async function updateToEnd(stage: Stage, id: number): Promise<App> {
  await stage.client("POST /api/v1/projects/{id}/app/update", { params: { id } });
  return waitFor(
    `the update of project ${id} to end`,
    async () => {
      const details = await detailsOf(stage, id);
      return details.last_update?.state !== "running" && details;
    },
    appWaiting,
  );
}

/**
 * Reads the arguments and environments of all processes of the server in a loop. `stop` resolves with the number of rounds, and
 * with the arguments that contained one of the secrets.
 */
export async function watchArguments({ bash }: Pick<Stage, "bash">, secrets: readonly string[]) {
  await bash(`
    install -m 600 /dev/null /root/secrets && cat > /root/secrets <<'SECRETS'
${secrets.join("\n")}
SECRETS
    : > /root/seen; : > /root/looks
    cat > /root/watch <<'WATCH'
# Without a pause it would take a processor of its own.
while sleep 0.02; do
  echo >> /root/looks
  grep -alF -f /root/secrets /proc/[0-9]*/cmdline 2> /dev/null | while read -r file; do tr '\\0' ' ' < "$file"; echo; done >> /root/seen
done
WATCH
    systemd-run --quiet --unit=watch-arguments bash /root/watch`);
  return {
    async stop(): Promise<{ looks: number; seen: string }> {
      await bash("systemctl stop watch-arguments");
      return { looks: Number(await bash("wc -l < /root/looks")), seen: await bash("cat /root/seen") };
    },
  };
}

/** The key of the step that failed. */
export const failedStep = ({ steps }: AppInstallProgress) => steps.find(({ status }) => status === "failed");
