import type { Static } from "typebox";
import { inSync } from "../../engine/reconcile/target.ts";
import { success } from "../../http/schemas.ts";
import type { ProjectFacetsReply } from "./lists/schema.ts";
import type { DetectionReply, FrameworkList, ProjectPage } from "./schema.ts";

// Examples for the API documentation.

const time = "2026-03-01T10:20:30.123456Z";

const deployment = {
  id: 31,
  status: 1,
  commit_id: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  commit_message: "Show prices with taxes",
  git_branch: "main",
  git_tag: null,
  at: time,
} as const;

export const projectExample: ProjectPage["data"][number] = {
  id: 7,
  name: "Shop",
  url: "https://shop.example.com",
  state: "live",
  server_id: 1,
  server: { id: 1, name: "web-1" },
  framework_id: 8,
  framework: { id: 8, label: "Node.js" },
  project_group_id: 3,
  environment: "production",
  auto_deploy_is_active: 1,
  deploy_tags: "v*",
  installation_status: 1,
  directory: "/srv/longshore/projects/7",
  port: "20000",
  repository_type: "git_host_a",
  source_type: "git",
  app_slug: null,
  app_version: null,
  repository: "acme/shop",
  repository_branch: "main",
  custom_commands: { dev: "npm start", install: "npm ci", build: "npm run build", directory: "", custom: "" },
  zero_downtime: true,
  max_memory: "512MB",
  always_rebuild_frontend: 0,
  shared_directories: ["data"],
  shared_files: [],
  output_directory: null,
  health_path: "/up",
  health_status: [200],
  start_timeout_seconds: 60,
  php_version: null,
  node_version: "22",
  drain_timeout_seconds: 30,
  build_cache: true,
  discard_written_files: false,
  kept_releases_mb: 5_000,
  disk: { releases_bytes: 381_000_000, caches_bytes: 153_000_000, measured_at: time },
  rollback_on_down: false,
  ssl_is_enabled: 1,
  redirect_status_code: 301,
  www_redirect: 1,
  primary_domain: "shop.example.com",
  domains: [
    {
      id: 12,
      domain_name: "shop.example.com",
      is_primary: 1,
      is_active: 1,
      redirect_to: null,
      redirect_status_code: null,
      created_at: time,
    },
  ],
  maintenance_mode: false,
  markdown_negotiation_enabled: false,
  spa_fallback: null,
  max_upload_mb: 100,
  hsts_is_enabled: false,
  trusted_proxies: [],
  basic_auth_user: null,
  web_server_drift: null,
  load_balancer_id: null,
  live_deployment: deployment,
  last_deployment: deployment,
  monitors: { up: 2, down: 0 },
  certificate: { status: 1, expires_at: "2026-05-30" },
  has_pending_changes: false,
  is_pinned: true,
  crash_loops: [],
  notes: null,
  sync: inSync,
  created_at: time,
  updated_at: time,
};

export const projectPageExample: ProjectPage = {
  current_page: 1,
  data: [projectExample],
  per_page: 10,
  total_pages: 1,
  total_items: 1,
};

export const facetsExample: Static<typeof ProjectFacetsReply> = success({
  data: {
    total_items: 12,
    states: [
      { state: "deploying" as const, count: 1 },
      { state: "live" as const, count: 11 },
    ],
    servers: [{ id: 1, name: "web-1", count: 12 }],
    project_groups: [
      { id: null, name: null, count: 10 },
      { id: 3, name: "Shop", count: 2 },
    ],
    environments: [
      { environment: "production" as const, count: 4 },
      { environment: null, count: 8 },
    ],
  },
});

export const frameworkListExample: Static<typeof FrameworkList> = success({
  data: [
    {
      id: 8,
      name: "fw_8",
      label: "Node.js",
      runtime_family: "node",
      defaults: { install: "npm ci", build: "npm run build", dev: "npm start", directory: "" },
      public_directory: "",
      zero_downtime: true,
    },
  ],
});

export const detectionExample: Static<typeof DetectionReply> = success({
  commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
  data: {
    framework: { id: 1, name: "fw_1", label: "Laravel", reason: "composer.json requires laravel/framework." },
    directory: null,
    package_manager: { name: "npm", version: null, reason: "package-lock.json is its lock file." },
    output_directory: null,
    build_command: null,
    start_command: null,
    deployment_script: {
      value: "php artisan migrate --force",
      reason: "database/migrations has migrations of Laravel.",
    },
    node_version: null,
    php_version: { value: "8.4", reason: "require of composer.json asks for PHP ^8.4." },
    health_path: { value: "/up", reason: "bootstrap/app.php of Laravel defines it." },
    shared_directories: null,
    shared_files: {
      value: ["database/database.sqlite"],
      reason: ".env.example chooses SQLite, which Laravel keeps in database.",
    },
    scheduler_jobs: [
      {
        name: "scheduler",
        command: "php artisan schedule:run",
        cron_expression: "* * * * *",
        reason: "routes/console.php schedules commands.",
      },
    ],
    background_jobs: [
      {
        name: "queue",
        command: "php artisan queue:work --tries=3 --max-time=3600",
        reason: ".env.example chooses the queue database, whose jobs a worker runs.",
      },
    ],
    notes: [],
  },
});
