import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Answer } from "../../contract/client.ts";
import type { ProjectUpdate } from "../../contract/types.ts";
import { logTail } from "../../stage/api-client.ts";
import { deployToEnd, install, lengthy, openStage, type Project, type Stage } from "../../stage/support.ts";

// Every value in a field that reaches the server is data there or is refused; it never runs. Each hostile value would
// create this file if it did.
const canary = "/var/tmp/canary";
const touch = `touch ${canary}`;

const hostile: readonly string[] = [
  `$(${touch})`,
  `\`${touch}\``,
  `; ${touch}`,
  `;${touch};`,
  `& ${touch} &`,
  `&& ${touch}`,
  `|| ${touch}`,
  `| ${touch}`,
  `\n${touch}\n`,
  `\r\n${touch}\r\n`,
  `'; ${touch}; '`,
  `"; ${touch}; "`,
  `' $(${touch}) '`,
  `" $(${touch}) "`,
  `'"'"'$(${touch})'"'"'`,
  `\\'; ${touch} #`,
  `\\"; ${touch} #`,
  `\${IFS}${touch}`,
  `$(${touch.replace(" ", "$IFS")})`,
  `<(${touch})`,
  `>${canary}`,
  `> ${canary} #`,
  `>>${canary}`,
  `-h`,
  `--help`,
  `--upload-pack=${touch}`,
  `--exec=${touch}`,
  `-oProxyCommand=${touch}`,
  `-c core.sshCommand='${touch}'`,
  `ext::sh -c ${touch.replace(" ", "% ")}`,
  `file:///etc/passwd`,
  `../../../../etc/passwd`,
  `..`,
  `/etc/passwd`,
  `~root`,
  `*`,
  `?[a-z]{a,b}`,
  `!!`,
  `#${touch}`,
  `a b`,
  `a\tb`,
  `a\\`,
  `$HOME`,
  `%n%s%x`,
  `\u001b]0;${touch}\u0007`,
  `é\u0301 日本 🚢`,
  `\u202egnp.exe`,
  `} location / { root /; } #`,
  `; return 200 "${canary}"; #`,
  `\u0000`,
  `a\u0000b`,
];

let stage: Stage;
let site: Project;

before(async () => {
  stage = await openStage("hostile");
  site = await install(stage, { name: "site", files: { "index.html": "untouched" } });
}, lengthy);

after(() => stage?.close());

const nothingRan = async (): Promise<void> =>
  assert.equal(
    await stage.bash(`ls ${canary} 2>/dev/null || true; find /srv /root / -maxdepth 1 -name '*canary*'`),
    "",
  );

type Asked = Answer<"PUT /api/v1/projects/{id}" | "PUT /api/v1/projects/{id}/environment-variables">;

interface Entry {
  field: string;
  /** The request that sets it on a project. */
  ask: (project: Project, value: string) => Promise<Asked>;
  /** The request that sets it to several values, for fields that take them: one deployment tries all. */
  askAll?: (project: Project, values: string[]) => Promise<Asked>;
  /** Whether a project with an accepted value can also be deployed; a source that does not exist cannot. */
  deploys: boolean;
}

const update = ({ id }: Project, body: ProjectUpdate) =>
  stage.client.answer("PUT /api/v1/projects/{id}", { params: { id }, body });
const updateVariables = ({ id }: Project, environment_variables: string) =>
  stage.client.answer("PUT /api/v1/projects/{id}/environment-variables", {
    params: { id },
    body: { environment_variables },
  });
const updateSource = (project: Project, repo: string, branch = "main") =>
  update(project, { git_repository: { type: "git", repo, branch } });

const entries: Entry[] = [
  { field: "name", deploys: true, ask: (project, name) => update(project, { name }) },
  { field: "branch", deploys: false, ask: (project, value) => updateSource(project, stage.git.urlOf("site"), value) },
  { field: "repository", deploys: false, ask: (project, value) => updateSource(project, value) },
  {
    field: "repository's path",
    deploys: false,
    ask: (project, value) => updateSource(project, `${stage.git.url}/${value}`),
  },
  {
    // A name for which no server answers.
    field: "repository over SSH",
    deploys: false,
    ask: (project, value) => updateSource(project, `git@git.invalid:${value}`),
  },
  {
    field: "directory",
    deploys: false,
    ask: (project, directory) => update(project, { custom_commands: { directory } }),
  },
  {
    field: "shared directory",
    deploys: true,
    ask: (project, path) => update(project, { shared_directories: [path] }),
    askAll: (project, paths) => update(project, { shared_directories: paths }),
  },
  {
    field: "shared file",
    deploys: true,
    ask: (project, path) => update(project, { shared_files: [path] }),
    askAll: (project, paths) => update(project, { shared_files: paths }),
  },
  { field: "variable's name", deploys: true, ask: (project, value) => updateVariables(project, `${value}=1`) },
  {
    field: "variable's value",
    deploys: true,
    ask: (project, value) => updateVariables(project, `VALUE=${value}`),
    askAll: (project, values) => updateVariables(project, values.map((value, n) => `VALUE_${n}=${value}`).join("\n")),
  },
  { field: "memory", deploys: true, ask: (project, value) => update(project, { max_memory: value }) },
];

/** Sets the field to each value and deploys with the accepted ones; returns their number. */
async function tryAll({ ask, askAll, deploys }: Entry, project: Project): Promise<number> {
  const accepted: string[] = [];
  for (const value of hostile) {
    const what = JSON.stringify(value);
    const { ok, status, body } = await ask(project, value);
    if (!ok && status === 422) {
      assert.ok(Object.keys(body.errors ?? {}).length > 0, what);
      continue;
    }
    assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`);
    accepted.push(value);
    if (!askAll) await deployWith(what, project, deploys);
  }
  if (askAll) {
    const { status, body } = await askAll(project, accepted);
    assert.equal(status, 200, JSON.stringify(body));
    await deployWith("all of them", project, deploys);
  }
  return accepted.length;
}

async function deployWith(what: string, project: Project, deploys: boolean): Promise<void> {
  const ended = await deployToEnd(stage, project);
  if (deploys) assert.equal(ended.status, 1, `${what}: ${ended.error}\n${logTail(ended)}`);
  else if (ended.status !== 1) assert.match(ended.error ?? "", /\S/, what);
}

describe(`${hostile.length} hostile values`, () => {
  for (const [n, entry] of entries.entries()) {
    it(`as ${entry.field} are data on the server or refused`, lengthy, async (t) => {
      const files = { "index.html": "of a victim", "package.json": "{}" };
      const project = await install(stage, { name: `victim-${n}`, files });
      t.diagnostic(`${await tryAll(entry, project)} accepted`);
      await nothingRan();
    });
  }

  it("as domain are refused", async () => {
    const git = { type: "git" as const, repo: stage.git.urlOf("site"), branch: "main" };
    const common = { name: "never", server_id: stage.serverId, framework_id: 10, git_repository: git };
    for (const domain of hostile) {
      const { status } = await stage.client.answer("POST /api/v1/projects", { body: { ...common, domain } });
      assert.equal(status, 422, JSON.stringify(domain));
    }
  });

  it("as values of environment variables arrive in a build byte for byte", async () => {
    // In the notation of .env: double quotes, with special characters escaped.
    const values = hostile.filter((value) => !/[\0\r]/.test(value));
    const quoted = values.map((value) => `"${value.replace(/[\\"$]/g, "\\$&").replaceAll("\n", "\\n")}"`);
    const text = quoted.map((value, n) => `V${n}=${value}`).join("\n");
    const show = `for ((n = 0; n < ${values.length}; n++)); do v=V$n; printf %s "\${!v}" | base64 -w 0; echo; done`;
    const project = await install(stage, {
      name: "values",
      files: { "index.html": "of values" },
      commands: { build: show },
      more: { environment_variables: text },
    });
    const ended = await deployToEnd(stage, project);
    assert.equal(ended.status, 1, ended.error ?? "");
    const seen = ended.output?.client_payload.map((line) => Buffer.from(line, "base64").toString());
    assert.deepEqual(seen, values);
    await nothingRan();
  });

  it("leave the project beside them as it was", async () => {
    const ended = await deployToEnd(stage, site);
    assert.equal(ended.status, 1, ended.error ?? "");
  });
});
