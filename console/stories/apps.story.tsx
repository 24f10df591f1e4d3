import type { ReactNode } from "react";
import type { AppInstallStep, CatalogApp, ProjectReply, Service } from "../../contract/types.ts";
import { type AppFacts, type AppSecrets, appActions, appFacts, installSteps } from "../src/data/apps.ts";
import { me } from "../src/data/me.ts";
import { projectActions } from "../src/data/projects.ts";
import { ApplicationSection, SecretFacts } from "../src/pages/project/app/application-section.tsx";
import { InstallProgress } from "../src/pages/project/app/install-progress.tsx";
import { InstallForm } from "../src/pages/server/apps/install-form.tsx";
import { type InstalledApp, InstalledTable } from "../src/pages/server/apps/installed-section.tsx";
import { CredentialFacts, ServiceList } from "../src/pages/server/services/service-list.tsx";
import { CatalogueList } from "../src/parts/app-catalogue.tsx";
import { InOrganization } from "./in-organization.tsx";

const at = "2026-09-20T10:42:05.000000Z";

const wordpress: CatalogApp = {
  slug: "app_cms",
  name: "WordPress",
  category: "Content management",
  summary: "Websites and blogs, written in the browser.",
  layout: "releases/<n> holds WordPress itself",
  available: true,
  unavailable_reasons: [],
  inputs: [
    { key: "site_title", label: "Title of the site", type: "text", required: false, generated: false },
    { key: "admin_email", label: "Administrator's e-mail address", type: "email", required: false, generated: false },
    { key: "admin_password", label: "Administrator's password", type: "password", required: false, generated: true },
  ],
};
const n8n: CatalogApp = {
  ...wordpress,
  slug: "n8n",
  name: "n8n",
  category: "Automation",
  summary: "Workflows between services, drawn in the browser.",
  available: false,
  unavailable_reasons: ["n8n needs PostgreSQL; web-1 has MariaDB.", "The setup of web-1 has not ended yet."],
};

const app = { id: 1, name: "Blog", app_slug: "app_cms", app_version: "6.9.4", primary_domain: "blog.example.com" };
const installed = [
  { ...app, state: "live", source_type: "app" },
  {
    ...app,
    id: 2,
    name: "مدونة الشركة",
    app_version: null,
    state: "deploying",
    source_type: "app",
    last_deployment: null,
  },
  { ...app, id: 3, name: "The blog of the marketing department, second attempt of September", state: "failed" },
] as InstalledApp[];

const step = (key: string, label: string, status: AppInstallStep["status"], detail: string | null = null) => ({
  ...{ key, label, status, detail, position: 1 },
  duration_ms: status === "completed" || status === "failed" ? 4_200 : 0,
});
const steps: AppInstallStep[] = [
  step("requirements", "Check the requirements", "completed", "WordPress 7.0.1 will be installed."),
  step("database", "Create the database", "skipped"),
  step("site", "Prepare the site", "completed", ""),
  step(
    "download",
    "Download and verify",
    "failed",
    "wordpress-7.0.1.tar.gz could not be downloaded:\ncurl: (28) Timeout",
  ),
  step("configure", "Configure", "pending"),
];

const facts: AppFacts = {
  app_slug: "app_cms",
  app_name: "WordPress",
  app_version: "6.9.4",
  admin_url: "https://blog.example.com/wp-admin/",
  updatable: true,
  engine: "mariadb",
  automatic_updates: "minor",
  update_available: "7.0.1",
  update_is_security: true,
  last_update: { state: "failed", version: "7.0.1", error: "The page / did not answer with <html.", ended_at: at },
};
const adminer: AppFacts = {
  ...facts,
  ...{ app_name: "Adminer", app_version: "5.4.1", engine: null, updatable: false, update_available: null },
  last_update: null,
};

const secrets: AppSecrets = {
  credentials: {
    admin_username: { label: "User name", value: "admin", secret: false },
    admin_password: { label: "Password", value: "hK3-Zr8_vQ0pLw2-xT5yBn7d", secret: true },
  },
  database: {
    ...{ engine: "mariadb", name: "app_1", username: "app_1", host: "localhost" },
    password: "a-password-that-is-so-long-that-it-does-not-fit-into-one-line-of-a-phone",
  },
};

const service = { ports: [], state: null, has_credentials: false };
const services: Service[] = [
  { ...service, name: "nginx", label: "nginx", version: "1.26.3", ports: [80, 443], state: "active" },
  { ...service, name: "php", label: "PHP", version: "8.4.1" },
  { ...service, name: "redis", label: "Redis", version: null, ports: [6379], state: "failed" },
  {
    ...{ name: "mariadb", label: "MariaDB", version: "11.4.2", ports: [3306] },
    ...{ state: "unknown", has_credentials: true },
  },
];

const permissions = ["project:update", "project:create", "server:update"];
const project = { id: 1, name: "Blog", source_type: "app", installation_status: 2 } as ProjectReply;
const allowed = { is_allowed: true, reason: null, status: null, message: null };
const refused = { is_allowed: false, reason: "not_updatable", status: 422 };
const updateOf = (is: AppFacts) =>
  is.updatable ? allowed : { ...refused, message: `${is.app_name} cannot be updated in place.` };

const Page = ({ is = facts, children }: { is?: AppFacts; children: ReactNode }) => (
  <InOrganization
    known={[
      [me(1).queryKey, { data: { organization: { permissions } } }],
      [appFacts(1, 1).queryKey, is],
      [appActions(1, 1).queryKey, { data: { update: updateOf(is), change: allowed } }],
      [projectActions(1, 1).queryKey, { data: { retry_installation: allowed } }],
      [installSteps(1, 1).queryKey, { data: { installation_status: 2, steps } }],
    ]}
  >
    {children}
  </InOrganization>
);

export const states = {
  catalog: () => (
    <Page>
      <CatalogueList apps={[wordpress, n8n]} hrefOf={(slug) => `/o/1/servers/1/apps?app=${slug}`} />
    </Page>
  ),
  "catalog for a viewer": () => <CatalogueList apps={[wordpress, n8n]} hrefOf={undefined} />,
  installed: () => (
    <Page>
      <InstalledTable apps={installed} nameOf={() => "WordPress"} />
    </Page>
  ),
  "what an installation asks": () => (
    <Page>
      <InstallForm app={wordpress} serverId={1} disabledReason={undefined} />
    </Page>
  ),
  "installation that failed": () => (
    <Page>
      <InstallProgress project={project} />
    </Page>
  ),
  "application with an update": () => (
    <Page>
      <ApplicationSection project={project} />
    </Page>
  ),
  "application that is being updated": () => (
    <Page is={{ ...facts, last_update: { state: "running", version: "7.0.1", error: null, ended_at: null } }}>
      <ApplicationSection project={project} />
    </Page>
  ),
  "application without updates": () => (
    <Page is={adminer}>
      <ApplicationSection project={project} />
    </Page>
  ),
  "credentials of an application": () => <SecretFacts secrets={secrets} />,
  services: () => (
    <Page>
      <ServiceList services={services} serverId={1} />
    </Page>
  ),
  "credentials of a service": () => (
    <CredentialFacts
      credentials={{ host: "10.0.0.7", port: 3306, database: "app", username: "app", password: "hK3" }}
    />
  ),
};
