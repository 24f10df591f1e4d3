import type { DomainAdded } from "../contract/types.ts";
import { mustRun } from "../sandbox/command.ts";
import { enterCommand } from "../sandbox/sandbox.ts";
import { projectLayout } from "../src/host/layout.ts";
import type { SiteKind } from "../src/host/nginx/model.ts";
import { nginxSite } from "../src/host/nginx/site.ts";
import { createProject, installed, type SampleProject, visit } from "../stage/projects.ts";
import { type Benchmark, type Measurement, median, type Session, secondsOf } from "./benchmark.ts";
import { prepareStage, type Stage } from "./stage.ts";

const sites = 1_000;
const rounds = 11;
/** Ids of projects that exist only as sites on the server, far from the platform's ids. */
const firstId = 100_000;

export const sitesBenchmark: Benchmark = {
  name: "sites",
  what: `how long publishing one of ${sites.toLocaleString("en-US")} projects of a server takes, its nginx's reload, and nginx's memory`,
  comparedTo: "the same project alone on its server",
  async run(session) {
    const stage = await prepareStage(session);
    const project = await createProject({ ...stage, kind: "static" });
    await installed(stage.platform.client, project);
    const alone = await measure(session, stage, project, "alone");
    session.update(`setting up ${sites - 1} sites`);
    await setUpSites(stage, "http");
    const http = await measure(session, stage, project, "over HTTP");
    session.update(`making ${sites - 1} certificates`);
    await setUpSites(stage, "https");
    const https = await measure(session, stage, project, "with a certificate each");
    return {
      measurements: [...measurementsOf("over HTTP", http, alone), ...measurementsOf("over HTTPS", https, alone)],
      failures: [],
    };
  },
};

interface Measured {
  publish: number[];
  reload: number[];
  memory: number;
}

async function measure(session: Session, stage: Stage, project: SampleProject, how: string): Promise<Measured> {
  session.update(`${how}: publishing`);
  const publish: number[] = [];
  for (let at = 1; at <= rounds; at++) publish.push(await publishOne(stage, project, `${at}.${slug(how)}.localhost`));
  session.update(`${how}: reloading`);
  const reload = (await bash(stage, reloads))
    .trim()
    .split("\n")
    .map((ms) => Number(ms) / 1000);
  return { publish, reload, memory: Number(await bash(stage, memory)) };
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]+/g, "-");

/** From the request for a new domain until it is answered; then visitors have to get the project there. */
async function publishOne(
  { platform: { client }, server }: Stage,
  { id }: SampleProject,
  domain: string,
): Promise<number> {
  let added: DomainAdded | undefined;
  const seconds = await secondsOf(async () => {
    added = await client("POST /api/v1/projects/{id}/domains", { params: { id }, body: { domain } });
  });
  const { status } = await visit({ address: server.address, host: domain });
  if (!added?.nginx_response?.ok || status !== 200) throw new Error(`${domain} is answered with ${status}.`);
  await client("DELETE /api/v1/projects/{projectId}/domains/{domainId}", {
    params: { projectId: id, domainId: added.domain.id },
  });
  return seconds;
}

const bash = async ({ server }: Stage, script: string): Promise<string> =>
  mustRun([...(await enterCommand(server.name)), "bash", "-euo", "pipefail"], { input: script });

// From the signal until no old worker accepts requests: its title shows that it is shutting down, or it is gone.
const reloads = `
  master=$(cat /run/nginx.pid)
  title_of() { tr '\\0' '\\n' < "/proc/$1/cmdline" 2> /dev/null | head -n 1; }
  for ((round = 0; round < ${rounds}; round++)); do
    former=$(pgrep -P "$master")
    began=$EPOCHREALTIME
    systemctl reload nginx.service
    for worker in $former; do
      while title=$(title_of "$worker") && [[ -n $title && $title != *'shutting down'* ]]; do sleep 0.005; done
    done
    echo "$(((\${EPOCHREALTIME/./} - \${began/./}) / 1000))"
    sleep 0.5
  done`;

// Only of the remaining processes: those that a reload replaces are gone soon. Shared pages are counted once.
const memory = `
  while pgrep -f 'nginx: worker process is shutting down' > /dev/null; do sleep 0.2; done
  total=0
  for process in $(pgrep -x nginx); do
    total=$((total + $(sed -n 's/^Pss: *\\([0-9]*\\) kB/\\1/p' "/proc/$process/smaps_rollup")))
  done
  echo "$((total / 1024))"`;

const kinds: readonly SiteKind[] = [
  { family: "static", spa: false },
  { family: "php" },
  { family: "node", ports: [3_000, 3_001] },
];

/**
 * Puts the sites of projects on the server as a publication writes them, a third of each family, with the folders that they name.
 * Their releases are missing: the amount that nginx has to read and keep does not depend on these.
 */
async function setUpSites(stage: Stage, scheme: "http" | "https"): Promise<void> {
  const ids = Array.from({ length: sites - 1 }, (_, at) => firstId + at);
  const commands = ids.map((id) => {
    const { siteAvailable, siteEnabled, logs, state, certificates } = projectLayout(id);
    return [
      `mkdir -p ${logs} ${state}`,
      scheme === "https" ? certificate(certificates) : "",
      `cat > ${siteAvailable} << 'END OF SITE'\n${siteOf(id, scheme)}END OF SITE`,
      `ln -sf ${siteAvailable} ${siteEnabled}`,
    ].join("\n");
  });
  await bash(stage, `${commands.join("\n")}\nulimit -Sn "$(ulimit -Hn)"\nnginx -t -q\nsystemctl reload nginx.service`);
}

const certificate = (directory: string): string => `
  mkdir -p ${directory}
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj /CN=site \\
    -keyout ${directory}/key.pem -out ${directory}/chain.pem 2> /dev/null`;

function siteOf(id: number, scheme: "http" | "https"): string {
  const layout = projectLayout(id);
  const name = `site-${id}.localhost`;
  const { certificates: directory } = layout;
  const tls = { certificate: `${directory}/chain.pem`, key: `${directory}/key.pem`, names: [name] };
  const kind = kinds[id % kinds.length] as SiteKind;
  return nginxSite({
    layout,
    kind,
    domains: [{ name }],
    wwwRedirect: 0,
    redirectStatus: 301,
    ...(scheme === "https" ? { tls } : {}),
  });
}

function measurementsOf(how: string, { publish, reload, memory }: Measured, alone: Measured): Measurement[] {
  const compared = (value: number) => [{ to: "alone", value }];
  const of = (values: number[], what: string, other: number[]): Measurement => ({
    what: `${how}: ${what}, median of ${rounds}`,
    unit: "s",
    value: median(values),
    compared: compared(median(other)),
  });
  return [
    of(publish, "publishing a domain, from the request until it is served", alone.publish),
    of(reload, "nginx's reload", alone.reload),
    { what: `${how}: nginx's memory (PSS)`, unit: "MB", value: memory, compared: compared(alone.memory) },
  ];
}
