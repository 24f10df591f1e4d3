import { certificateFiles } from "../../host/certificates/certificate.ts";
import { pathInRelease, projectLayout } from "../../host/layout.ts";
import type { RedirectRule, SiteKind, SiteTls } from "../../host/nginx/model.ts";
import { requestSeconds } from "../../host/php/pool.ts";
import type { ProjectIdentity } from "../../host/project-mark/mark.ts";
import { plannedIn } from "../../http/settings.ts";
import type { RedirectRow, SiteRow } from "../site-records/schema.ts";
import { type Framework, findFramework, frameworks, type KeptPaths } from "./frameworks.ts";
import { phpChoices } from "./php/schema.ts";
import type { ProjectOnServer } from "./plans.ts";
import type { CertificateOnServer, PlacedProject, ProjectRow } from "./schema.ts";
import { type CustomCommands, projectSettings } from "./settings/schema.ts";

/** The data of a project for plans, from its row. */
export function onServer(project: PlacedProject, hasEnvironment: boolean): ProjectOnServer {
  const { site } = project;
  const framework = frameworkOf(project);
  const layout = projectLayout(project.id);
  const { directory, ...commands } = commandsOf(project.custom_commands, framework);
  return {
    layout,
    identity: identityOf(project),
    framework,
    site: {
      layout,
      kind: siteKind(project, framework),
      ...namesOf(site),
      redirects: site.redirects.map(redirectRule),
      tls: tlsOf(project, site.balance ? site.balance.certificate : site.certificate),
      markdownNegotiation: site.markdown_negotiation_enabled,
      maxUploadMb: site.max_upload_mb,
      hsts: site.hsts_is_enabled,
      proxies: [...new Set([...site.load_balancers, ...site.forwarders, ...site.trusted_proxies])],
      balancer: site.balance ? { addresses: site.balance.addresses } : undefined,
      basicAuth: site.basic_auth_user === null ? undefined : site.basic_auth_version,
      hasNamesFile: project.source_type === "app",
      requestSeconds: requestSeconds(project.php.max_execution_seconds),
    },
    php: plannedIn(phpChoices, project.php),
    directory,
    commands,
    ...sharedPaths(project, directory, framework.keeps),
    ...plannedIn(projectSettings, project),
    hasEnvironment,
    // The releases of a catalog app are made and replaced by its own steps.
    writtenFiles:
      project.source_type === "app"
        ? undefined
        : {
            mayGo: project.discard_written_files,
            directories: project.shared_directories,
            files: project.shared_files,
          },
    isHeldBefore: site.balance?.in_maintenance ?? false,
    health: {
      healthPath: project.health_path,
      healthStatuses: project.health_status ?? [],
      healthTimeoutSeconds: project.start_timeout_seconds,
    },
  };
}

/** The names of a site, and where they redirect. */
export const namesOf = (site: SiteRow) => ({
  domains: site.domains.map((domain) => ({
    name: domain.domain_name,
    redirectTo: domain.redirect_to ?? undefined,
    redirectStatus: domain.redirect_status_code ?? undefined,
  })),
  wwwRedirect: site.www_redirect,
  redirectStatus: site.redirect_status_code,
});

export const redirectRule = ({ keeps_query: keepsQuery, ...rule }: RedirectRow): RedirectRule => ({
  ...rule,
  keepsQuery,
});

export const identityOf = ({ created_at: createdAt, placement }: PlacedProject): ProjectIdentity => ({
  createdAt,
  mayAdopt: placement.may_adopt,
});

/** On its load balancer, whose files have marks since the number is claimed there. */
export const onBalancer = ({ created_at: createdAt }: ProjectRow): ProjectIdentity => ({
  createdAt,
  mayAdopt: true,
});

/** Whether its process is replaced on another port, rather than files being swapped under PHP-FPM or nginx. */
export const isNode = (project: ProjectRow): boolean => frameworkOf(project).runtimeFamily === "node";

/** The frameworks for which `isNode` is true. */
export const nodeFrameworks = frameworks.filter(({ runtimeFamily }) => runtimeFamily === "node").map(({ id }) => id);

/** Those of projects that run on PHP. */
export const phpFrameworks = frameworks.filter(({ runtimeFamily }) => runtimeFamily === "php").map(({ id }) => id);

export function frameworkOf(project: Pick<ProjectRow, "framework_id">): Framework {
  const framework = findFramework(project.framework_id);
  if (!framework) throw new Error(`Framework ${project.framework_id} is in no table`);
  return framework;
}

/** All five commands: the user's, else the framework's. */
export function commandsOf(custom: CustomCommands, framework: Framework): Required<CustomCommands> {
  const { install, build, dev, directory } = framework.defaults;
  return {
    install: custom.install || install,
    build: custom.build || build,
    dev: custom.dev || dev,
    directory: custom.directory || directory,
    custom: custom.custom ?? "",
  };
}

/**
 * The user's own shared paths, and the framework's defaults without those that an entry such as `!storage` switches off. An entry
 * that is a default, or lies below one, replaces it.
 */
export function sharedPaths(
  { shared_directories, shared_files }: Pick<ProjectRow, "shared_directories" | "shared_files">,
  directory: string,
  keeps: KeptPaths = { directories: [], files: [] },
): Pick<ProjectOnServer, "sharedDirectories" | "sharedFiles" | "keeps"> {
  const isOff = (entry: string) => entry.startsWith("!");
  const own = (entries: readonly string[]) => entries.filter((entry) => !isOff(entry));
  const named = [...shared_directories, ...shared_files].map((entry) => pathInRelease(entry.replace(/^!/, "")));
  const kept = (paths: readonly string[]) =>
    paths
      .map((path) => pathInRelease(`${directory}/${path}`.replace(/^\/+/, "")) ?? path)
      .filter((path) => !named.some((entry) => entry === path || entry?.startsWith(`${path}/`)));
  return {
    sharedDirectories: own(shared_directories),
    sharedFiles: own(shared_files),
    keeps: { directories: kept(keeps.directories), files: kept(keeps.files) },
  };
}

/** With the certificate, if SSL is enabled and there is one. */
export function tlsOf({ id, site }: PlacedProject, certificate: CertificateOnServer | null): SiteTls | undefined {
  if (!site.ssl_is_enabled || !certificate) return undefined;
  const { version, names, offers_ocsp: stapled } = certificate;
  return { ...certificateFiles(projectLayout(id), version), names, stapled };
}

function siteKind({ id, site, placement }: PlacedProject, framework: Framework): SiteKind {
  const { runtimeFamily: family, assets } = framework;
  if (family === "static") return { family, spa: site.spa_fallback ?? (framework.spa && "detected"), assets };
  if (family === "php") return { family, assets };
  const { port_pair: port } = placement;
  if (port === null) throw new Error(`Project ${id} has no ports`);
  return { family: "node", ports: [port, port + 1] };
}
