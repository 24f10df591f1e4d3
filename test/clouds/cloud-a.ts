import { type Answer, type Asked, Cloud, type CloudOptions, pageOf } from "./cloud.ts";

// Hetzner Cloud: https://docs.hetzner.cloud. A test compares its answers with what the provider promises
// (src/providers/cloud/tests/descriptions.ts). Prices are illustrative.

export const tokenA = "a".repeat(64);

interface ServerState {
  id: number;
  name: string;
  status: string;
  created: string;
  labels: Record<string, string>;
  location: string;
  serverType: string;
  image: number;
  firewalls: number[];
  networks: number[];
  isProtected: boolean;
  looks: number;
  publicIp: string | null;
  primaryIps: number[];
  userData: string;
  /** Of its own disk: a resize keeps it. */
  disk: number;
}

interface ActionState {
  id: number;
  command: string;
  server: number;
  looks: number;
  /** It ends as failed, for this reason. */
  problem: string | undefined;
}

interface FirewallState {
  id: number;
  name: string;
  created: string;
  labels: Record<string, string>;
  rules: Record<string, unknown>[];
}

interface ImageState {
  id: number;
  description: string;
  created: string;
  labels: Record<string, string>;
  status: string;
  from: number;
  looks: number;
  disk: number;
  architecture: "x86" | "arm";
}

const locations = [
  { id: 1, name: "fsn1", city: "Falkenstein", country: "DE", network_zone: "eu-central" },
  { id: 3, name: "hel1", city: "Helsinki", country: "FI", network_zone: "eu-central" },
  { id: 4, name: "ash", city: "Ashburn, VA", country: "US", network_zone: "us-east" },
].map((each) => ({ ...each, description: each.city, latitude: 50.4, longitude: 12.3 }));

const priceOf = (location: string, net: string) => {
  const gross = (Number(net) * 1.19).toFixed(10);
  const hourly = { net: (Number(net) / 624).toFixed(10), gross: (Number(gross) / 624).toFixed(10) };
  return {
    location,
    price_hourly: hourly,
    price_monthly: { net: Number(net).toFixed(10), gross },
    included_traffic: 21_990_232_555_520,
    price_per_tb_traffic: { net: "1.0000000000", gross: "1.1900000000" },
  };
};

interface Sold {
  id: number;
  name: string;
  architecture: "x86" | "arm";
  cores: number;
  memory: number;
  disk: number;
  price: string;
  places: { name: string; available: boolean; deprecation: { announced: string; unavailable_after: string } | null }[];
}

const there = (name: string, available = true) => ({ name, available, deprecation: null });
const past = { announced: "2025-01-01T00:00:00Z", unavailable_after: "2025-06-01T00:00:00Z" };

const sold: Sold[] = [
  {
    id: 1,
    name: "cx11",
    architecture: "x86",
    cores: 1,
    memory: 2,
    disk: 20,
    price: "3.29",
    places: [{ ...there("fsn1"), deprecation: past }],
  },
  {
    id: 104,
    name: "cx23",
    architecture: "x86",
    cores: 2,
    memory: 4,
    disk: 40,
    price: "3.49",
    places: [there("fsn1"), there("hel1")],
  },
  {
    id: 105,
    name: "cx33",
    architecture: "x86",
    cores: 4,
    memory: 8,
    disk: 80,
    price: "5.49",
    places: [there("fsn1"), there("hel1")],
  },
  {
    id: 106,
    name: "cx53",
    architecture: "x86",
    cores: 16,
    memory: 32,
    disk: 320,
    price: "17.49",
    places: [there("fsn1", false)],
  },
  { id: 45, name: "cax11", architecture: "arm", cores: 2, memory: 4, disk: 40, price: "3.79", places: [there("fsn1")] },
  { id: 110, name: "cpx11", architecture: "x86", cores: 2, memory: 2, disk: 40, price: "4.99", places: [there("ash")] },
];

const serverType = ({ places, price, ...type }: Sold) => ({
  ...type,
  description: type.name.toUpperCase(),
  category: "cost_optimized",
  cpu_type: "shared",
  storage_type: "local",
  prices: places.map(({ name }) => priceOf(name, price)),
  locations: places.map((place, at) => ({ id: at + 1, recommended: place.available, ...place })),
});

const systemImages = ["22.04", "24.04", "26.04"].flatMap((version, at) =>
  (["x86", "arm"] as const).map((architecture, index) => ({
    id: 100 + at * 2 + index,
    type: "system",
    status: "available",
    name: `ubuntu-${version}`,
    description: `Ubuntu ${version}`,
    image_size: null,
    disk_size: 5,
    created: "2026-05-01T00:00:00Z",
    created_from: null,
    bound_to: null,
    os_flavor: "ubuntu",
    os_version: version,
    rapid_deploy: true,
    protection: { delete: false },
    deprecation: null,
    deleted: null,
    labels: {},
    architecture,
  })),
);

const subnet = {
  type: "cloud",
  ip_range: "10.0.0.0/24",
  network_zone: "eu-central",
  gateway: "10.0.0.1",
  vswitch_id: null,
};

const networks = [
  {
    id: 4711,
    name: "backend",
    ip_range: "10.0.0.0/16",
    subnets: [subnet],
    routes: [],
    servers: [],
    load_balancers: [],
    protection: { delete: false },
    labels: {},
    created: "2026-05-01T00:00:00Z",
    expose_routes_to_vswitch: false,
  },
];

export const refuseA = (status: number, code: string, message: string, details: unknown = null): Answer => ({
  status,
  body: { error: { code, message, details } },
});
const refuse = refuseA;

const missing = (what: string): Answer => refuse(404, "not_found", `${what} not found`);

const badField = (name: string, message: string): Answer =>
  refuse(422, "invalid_input", `invalid input in field '${name}'`, { fields: [{ name, messages: [message] }] });

const systems: Record<string, string> = { "22.04": "ubuntu_22_04", "24.04": "ubuntu_24_04", "26.04": "ubuntu_26_04" };
const mostUserData = 32 * 1024;

export class CloudA extends Cloud {
  readonly servers = new Map<number, ServerState>();
  readonly firewalls = new Map<number, FirewallState>();
  readonly images = new Map<number, ImageState>();
  readonly primaryIps = new Map<number, PrimaryIpState>();
  readonly actions = new Map<number, ActionState>();
  /** How many lists do not contain a new image. */
  imageLag = 0;
  /** Types without capacity at the moment of the order, regardless of the catalogue. */
  readonly soldOut = new Set<string>();
  isReadOnly = false;

  constructor(options: CloudOptions = {}) {
    super(options);
  }

  limited(): Answer {
    const headers = {
      "ratelimit-limit": "3600",
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(nowSeconds() + 3600),
    };
    return { ...refuse(429, "rate_limit_exceeded", "limit of 3600 requests per hour reached"), headers };
  }

  broken(): Answer {
    return refuse(504, "timeout", "the request could not be answered in time");
  }

  answer(asked: Asked): Answer {
    if (asked.headers.authorization !== `Bearer ${tokenA}`) {
      return refuse(401, "unauthorized", "unable to authenticate");
    }
    if (this.isReadOnly && asked.method !== "GET") return refuse(401, "token_readonly", "token is read-only");
    const [, version, collection = "", id, actions, action] = asked.path.split("/");
    if (version !== "v1") return missing("path");
    // Since 2026-10-01.
    if (collection === "datacenters") return refuse(410, "deprecated_api_endpoint", "this endpoint was removed");
    if (collection === "locations") return this.list(asked, "locations", locations);
    if (collection === "server_types") return this.list(asked, "server_types", sold.map(serverType));
    if (collection === "networks") return this.list(asked, "networks", networks);
    if (collection === "pricing") return { status: 200, body: { pricing: pricing() } };
    if (collection === "images") return this.imagesAnswer(asked, id);
    if (collection === "firewalls") return this.firewallsAnswer(asked, id);
    if (collection === "primary_ips") return this.primaryIpsAnswer(asked, id);
    if (collection === "actions") return this.actionAnswer(Number(id));
    if (collection === "servers" && id === undefined) return this.serversAnswer(asked);
    const server = collection === "servers" ? this.servers.get(Number(id)) : undefined;
    if (!server) return missing(collection);
    return actions === "actions" ? this.act(asked, server, action ?? "") : this.serverAnswer(asked, server);
  }

  private list(asked: Asked, name: string, all: readonly object[]): Answer {
    const { items, page, perPage, last, total } = pageOf(all, asked.query, { size: 25, most: 50 });
    const pagination = {
      page,
      per_page: perPage,
      previous_page: page > 1 ? page - 1 : null,
      next_page: page < last ? page + 1 : null,
      last_page: last,
      total_entries: total,
    };
    const odd = page === last ? (this.odd[name] ?? []) : [];
    return { status: 200, body: { [name]: [...items, ...odd], meta: { pagination } } };
  }

  private serversAnswer(asked: Asked): Answer {
    if (asked.method === "POST") return this.createServer(JSON.parse(asked.body));
    const name = asked.query.get("name");
    const all = [...this.servers.values()].filter(
      (each) => isSelected(each.labels, asked.query.get("label_selector")) && (name === null || each.name === name),
    );
    return this.list(
      asked,
      "servers",
      all.map((each) => this.serverView(each)),
    );
  }

  private createServer(wanted: Record<string, unknown>): Answer {
    const error = this.orderError(wanted);
    if (error) return error;
    const id = this.newId();
    const state: ServerState = {
      id,
      name: String(wanted.name),
      status: "initializing",
      created: new Date().toISOString(),
      labels: (wanted.labels ?? {}) as Record<string, string>,
      location: String(wanted.location),
      serverType: String(wanted.server_type),
      image: Number(wanted.image),
      firewalls: ((wanted.firewalls ?? []) as { firewall: number }[]).map(({ firewall }) => firewall),
      networks: (wanted.networks ?? []) as number[],
      isProtected: false,
      looks: 0,
      publicIp: null,
      primaryIps: [this.newId(), this.newId()],
      userData: String(wanted.user_data ?? ""),
      disk: typeOf(String(wanted.server_type)).disk,
    };
    this.servers.set(id, state);
    for (const ip of state.primaryIps)
      this.primaryIps.set(ip, { id: ip, ip: "", server: id, location: state.location });
    this.start(state);
    const body = {
      server: this.serverView(state),
      action: this.action("create_server", id),
      next_actions: [],
      root_password: "Kh4gFcZz9",
    };
    return { status: 201, body };
  }

  private start(state: ServerState): void {
    const system = systemImages.find(({ id }) => id === state.image);
    const image = system ? (systems[system.os_version] ?? "") : String(state.image);
    this.boot({ name: `a${state.id}`, image, userData: state.userData }, (publicIp) => {
      state.publicIp = publicIp;
      const [address] = state.primaryIps;
      const primary = address === undefined ? undefined : this.primaryIps.get(address);
      if (primary) primary.ip = publicIp;
    });
  }

  private orderError(wanted: Record<string, unknown>): Answer | undefined {
    const { name, server_type, location, image, networks: joined = [], firewalls = [], user_data = "" } = wanted;
    if (typeof name !== "string" || !/^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?$/.test(name)) {
      return badField("name", "is no valid host name");
    }
    if ([...this.servers.values()].some((each) => each.name === name)) {
      return refuse(409, "uniqueness_error", "server name is already used", { fields: [{ name: "name" }] });
    }
    const type = sold.find((each) => each.name === server_type);
    if (!type) return badField("server_type", "server type not found");
    const place = type.places.find((each) => each.name === location);
    if (!place) return badField("server_type", "server type not available in this location");
    if (!place.available || this.soldOut.has(type.name)) {
      return refuse(412, "resource_unavailable", "server location disabled");
    }
    const own = this.images.get(Number(image));
    const system = systemImages.find(({ id }) => id === Number(image));
    if (!system && !own) return badField("image", "image not found");
    if ((system ?? own)?.architecture !== type.architecture) return badField("image", "wrong architecture");
    if (own && own.disk > type.disk) return badField("server_type", "image disk is bigger than server type disk");
    if ((joined as number[]).some((id) => !networks.some((each) => each.id === id)))
      return badField("networks", "not found");
    if ((firewalls as { firewall: number }[]).some(({ firewall }) => !this.firewalls.has(firewall))) {
      return badField("firewalls", "firewall not found");
    }
    if (String(user_data).length > mostUserData) return badField("user_data", "too long");
    if (this.servers.size >= this.serverLimit) {
      return refuse(403, "resource_limit_exceeded", "server limit exceeded", { limits: [{ name: "server_limit" }] });
    }
    return undefined;
  }

  private serverAnswer(asked: Asked, server: ServerState): Answer {
    if (asked.method === "DELETE") {
      if (server.isProtected) return refuse(423, "protected", "the resource is protected");
      server.status = "deleting";
      return { status: 200, body: { action: this.action("delete_server", server.id) } };
    }
    if (server.status === "deleting") {
      this.forget(server);
      return missing("server");
    }
    return { status: 200, body: { server: this.serverView(server) } };
  }

  private forget(server: ServerState): void {
    this.servers.delete(server.id);
    for (const ip of server.primaryIps) this.primaryIps.delete(ip);
    void this.machines.remove(`a${server.id}`);
  }

  /** The server disappears while it is built. */
  vanish(id: number, problem: string): void {
    const server = this.servers.get(id);
    if (server) this.forget(server);
    for (const action of this.actions.values()) if (action.server === id) action.problem = problem;
  }

  private action(command: string, server: number): object {
    const action = { id: this.newId(), command, server, looks: 0, problem: this.takeFailure(command) };
    this.actions.set(action.id, action);
    return actionView(action);
  }

  private actionAnswer(id: number): Answer {
    const action = this.actions.get(id);
    if (!action) return missing("action");
    action.looks += 1;
    return { status: 200, body: { action: actionView(action) } };
  }

  private act(asked: Asked, server: ServerState, action: string): Answer {
    const wanted = asked.body === "" ? {} : (JSON.parse(asked.body) as Record<string, unknown>);
    if (asked.method !== "POST") return missing("action");
    if (this.failing.some(({ command }) => command === action)) {
      return { status: 201, body: { action: this.action(action, server.id) } };
    }
    if (action === "reboot") void this.machines.reboot(`a${server.id}`);
    else if (action === "poweroff") server.status = "off";
    else if (action === "poweron") server.status = "running";
    else if (action === "change_protection") server.isProtected = wanted.delete === true;
    else if (action === "change_type") {
      if (server.status !== "off") return refuse(422, "server_not_stopped", "server must be stopped");
      const type = sold.find(({ name }) => name === wanted.server_type);
      if (!type) return refuse(422, "invalid_server_type", "server type does not exist");
      if (type.disk < server.disk) return refuse(422, "invalid_server_type", "server disk is bigger than the type's");
      server.serverType = String(wanted.server_type);
    } else if (action === "create_image") return this.createImage(server, wanted);
    else return missing("action");
    return { status: 201, body: { action: this.action(action, server.id) } };
  }

  private createImage(server: ServerState, wanted: Record<string, unknown>): Answer {
    const image: ImageState = {
      id: this.newId(),
      description: String(wanted.description),
      created: new Date().toISOString(),
      labels: (wanted.labels ?? {}) as Record<string, string>,
      status: "creating",
      from: server.id,
      looks: 0,
      disk: server.disk,
      architecture: typeOf(server.serverType).architecture,
    };
    this.images.set(image.id, image);
    return { status: 201, body: { image: imageView(image), action: this.action("create_image", server.id) } };
  }

  private imagesAnswer(asked: Asked, id: string | undefined): Answer {
    if (id === undefined) {
      const isSnapshot = asked.query.get("type") === "snapshot";
      const own = [...this.images.values()].filter(({ labels }) =>
        isSelected(labels, asked.query.get("label_selector")),
      );
      for (const image of own) this.progress(image);
      const listed = own.filter(({ looks }) => looks > this.imageLag);
      return this.list(asked, "images", isSnapshot ? listed.map(imageView) : systemImages);
    }
    const image = this.images.get(Number(id));
    if (!image) return missing("image");
    this.progress(image);
    if (asked.method === "GET") return { status: 200, body: { image: imageView(image) } };
    this.images.delete(image.id);
    return { status: 204 };
  }

  private progress(image: ImageState): void {
    if (++image.looks >= this.looksUntilRunning) image.status = "available";
  }

  private firewallsAnswer(asked: Asked, id: string | undefined): Answer {
    if (id === undefined) {
      if (asked.method === "POST") return this.createFirewall(JSON.parse(asked.body));
      const all = [...this.firewalls.values()].filter(({ labels }) =>
        isSelected(labels, asked.query.get("label_selector")),
      );
      return this.list(
        asked,
        "firewalls",
        all.map((each) => this.firewallView(each)),
      );
    }
    const firewall = this.firewalls.get(Number(id));
    if (!firewall) return missing("firewall");
    if (asked.method === "GET") return { status: 200, body: { firewall: this.firewallView(firewall) } };
    if ([...this.servers.values()].some(({ firewalls }) => firewalls.includes(firewall.id))) {
      return refuse(422, "resource_in_use", "firewall is still in use");
    }
    this.firewalls.delete(firewall.id);
    return { status: 204 };
  }

  private createFirewall(wanted: Record<string, unknown>): Answer {
    if (typeof wanted.name !== "string") return badField("name", "is required");
    if ([...this.firewalls.values()].some(({ name }) => name === wanted.name)) {
      return refuse(409, "uniqueness_error", "name is already used", { fields: [{ name: "name" }] });
    }
    const firewall: FirewallState = {
      id: this.newId(),
      name: wanted.name,
      created: new Date().toISOString(),
      labels: (wanted.labels ?? {}) as Record<string, string>,
      rules: (wanted.rules ?? []) as Record<string, unknown>[],
    };
    this.firewalls.set(firewall.id, firewall);
    return { status: 201, body: { firewall: this.firewallView(firewall), actions: [] } };
  }

  private primaryIpsAnswer(asked: Asked, id: string | undefined): Answer {
    const views = [...this.primaryIps.values()].map(primaryIpView);
    if (id === undefined) return this.list(asked, "primary_ips", views);
    const view = views.find((each) => each.id === Number(id));
    if (!view) return missing("primary_ip");
    if (asked.method === "GET") return { status: 200, body: { primary_ip: view } };
    if (view.assignee_id === null) {
      this.primaryIps.delete(view.id);
      return { status: 204 };
    }
    return refuse(422, "must_be_unassigned", "primary IP is assigned");
  }

  private serverView(server: ServerState) {
    server.looks += 1;
    if (server.status === "initializing" && server.publicIp !== null && server.looks > this.looksUntilRunning) {
      server.status = "running";
    }
    const [v4, v6] = server.primaryIps;
    const type = typeOf(server.serverType);
    return {
      id: server.id,
      name: server.name,
      status: server.status,
      created: server.created,
      locked: false,
      labels: server.labels,
      location: locations.find(({ name }) => name === server.location),
      server_type: serverType(type),
      image: systemImages.find(({ id }) => id === server.image) ?? null,
      iso: null,
      backup_window: null,
      included_traffic: 21_990_232_555_520,
      ingoing_traffic: null,
      outgoing_traffic: null,
      load_balancers: [],
      placement_group: null,
      primary_disk_size: server.disk,
      rescue_enabled: false,
      volumes: [],
      protection: { delete: server.isProtected, rebuild: server.isProtected },
      private_net: server.networks.map((network) => ({
        network,
        ip: "10.0.0.2",
        alias_ips: [],
        mac_address: "86:00:ff:2a:7d:e1",
      })),
      public_net: {
        // There is an address from the start; here it is that of the machine.
        ipv4:
          server.publicIp === null ? null : { id: v4, ip: server.publicIp, blocked: false, dns_ptr: "static.example" },
        ipv6: { id: v6, ip: "2001:db8::/64", blocked: false, dns_ptr: [] },
        floating_ips: [],
        firewalls: server.firewalls.map((id) => ({ id, status: "applied" })),
      },
    };
  }

  private firewallView(firewall: FirewallState) {
    const users = [...this.servers.values()].filter(({ firewalls }) => firewalls.includes(firewall.id));
    return {
      ...firewall,
      rules: firewall.rules.map((rule) => ({ description: null, destination_ips: [], port: null, ...rule })),
      applied_to: users.map(({ id }) => ({ type: "server", server: { id } })),
    };
  }
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

// Only the form that is used: `key==value`, separated by commas.
const isSelected = (labels: Record<string, string>, selector: string | null): boolean =>
  (selector ?? "")
    .split(",")
    .filter(Boolean)
    .every((part) => {
      const [key = "", value] = part.split("==");
      return labels[key] === value;
    });

const typeOf = (name: string): Sold => sold.find((each) => each.name === name) as Sold;

// It has ended at the second look.
function actionView({ id, command, server, looks, problem }: ActionState) {
  const isOver = looks > 1;
  const ended = problem === undefined ? "success" : "error";
  return {
    id,
    command,
    status: isOver ? ended : "running",
    progress: isOver ? 100 : 0,
    started: new Date().toISOString(),
    finished: isOver ? new Date().toISOString() : null,
    resources: [{ id: server, type: "server" }],
    error: isOver && problem !== undefined ? { code: "action_failed", message: problem } : null,
  };
}

const imageView = ({ id, description, created, labels, status, from, disk, architecture }: ImageState) => ({
  id,
  type: "snapshot",
  status,
  name: null,
  description,
  image_size: status === "available" ? 2.5 : null,
  disk_size: disk,
  created,
  created_from: { id: from, name: "server" },
  bound_to: null,
  os_flavor: "ubuntu",
  os_version: "24.04",
  rapid_deploy: false,
  protection: { delete: false },
  deprecation: null,
  deleted: null,
  labels,
  architecture,
});

interface PrimaryIpState {
  id: number;
  ip: string;
  server: number | null;
  location: string;
}

const primaryIpView = ({ id, ip, server, location }: PrimaryIpState) => ({
  id,
  ip,
  name: `primary-${id}`,
  type: "ipv4",
  labels: {},
  created: "2026-05-01T00:00:00Z",
  assignee_id: server,
  assignee_type: server === null ? "unassigned" : "server",
  auto_delete: true,
  blocked: false,
  dns_ptr: [],
  location: locations.find(({ name }) => name === location),
  protection: { delete: false },
});

const pricing = () => ({
  currency: "EUR",
  vat_rate: "19.000000",
  image: { price_per_gb_month: { net: "0.0110000000", gross: "0.0130900000" } },
  floating_ip: { price_monthly: { net: "3.0000000000", gross: "3.5700000000" } },
  floating_ips: [],
  load_balancer_types: [],
  primary_ips: [
    { type: "ipv4", prices: locations.map(({ name }) => priceOf(name, "0.50")) },
    { type: "ipv6", prices: locations.map(({ name }) => priceOf(name, "0.00")) },
  ],
  server_backup: { percentage: "20.0000000000" },
  server_types: [],
  volume: { price_per_gb_month: { net: "0.0440000000", gross: "0.0523600000" } },
});
