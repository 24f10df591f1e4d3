/** The parts of JSON Schema that examples are made from. */
export interface ExampleSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  anyOf?: ExampleSchema[];
  properties?: Record<string, ExampleSchema>;
  items?: ExampleSchema;
  minItems?: number;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  description?: string;
}

/**
 * A value of the schema such as a reader would expect under `name`. A pure function: the document, and what is generated
 * from it, stay the same as long as the routes do. A route's own `examples` are better where the values mean something.
 */
export function exampleOf(schema: ExampleSchema, name = "", parent = ""): unknown {
  if (schema.example !== undefined) return schema.example;
  if ("const" in schema) return schema.const;
  if (schema.enum) return preferred(schema.enum);
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, name, parent);
  switch ([schema.type].flat()[0]) {
    case "object":
      return exampleObject(schema, name);
    case "array":
      return exampleList(schema, name);
    case "integer":
    case "number":
      return exampleNumber(schema, name);
    case "boolean":
      return booleans[name] ?? true;
    case "string":
      return exampleText(schema, name, parent);
    case "null":
      return null;
    default:
      // Anything goes: an object, as most free-form fields are.
      return {};
  }
}

/** The singular of a list's name: `projects` has items named `project`. */
const singular = (name: string): string => name.replace(/s$/, "");

function exampleObject({ properties = {} }: ExampleSchema, name: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, exampleOf(schema, key, name === "data" ? "" : name)]),
  );
}

function exampleList({ items = {}, minItems = 1 }: ExampleSchema, name: string): unknown[] {
  if (emptyLists.has(name)) return [];
  return Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, singular(name)));
}

/** Success states rather than first ones: an example shows what is usual. */
const preferred = (values: readonly unknown[]): unknown =>
  values.find((value) => usual.has(value as string)) ?? values[0];

const usual = new Set(["completed", "connected", "production", "project:read", "mariadb"]);

const booleans: Record<string, boolean> = { maintenance_mode: false, restricted: false, is_pinned: false };

const emptyLists = new Set(["attention", "shared_files"]);

const numbers: Record<string, number> = {
  total_items: 1,
  framework_id: 8,
  ssh_port: 22,
  nat_port: 22,
  server_status: 10,
  status: 1,
  redirect_status_code: 301,
  duration: 12,
  duration_ms: 1_250,
  total_duration_ms: 182_000,
  total: 52,
  completed: 52,
  pending: 0,
  running: 0,
  failed: 0,
  skipped: 0,
  unreported: 0,
  id: 1,
  per_page: 25,
};

const exampleNumber = ({ minimum = 1 }: ExampleSchema, name: string): number => Math.max(numbers[name] ?? 1, minimum);

const commit = "2f1c8f0b6a4d9e3c5b7a1d2e3f405162738495a6";

const texts: Record<string, string> = {
  address: "203.0.113.10",
  admin_url: "https://blog.example.com/wp-admin",
  app_version: "6.8.1",
  branch: "main",
  build: "npm run build",
  cert_key_path: "/etc/longshore/tls/project-1/7/privkey.pem",
  cert_name: "shop.example.com",
  cert_path: "/etc/longshore/tls/project-1/7/fullchain.pem",
  commit_id: commit,
  commit_url: `https://git.example.com/acme/shop/commit/${commit}`,
  connect_command: "mkdir -p ~/.ssh && echo 'ssh-ed25519 AAAA… longshore' >> ~/.ssh/authorized_keys",
  connection_error: "The server did not answer within 10 seconds.",
  country: "DE",
  currency: "EUR",
  custom: "",
  description: "Requested by hand",
  detail: "Installed nginx 1.26.3.",
  dev: "npm run dev",
  directory: "/srv/longshore/projects/1",
  domain: "shop.example.com",
  domain_name: "shop.example.com",
  email: "alice@example.com",
  environment: "production",
  environment_variables: "APP_ENV=production\nAPP_URL=https://shop.example.com",
  error: "The health check was answered with 502.",
  git_branch: "main",
  install: "npm ci",
  ip: "203.0.113.77",
  key: "install-nginx",
  label: "Install nginx",
  max_memory: "512MB",
  message: "Done.",
  notes: "Belongs to the shop team.",
  operating_system: "Debian GNU/Linux 12 (bookworm)",
  phase: "packages",
  port: "20000",
  prefix: "lsh_4fQ9",
  primary_domain: "shop.example.com",
  private_ip: "10.0.0.5",
  project_id: "1",
  public_directory: "public",
  public_ip: "203.0.113.10",
  public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1s longshore",
  repo: "https://git.example.com/acme/shop.git",
  repository: "https://git.example.com/acme/shop.git",
  repository_branch: "main",
  repository_type: "git_host_a",
  role: "Member",
  status: "completed",
  status_label: "Completed",
  timezone: "Europe/Berlin",
  token: "lsh_4fQ9x2LmV7aKdT0sYwBzR5nPcEiGhUjWqXvMtNoS",
};

/** A name depends on what it is the name of. */
const names: Record<string, string> = { server: "web-1", organization: "Acme", framework: "fw_8", step: "nginx" };

const plainTime = "2026-03-01 10:20:30";
const time = "2026-03-01T10:20:30.123456Z";
const uuid = "0b6f5c1e-7f0a-4b6e-9d53-0a1b2c3d4e5f";

function exampleText(schema: ExampleSchema, name: string, parent: string): string {
  const { description = "", pattern = "", minLength = 0 } = schema;
  if (description.includes("YYYY-MM-DD HH:MM:SS")) return plainTime;
  if (isDay(pattern)) return plainTime.slice(0, 10);
  if (description.includes("ISO 8601") || /_at$/.test(name)) return time;
  if (pattern.includes("[0-9a-fA-F]{8}")) return uuid;
  if (name === "name") return names[parent] ?? "Shop";
  if (/_payload$/.test(parent)) return "npm run build";
  const text = texts[name] ?? (name.replaceAll("_", " ") || "text");
  return text.padEnd(minLength, "x");
}

const isDay = (pattern: string): boolean => pattern === "^\\d{4}-\\d{2}-\\d{2}$";
