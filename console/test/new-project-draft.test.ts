import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { emptyDraft, nameOf, requestOf, withDetected } from "../src/pages/new-project/draft.ts";

const { values: empty } = emptyDraft;
const nothing = {
  framework: null,
  directory: null,
  package_manager: null,
  output_directory: null,
  build_command: null,
  start_command: null,
  deployment_script: null,
  node_version: null,
  php_version: null,
  health_path: null,
  shared_directories: null,
  shared_files: null,
  scheduler_jobs: [],
  background_jobs: [],
  notes: [],
};

describe("the draft of a new project", () => {
  it("is named after its repository, however that is written", () => {
    for (const repository of ["https://git.example.com/acme/shop.git", "acme/shop", "git@host:shop.git", " a/shop/ "]) {
      assert.equal(nameOf(repository), "shop", repository);
    }
  });

  it("takes over what was detected, and forgets what another source had", () => {
    const found = { ...nothing, directory: { value: "apps/web", reason: "The only application." } };
    const values = withDetected({ ...empty, repository: "acme/shop", build: "make", node_version: "20" }, found);
    assert.deepEqual([values.directory, values.build, values.node_version, values.name], ["apps/web", "", "", "shop"]);
    assert.equal(withDetected({ ...empty, name: "Mine" }, nothing).name, "Mine");
  });

  it("sends only commands that differ from the framework's, and no empty environment", () => {
    const values = { ...empty, framework_id: 5, server_id: 1, build: "make", shared_directories: "a\n\n b \n" };
    const request = requestOf(values, " \n");
    assert.deepEqual(request.custom_commands, { build: "make" });
    assert.deepEqual(request.shared_directories, ["a", "b"]);
    assert.equal("environment_variables" in request, false);
    assert.equal(requestOf(values, "A=1").environment_variables, "A=1");
  });
});
