import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Framework, ProjectReply } from "../../contract/types.ts";
import { updateOf, valuesOf } from "../src/pages/project/settings/values.ts";

const framework = {
  defaults: { install: "npm ci", build: "npm run build", dev: "npm start", directory: "" },
} as Framework;
const project = {
  name: "Shop",
  notes: null,
  project_group_id: null,
  environment: null,
  repository: "acme/shop",
  repository_branch: "main",
  auto_deploy_is_active: 0,
  deploy_tags: "v*",
  framework_id: 8,
  custom_commands: { install: "npm ci", build: "npm run shop", dev: "npm start", directory: "", custom: "" },
  output_directory: null,
  php_version: null,
  node_version: null,
  shared_directories: ["uploads", "cache"],
  shared_files: [],
  zero_downtime: true,
  health_path: "/",
  max_memory: null,
  always_rebuild_frontend: 0,
  build_cache: true,
  discard_written_files: false,
  kept_releases_mb: 5000,
  health_status: null,
  start_timeout_seconds: 60,
  drain_timeout_seconds: 30,
  max_upload_mb: 100,
  hsts_is_enabled: false,
  trusted_proxies: [],
  redirect_status_code: 301,
  spa_fallback: null,
  markdown_negotiation_enabled: false,
  rollback_on_down: false,
} as unknown as ProjectReply;

describe("the settings of a project", () => {
  const values = valuesOf(project, framework);

  it("show a command of the framework as an empty one", () => {
    assert.equal(values.install, "");
    assert.equal(values.build, "npm run shop");
  });

  it("send only what was changed, under the API's names", () => {
    const edited = { ...values, branch: " next ", build: "", name: "Store" };
    assert.deepEqual(updateOf(edited, ["branch", "build", "name"]), {
      git_repository: { branch: "next" },
      custom_commands: { build: "" },
      name: "Store",
    });
  });

  it("send numbers as numbers, and what is none as it was typed", () => {
    const edited = { ...values, max_upload_mb: " 250 ", kept_releases_mb: "much", health_status: "200, 204" };
    assert.deepEqual(updateOf(edited, ["max_upload_mb", "kept_releases_mb", "health_status"]), {
      max_upload_mb: 250,
      kept_releases_mb: "much",
      health_status: [200, 204],
    });
    assert.deepEqual(updateOf({ ...values, health_status: " " }, ["health_status"]), { health_status: null });
  });

  it("send lists as lists, and what was emptied as null", () => {
    const edited = {
      ...values,
      shared_directories: "uploads\n\n  media ",
      node_version: "",
      environment: null,
      deploy_tags: "",
    };
    assert.deepEqual(updateOf(edited, ["shared_directories", "node_version", "environment", "deploy_tags"]), {
      shared_directories: ["uploads", "media"],
      node_version: null,
      environment: null,
      deploy_tags: null,
    });
  });
});
