import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AppInstallProgress } from "../../contract/types.ts";
import { waitFor } from "../../stage/api-client.ts";
import { lengthy, startVisitor } from "../../stage/support.ts";
import {
  type AppsStage,
  appWaiting,
  beginInstall,
  detailsOf,
  failedStep,
  installEnd,
  retryToEnd,
  updateToEnd,
  watchArguments,
} from "./apps-support.ts";

// The requirements for every application of the catalog on a real server, from its installation to its deletion.

/** An installed application, as tests use it. */
export interface AppSite {
  stage: AppsStage;
  id: number;
  domain: string;
  /** The project's directory on the server. */
  home: string;
  /** Requests a page of the site with curl on the server; resolves with the answer's body. `options` are words of bash. */
  curl(path: string, options?: string): Promise<string>;
  /** Runs bash as the project's user, in the project's directory. */
  asUser(script: string): Promise<string>;
}

/** A fault that makes an installation or an update fail, and its repair. */
export interface Breakage {
  /** For an installation: the step that has to fail. For an update: the end of the sentence "… when ". */
  at: string;
  breaks(site: AppSite): Promise<unknown>;
  mends(site: AppSite): Promise<unknown>;
  /** The pattern of the reason. */
  reason?: RegExp;
}

/** Values of `credentials` by key. */
export type Credentials = Readonly<Record<string, string>>;

export interface TestedApp {
  slug: string;
  domain: string;
  /** Versions in the mirror: the one that is installed, and the one that it is updated to; undefined: it cannot be updated. */
  former: string;
  newest?: string;
  /** Whether it has a separate database. */
  hasDatabase: boolean;
  inputs?: Record<string, string>;
  /** Path of a page that answers 200 without a login; default: the front page. */
  page?: string;
  /** A text of that page, in both versions. */
  proof: string;
  /** Whether an answer is the application's own page during an upgrade of its database. */
  isPaused?: (status: number, body: string) => boolean;
  /** Logs in like a person; resolves with the session for `write` and `read`, or undefined when it is refused. */
  logIn(site: AppSite, credentials: Credentials): Promise<string | undefined>;
  /** Stores a text in the application. */
  write(site: AppSite, session: string, text: string): Promise<unknown>;
  /** Resolves with a text that contains what was written. */
  read(site: AppSite, session: string): Promise<string>;
  /** In addition to a missing version, an existing database and a web server that refuses its configuration. */
  installFailures: readonly Breakage[];
  updateFailures: readonly Breakage[];
  /** For an application that stores its own address: something that contains the address, such as a page with links. */
  linked?(site: AppSite): Promise<string>;
  /** What a failing update must not change besides files and releases, such as the version of its tables. */
  state?(site: AppSite): Promise<string>;
}

const kept = "Kept by every update";

/** `stageOf` is called once the tests run: `before` of the file opens the stage. */
export function describeApp(stageOf: () => AppsStage, app: TestedApp): void {
  describe(app.slug, () => {
    let site: AppSite;
    const credentialsOf = async (): Promise<Record<string, string>> => {
      const { credentials } = await detailsOf(site.stage, site.id);
      return Object.fromEntries(Object.entries(credentials).map(([key, { value }]) => [key, value]));
    };
    const logIn = async (): Promise<string> => {
      const session = await app.logIn(site, await credentialsOf());
      assert.ok(session !== undefined, `${app.slug} refuses the credentials that Longshore shows`);
      return session;
    };

    it("stops at each step that fails, reports why, and starts from the top when it is retried", lengthy, async () => {
      const stage = stageOf();
      stage.mirror.offer(app.slug, []);
      const { slug, domain, inputs } = app;
      const body = { name: `Tested ${slug}`, domain, app_slug: slug, ...(inputs && { inputs }) };
      const id = await beginInstall(stage, body);
      site = siteOf(stage, id, domain);
      assertStopped(await installEnd(stage, id), { at: "requirements" });
      stage.mirror.offer(slug, [app.former]);
      const general = app.hasDatabase ? [takenDatabase(app), brokenWebServer] : [brokenWebServer];
      for (const failure of [...general, ...app.installFailures]) {
        await failure.breaks(site);
        assertStopped(await retryToEnd(stage, site.id), failure);
        await failure.mends(site);
      }
    });

    it("is installed and serves its own pages; no process has a password among its arguments", lengthy, async () => {
      const { stage, id } = site;
      const watch = await watchArguments(stage, await secretsOf(site));
      const ended = await retryToEnd(stage, id);
      const { looks, seen } = await watch.stop();
      assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
      assert.equal(ended.app_version, app.former);
      assert.deepEqual([seen, looks > 0], ["", true], `${looks} looks`);
      await assertServes(site, app);
    });

    it("lets the shown credentials in, and no others", lengthy, async () => {
      const { credentials } = await detailsOf(site.stage, site.id);
      const right = await credentialsOf();
      for (const [key, { secret }] of Object.entries(credentials)) {
        if (secret) assert.equal(await app.logIn(site, { ...right, [key]: "Quite-wrong-4711" }), undefined, key);
      }
      const session = await logIn();
      await app.write(site, session, kept);
      assert.ok((await app.read(site, session)).includes(kept));
    });

    const { newest } = app;
    if (newest === undefined)
      it("cannot be updated in place", lengthy, async () => {
        const { stage, id } = site;
        assert.equal((await detailsOf(stage, id)).updatable, false);
        const { status } = await stage.client.refusal("POST /api/v1/projects/{id}/app/update", { params: { id } });
        assert.equal(status, 422);
      });
    else describeUpdates(newest);

    function describeUpdates(newest: string): void {
      for (const failure of app.updateFailures) {
        it(`leaves the former version with its data when ${failure.at}`, lengthy, async () => {
          const { stage, id } = site;
          stage.mirror.offer(app.slug, [newest, app.former]);
          const before = await stateOf(site, app);
          await failure.breaks(site);
          const { last_update: update, app_version: version } = await updateToEnd(stage, id);
          await failure.mends(site);
          assert.deepEqual([update?.state, version], ["failed", app.former]);
          assert.match(update?.error ?? "", failure.reason ?? /\w+/);
          assert.equal(await stateOf(site, app), before);
          await assertServes(site, app);
          assert.ok((await app.read(site, await logIn())).includes(kept));
        });
      }

      it("is updated without a lost request, with its data", lengthy, async () => {
        const { stage, id } = site;
        stage.mirror.offer(app.slug, [newest, app.former]);
        const watch = await watchArguments(stage, await secretsOf(site));
        const visitor = startAppVisitor(site, app);
        const details = await updateToEnd(stage, id).finally(() => visitor.stop());
        const { visits, wrong } = await visitor.stop();
        const { seen } = await watch.stop();
        assert.equal(details.last_update?.state, "succeeded", JSON.stringify(details.last_update));
        assert.deepEqual([details.app_version, details.update_available], [newest, null]);
        assert.deepEqual(wrong, []);
        assert.ok(visits > 0, `${visits}`);
        assert.equal(seen, "");
        assert.ok((await app.read(site, await logIn())).includes(kept));
      });
    }

    const { linked } = app;
    if (linked)
      it("follows the primary domain without a lost request", lengthy, async () => {
        const { stage, id, domain } = site;
        const next = `next.${domain}`;
        const visitor = startAppVisitor(site, app);
        const { domain: added } = await stage.client("POST /api/v1/projects/{id}/domains", {
          params: { id },
          body: { domain: next },
        });
        await stage.client("PUT /api/v1/projects/{id}/domains/{domainId}/primary", {
          params: { id, domainId: added.id },
        });
        site = siteOf(stage, id, next);
        const follows = async () => (await linked(site)).includes(`http://${next}`);
        await waitFor("the application to have its new address", follows, appWaiting).finally(() => visitor.stop());
        assert.deepEqual((await visitor.stop()).wrong, []);
      });

    it("has left its passwords in no log and no journal", lengthy, async () => {
      // The secrets of a run are on the server until it has ended.
      for (const secret of await secretsOf(site)) {
        await waitFor("no trace of a password", async () => (await tracesOf(site, secret)) === "", appWaiting);
      }
    });

    it("is deleted, and nothing of it is left", lengthy, async () => {
      const { stage, id } = site;
      await stage.client("DELETE /api/v1/project/{id}", { params: { id } });
      await waitFor("everything to be gone", async () => (await stage.bash(leftOf(app, id))) === "", appWaiting);
    });
  });
}

function siteOf(stage: AppsStage, id: number, domain: string): AppSite {
  const curl = (path: string, options = "") =>
    stage.bash(`curl -s ${options} --connect-to '${domain}:80:127.0.0.1:80' 'http://${domain}${path}'`);
  const home = `/srv/longshore/projects/${id}`;
  const asUser = (script: string) =>
    stage.bash(`cd ${home}; runuser -u project-${id} -- bash -eu <<'AS_USER'\n${script}\nAS_USER`);
  return { stage, id, domain, home, curl, asUser };
}

const startAppVisitor = ({ stage, id, domain, home }: AppSite, { slug, page, proof, isPaused }: TestedApp) =>
  startVisitor(stage, { id, name: slug, domain, home, path: page, isPaused }, (body) => body.includes(proof));

const assertServes = async ({ curl }: AppSite, { page = "/", proof }: TestedApp): Promise<void> =>
  assert.ok((await curl(page)).includes(proof), `${page} is not the application's.`);

function assertStopped(ended: AppInstallProgress, { at, reason = /\w+/ }: Pick<Breakage, "at" | "reason">): void {
  assert.deepEqual([ended.installation_status, failedStep(ended)?.key], [2, at], JSON.stringify(ended.steps));
  assert.match(failedStep(ended)?.detail ?? "", reason, at);
}

const brokenFile = "/etc/nginx/conf.d/zz-broken.conf";

const brokenWebServer: Breakage = {
  at: "site",
  breaks: ({ stage }) => stage.bash(`echo 'nonsense;' > ${brokenFile}`),
  mends: ({ stage }) => stage.bash(`rm ${brokenFile}`),
};

const databaseOf = ({ slug }: TestedApp, id: number) => `${slug.replace(/^app_/, "").replaceAll("-", "_")}_${id}`;

const takenDatabase = (app: TestedApp): Breakage => ({
  at: "database",
  breaks: async ({ stage, id }) => {
    await stage.client("POST /api/v1/servers/{id}/databases", {
      params: { id: stage.serverId },
      body: { name: databaseOf(app, id) },
    });
  },
  mends: async (site) => {
    const { stage, id } = site;
    const { data } = await stage.client("GET /api/v1/servers/{id}/databases", { params: { id: stage.serverId } });
    const taken = data.find(({ database_name: name }) => name === databaseOf(app, id));
    assert.ok(taken);
    await stage.client("DELETE /api/v1/servers/{id}/databases/{database}", {
      params: { id: stage.serverId, database: taken.id },
    });
    // The name is free once the server has removed the database; until then the installation stops there again.
    await brokenWebServer.breaks(site);
    const isFree = async () => failedStep(await retryToEnd(stage, id))?.key === "site";
    await waitFor("the name to be free", isFree, appWaiting);
    await brokenWebServer.mends(site);
  },
});

/** The values that the reader of an application sees as secret, and its database's password. */
async function secretsOf({ stage, id }: AppSite): Promise<string[]> {
  const { credentials, database } = await detailsOf(stage, id);
  const shown = Object.values(credentials).flatMap(({ value, secret }) => (secret ? [value] : []));
  return [...shown, ...(database ? [database.password] : [])];
}

/** Files of Longshore and of the system that contain a text, and the journals if they contain it. */
const tracesOf = ({ stage }: AppSite, secret: string): Promise<string> =>
  stage.bash(`
    printf '%s\\n' '${secret.replaceAll("'", `'\\''`)}' > /root/sought
    grep -rlF -f /root/sought /var/lib/longshore /var/log /run/longshore /srv/longshore/projects/*/logs 2> /dev/null || true
    for journal in '' --namespace=longshore; do
      if journalctl --no-pager $journal | grep -qF -f /root/sought; then echo "journal $journal"; fi
    done
    rm /root/sought`);

/** Releases, processes and copies of a site; in a correct state, one that serves, and nothing left of an update. */
async function stateOf(site: AppSite, app: TestedApp): Promise<string> {
  const { stage, id, home } = site;
  const files = await stage.bash(`
    readlink ${home}/current; ls ${home}/releases
    ls ${home}/state | grep -v '^site-' || true
    ls ${home}/cache/apps | grep -E '^(update-|database-copy)' || true
    systemctl list-units --no-legend --plain 'longshore-project-${id}@*' | awk '{ print $1, $3, $4 }'`);
  return [files, (await app.state?.(site)) ?? ""].join("\n");
}

const leftOf = (app: TestedApp, id: number): string => `
  ls -d /srv/longshore/projects/${id} || true
  getent passwd project-${id} || true
  systemctl list-units --all --no-legend --plain 'longshore-project-${id}@*' || true
  ls /etc/systemd/system | grep 'longshore-project-${id}@' || true
  ls /etc/nginx/sites-enabled | grep 'project-${id}.conf' || true
  ps -u project-${id} -o args= 2> /dev/null || true
  if command -v mariadb > /dev/null; then
    mariadb -N -e 'SHOW DATABASES' | grep -x '${databaseOf(app, id)}' || true
    mariadb -N -e "SELECT user FROM mysql.user WHERE user = '${databaseOf(app, id)}'"
  else
    cd / && runuser -u postgres -- psql -qAt -c "SELECT datname FROM pg_database WHERE datname = '${databaseOf(app, id)}'
      UNION ALL SELECT rolname FROM pg_roles WHERE rolname = '${databaseOf(app, id)}'"
  fi`;
