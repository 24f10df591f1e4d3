import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { dialectA } from "../../../../test/git-hosts/git-host-a.ts";
import { dialectB } from "../../../../test/git-hosts/git-host-b.ts";
import { dialectC } from "../../../../test/git-hosts/git-host-c.ts";
import { GitHost } from "../../../../test/git-hosts/host.ts";
import type { DeploymentReport, HostAccess } from "../git-host.ts";
import { gitHostApis } from "../git-hosts.ts";

const commit = "c".repeat(40);
const page = "https://panel.example.com/o/1/deployments/12";
const liveUrl = "https://shop.example.com";

const hosts = [
  {
    type: "git_host_a",
    dialect: dialectA,
    label: "GitHub",
    statuses: { queued: "pending", running: "pending", succeeded: "success", failed: "failure", cancelled: "error" },
    deployments: {
      succeeded: ["queued", "in_progress", "success"],
      failed: ["queued", "in_progress", "failure"],
      cancelled: ["queued", "in_progress", "inactive"],
    },
  },
  {
    type: "git_host_b",
    dialect: dialectB,
    label: "GitLab",
    statuses: {
      queued: "pending",
      running: "running",
      succeeded: "success",
      failed: "failed",
      cancelled: "canceled",
    },
    deployments: {
      succeeded: ["running", "success"],
      failed: ["running", "failed"],
      cancelled: ["running", "canceled"],
    },
  },
  {
    type: "git_host_c",
    dialect: dialectC,
    label: "Bitbucket",
    statuses: {
      queued: "INPROGRESS",
      running: "INPROGRESS",
      succeeded: "SUCCESSFUL",
      failed: "FAILED",
      cancelled: "STOPPED",
    },
    // Its list of deployments has those of its own pipelines alone.
    deployments: undefined,
  },
] as const;

const ends = ["succeeded", "failed", "cancelled"] as const;

for (const { type, dialect, label, statuses, deployments } of hosts) {
  describe(`deployments at ${label}`, () => {
    const api = gitHostApis[type];
    const at = { path: "acme/shop", commit };
    let host: GitHost;
    let access: HostAccess;

    before(async () => {
      host = await new GitHost(dialect).listen();
      access = { apiUrl: host.apiUrl, credentials: { token: host.token, username: "bot@example.com" } };
    });
    after(() => host.close());
    beforeEach(() => {
      host.repositories.clear();
      host.addRepository(at.path);
      host.troubles.length = 0;
    });

    const repository = () => host.repositories.get(at.path) ?? assert.fail();
    const reportOf = (state: DeploymentReport["state"], more: Partial<DeploymentReport> = {}): DeploymentReport => ({
      key: page,
      state,
      context: "longshore/Boats & more",
      environment: "Boats & more",
      branch: "main",
      isTag: false,
      description: `It is ${state}`,
      page,
      liveUrl,
      ...more,
    });
    const show = async (report: DeploymentReport) => {
      await api.showStatus(access, at, report);
      await api.showDeployment?.(access, at, report);
    };

    for (const end of ends) {
      it(`show the states up to ${end}, with the page and the reason`, async () => {
        for (const state of ["queued", "running", end] as const) {
          await show(reportOf(state));
          assert.deepEqual(repository().statuses.at(-1), {
            commit,
            name: "longshore/Boats & more",
            state: statuses[state],
            description: `It is ${state}`,
            url: page,
          });
        }
        const listed = repository().deployments;
        assert.deepEqual(
          listed.map(({ states }) => states),
          deployments ? [deployments[end]] : [],
        );
      });
    }

    it("show where a live one is reached", async () => {
      await show(reportOf("running"));
      await show(reportOf("succeeded"));
      const { deployments: listed, environments } = repository();
      const urls = [...listed.map(({ url }) => url), ...environments.values()].filter((url) => url !== undefined);
      assert.deepEqual([...new Set(urls)], deployments ? [liveUrl] : []);
    });

    it("are shown once although each answer is lost and each report repeated", async () => {
      for (const state of ["queued", "running", "succeeded"] as const) {
        for (const line of [/^POST .*status/, /^(POST .*deployments$|PUT)/, /^POST .*statuses$/]) {
          host.troubles.push({ line, trouble: "no answer" });
          await show(reportOf(state)).catch(() => undefined);
          host.troubles.length = 0;
        }
        await show(reportOf(state));
        await show(reportOf(state));
      }
      assert.equal(repository().statuses.at(-1)?.state, statuses.succeeded);
      assert.equal(repository().deployments.length, deployments ? 1 : 0);
      assert.equal(repository().deployments[0]?.states.at(-1), deployments?.succeeded.at(-1));
    });

    it("of the same commit again are others", async () => {
      for (const state of ["queued", "running", "failed"] as const) await show(reportOf(state));
      const again = { key: page.replace("12", "13") };
      for (const state of ["queued", "running", "succeeded"] as const) await show(reportOf(state, again));
      assert.equal(repository().statuses.at(-1)?.state, statuses.succeeded);
      const ended = repository().deployments.map(({ states }) => states.at(-1));
      assert.deepEqual(ended, deployments ? [deployments.failed.at(-1), deployments.succeeded.at(-1)] : []);
    });

    it("are shown with the tag that was deployed, where the host names it", async () => {
      await show(reportOf("running", { branch: "v1", isTag: true }));
      assert.equal(repository().deployments[0]?.ref, label === "GitLab" ? "tag v1" : undefined);
    });

    it("are shown without a page of the console", async () => {
      await show(reportOf("succeeded", { page: undefined }));
      assert.equal(repository().statuses.at(-1)?.url, label === "Bitbucket" ? liveUrl : undefined);
    });

    it("give the reason when the token may not", async () => {
      host.troubles.push({ line: /^POST/, trouble: { status: 403, body: '{"message": "Not for this token"}' } });
      await assert.rejects(show(reportOf("queued")), /may not do this .* status of the commit ccccccc of acme\/shop/);
    });
  });
}
