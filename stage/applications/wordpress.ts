import assert from "node:assert/strict";
import { join } from "node:path";
import { artifactsDirectory, ensureArtifacts } from "../../sandbox/apps-mirror/artifacts.ts";
import { mustRun } from "../../sandbox/command.ts";
import { waitFor } from "../api-client.ts";
import type { Application, Place } from "./application.ts";
import { ask, textOf } from "./site.ts";

/** WordPress as people have it in a repository: all files but wp-config.php, set up by its own installer in the browser. */
export const wordpress: Application = {
  name: "wordpress",
  frameworkId: 3,
  pages: ["/"],
  base: async (folder) => {
    const file = (await ensureArtifacts()).app_cms?.at(-1)?.file;
    assert.ok(file, "The mirror has no WordPress.");
    await mustRun(["tar", "-C", folder, "-xzf", join(artifactsDirectory(), "app_cms", file)]);
    return join(folder, "wordpress");
  },
  setUp: async (place) => {
    const { database_name: name, username, password } = await makeDatabase(place);
    const settings = { dbname: name, uname: username, pwd: password, dbhost: "127.0.0.1", prefix: "wp_" };
    await submit(place, "/wp-admin/setup-config.php?step=2", { ...settings, language: "" });
    const admin = { user_name: "alice", admin_password: "Correct-horse-4711", admin_password2: "Correct-horse-4711" };
    const site = { weblog_title: "Harbour", admin_email: "alice@example.com", blog_public: "0", language: "" };
    await submit(place, "/wp-admin/install.php?step=2", { ...admin, ...site });
  },
  // No visitor may meet the installer of a site that is installed.
  check: async (place) => {
    assert.match(await textOf(place, "/"), /Harbour/);
    assert.match((await ask(place, "/wp-admin/install.php")).body, /Already Installed/);
  },
  leave: async (place) => void (await submit(place, "/", { note: "a note" })),
  left: async (place) => [(await textOf(place, uploadOf(await textOf(place, "/")))).trim()],
};

const uploadOf = (page: string): string => {
  const path = /upload: (\/wp-content\/uploads\/\S+)/.exec(page)?.[1];
  assert.ok(path, page.slice(-300));
  return path;
};

async function submit(place: Place, path: string, values: Record<string, string>): Promise<string> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(values).toString();
  return textOf(place, path, { method: "POST", headers, body });
}

async function makeDatabase({ stage: { client, serverId } }: Place) {
  const params = { id: serverId };
  const { data } = await client("POST /api/v1/servers/{id}/databases", { params, body: { name: "wordpress" } });
  const made = () =>
    client("GET /api/v1/servers/{id}/databases/{database}", { params: { ...params, database: data.id } });
  const isThere = async () => (await made()).data.status === 1;
  await waitFor("the database to be there", isThere, { timeoutMs: 120_000 });
  return (await made()).data;
}
