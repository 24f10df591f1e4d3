import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Authority, environmentOf, startAuthority } from "../../stage/pebble.ts";
import { shownCertificate } from "../../stage/secure-visitors.ts";
import { lengthy } from "../../stage/support.ts";
import { type AppsStage, beginInstall, detailsOf, installEnd, openAppsStage } from "./apps-support.ts";

// An application whose name already points to the server gets its certificate during the installation.

const domain = "secure.example.test";
let directory: string;
let authority: Authority;
let stage: AppsStage;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-apps-tls-"));
  authority = await startAuthority({ directory: join(directory, "authority") });
  stage = await openAppsStage("apps-tls", environmentOf(authority));
  await authority.pointAll(stage.server.address);
}, lengthy);

after(async () => {
  await stage?.close();
  await authority?.close();
  await rm(directory, { recursive: true, force: true });
});

describe("an application whose name points to the server", () => {
  it("is served over HTTPS when its installation ends", lengthy, async () => {
    stage.mirror.offer("app_cms", [stage.wordpress.former]);
    const id = await beginInstall(stage, { name: "S", domain, app_slug: "app_cms" });
    const ended = await installEnd(stage, id);
    assert.equal(ended.installation_status, 1, JSON.stringify(ended.steps));
    const certificate = ended.steps.find(({ key }) => key === "certificate");
    assert.equal(certificate?.detail, "The site is served over HTTPS.");
    assert.ok(await shownCertificate(stage.server.address, domain));
    assert.equal((await detailsOf(stage, id)).admin_url, `https://${domain}/wp-admin/`);
    const page = await stage.bash(`curl -sk --resolve ${domain}:443:127.0.0.1 https://${domain}/`);
    // WordPress's own links point to the HTTPS site.
    assert.match(page, /https:\/\/secure\.example\.test\/wp-/);
    assert.doesNotMatch(page, /http:\/\/secure\.example\.test\/wp-/);
  });

  it("is warned of in the log when checksums are switched off", async () => {
    assert.match(await readFile(stage.platform.logFile, "utf8"), /"level":"warn".*without comparing checksums/);
  });
});
