import type { Static } from "typebox";
import { inSync } from "../../engine/reconcile/target.ts";
import { success } from "../../http/schemas.ts";
import type { DetectionReply, FrameworkList, ProjectPage } from "./schema.ts";

// Examples for the API documentation.

const time = "2026-03-01T10:20:30.123456Z";

export const projectExample: Static<typeof ProjectPage>["data"][number] = {
  id: 7,
  name: "Shop",
  server_id: 1,
  framework_id: 8,
  project_group_id: 3,
  environment: "production",
  auto_deploy_is_active: 1,
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
  crash_loops: [],
  notes: null,
  sync: inSync,
  created_at: time,
  updated_at: time,
};

export const projectPageExample: Static<typeof ProjectPage> = {
  current_page: 1,
  data: [projectExample],
  per_page: 10,
  total_pages: 1,
  total_items: 1,
};

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
