import { useState } from "react";
import type { Framework } from "../../contract/types.ts";
import type { Detection } from "../src/data/new-project.ts";
import { BuildFields } from "../src/pages/new-project/build-fields.tsx";
import { emptyDraft, type Values, withDetected } from "../src/pages/new-project/draft.ts";
import { SourceSummary } from "../src/pages/new-project/source-summary.tsx";

const detection: Detection = {
  framework: { id: 6, name: "nuxt", label: "Nuxt", reason: "package.json depends on nuxt." },
  directory: { value: "apps/web", reason: "It is the only application of the workspace." },
  package_manager: { name: "pnpm", version: "9.1.0", reason: "pnpm-lock.yaml is its lock file." },
  output_directory: null,
  build_command: { value: "pnpm run build:production", reason: "It is a script of package.json." },
  start_command: null,
  deployment_script: null,
  node_version: null,
  php_version: null,
  health_path: { value: "/healthz", reason: "server/routes/healthz.ts answers to it." },
  shared_directories: { value: ["storage/uploads"], reason: "nuxt.config.ts writes uploads there." },
  shared_files: null,
  scheduler_jobs: [],
  background_jobs: [{ name: "worker", command: "node worker.js", reason: "It is a line of the Procfile." }],
  notes: [
    ".nvmrc asks for Node 16, and 18 is the oldest that can be installed. Set the project's Node version (node_version).",
  ],
};

const frameworks: Framework[] = [
  {
    ...{ id: 6, name: "nuxt", label: "Nuxt", runtime_family: "node", public_directory: "", zero_downtime: true },
    defaults: { install: "pnpm install", build: "pnpm run build", dev: "node .output/server/index.mjs", directory: "" },
  } as Framework,
];

const source = { ...emptyDraft.values, repository: "https://git.example.com/acme/shop.git", branch: "main" };

export const states = {
  "a source and what was found in it": () => (
    <SourceSummary
      values={source}
      detection={detection}
      refusal={undefined}
      isPending={false}
      onChange={() => {}}
      onDetect={() => {}}
    />
  ),
  "a source that could not be read": () => (
    <SourceSummary
      values={source}
      detection={null}
      refusal="The server takes too long to read the repository."
      isPending={false}
      onChange={() => {}}
      onDetect={() => {}}
    />
  ),
  "what was detected": () => <Build />,
};

function Build() {
  const [values, setValues] = useState<Values>(withDetected(source, detection));
  const set = (changed: Partial<Values>) => setValues((now) => ({ ...now, ...changed }));
  return <BuildFields values={values} set={set} detection={detection} frameworks={frameworks} />;
}
