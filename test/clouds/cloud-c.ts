import { randomUUID } from "node:crypto";
import { type Answer, type Asked, Cloud, type CloudOptions, pageOf } from "./cloud.ts";

// DigitalOcean: https://docs.digitalocean.com/reference/api. A test compares its answers with what the provider promises
// (src/providers/cloud/tests/descriptions.ts). Prices are illustrative.

export const tokenC = `dop_v1_${"c".repeat(64)}`;

interface DropletState {
  id: number;
  name: string;
  status: string;
  created: string;
  tags: string[];
  region: string;
  size: string;
  image: string | number;
  vpc: string;
  looks: number;
  publicIp: string | null;
  userData: string;
  /** A resize keeps it. */
  disk: number;
  /** How many requests did not show it yet. */
  hidden: number;
}

interface ActionState {
  id: number;
  type: string;
  droplet: number;
  looks: number;
  isFailing: boolean;
  completed: string | null;
}

interface FirewallState {
  id: string;
  name: string;
  created: string;
  tags: string[];
  inbound: unknown[];
  outbound: unknown[];
}

const sizes = [
  { slug: "s-1vcpu-1gb", memory: 1024, vcpus: 1, disk: 25, price: 6, regions: ["fra1", "nyc3"], available: true },
  { slug: "s-2vcpu-2gb", memory: 2048, vcpus: 2, disk: 60, price: 18, regions: ["fra1", "nyc3"], available: true },
  { slug: "s-4vcpu-8gb", memory: 8192, vcpus: 4, disk: 160, price: 48, regions: ["nyc3"], available: true },
  { slug: "c-32", memory: 65536, vcpus: 32, disk: 400, price: 672, regions: ["fra1"], available: false },
  // A size may list no region.
  { slug: "s-old", memory: 512, vcpus: 1, disk: 20, price: 5, regions: [], available: true },
].map(({ price, ...size }) => ({
  ...size,
  transfer: 1,
  price_monthly: price,
  price_hourly: price / 672,
  description: "Basic",
}));

const regionOf = (slug: string, name: string, available = true) => ({
  slug,
  name,
  available,
  features: ["backups", "ipv6", "metadata", "install_agent", "storage"],
  sizes: sizes.filter(({ regions }) => regions.includes(slug)).map((size) => size.slug),
});

const regions = [
  regionOf("fra1", "Frankfurt 1"),
  regionOf("nyc3", "New York 3"),
  regionOf("ams2", "Amsterdam 2", false),
];

const distributions = ["22-04", "24-04", "26-04"].map((version, at) => ({
  id: 5000 + at,
  name: `${version.replace("-", ".")} (LTS) x64`,
  distribution: "Ubuntu",
  slug: `ubuntu-${version}-x64`,
  public: true,
  regions: ["fra1", "nyc3"],
  created_at: "2026-05-01T00:00:00Z",
  type: "base",
  min_disk_size: 10,
  size_gigabytes: 3.2,
  description: `Ubuntu ${version.replace("-", ".")}`,
  tags: [],
  status: "available",
}));

const vpcOf = (id: string, region: string) => ({
  id,
  urn: `do:vpc:${id}`,
  name: `default-${region}`,
  description: "",
  region,
  ip_range: "10.114.0.0/20",
  default: true,
  created_at: "2026-05-01T00:00:00Z",
});

const vpcs = [
  vpcOf("5a4981aa-9653-4bd1-bef5-d6bff52042e4", "fra1"),
  vpcOf("e0fe0f4d-596a-465e-a902-571ce57b79fa", "nyc3"),
];

export const refuseC = (status: number, id: string, message: string): Answer => ({
  status,
  body: { id, message, request_id: randomUUID() },
});
const refuse = refuseC;

const missing = refuse(404, "not_found", "The resource you were accessing could not be found.");
const bad = (message: string): Answer => refuse(422, "unprocessable_entity", message);

const namePattern = /^[a-zA-Z0-9]?[a-z0-9A-Z.-]*[a-z0-9A-Z]$/;
const tagPattern = /^[a-zA-Z0-9_\-:]{1,255}$/;
const mostUserData = 64 * 1024;

export class CloudC extends Cloud {
  readonly droplets = new Map<number, DropletState>();
  readonly firewalls = new Map<string, FirewallState>();
  readonly tags = new Set<string>();
  readonly reservedIps = new Map<
    string,
    { ip: string; region: string; droplet: number | null; pending: number | null }
  >();
  readonly snapshots = new Map<number, SnapshotState>();
  readonly actions = new Map<number, ActionState>();
  /** The scopes of the token; null: full access. */
  scopes: ReadonlySet<string> | null = null;
  /** How many lists and reads do not show a new droplet. */
  lag = 0;
  /** How many requests for a reserved address are refused because the droplet is not known yet. */
  addressLag = 0;
  /** Sizes without capacity at the moment of the order, regardless of the catalogue. */
  readonly soldOut = new Set<string>();
  addressLimit = 3;

  constructor(options: CloudOptions = {}) {
    super(options);
  }

  limited(): Answer {
    const reset = String(Math.floor(Date.now() / 1000) + 60);
    // `retry-after` comes with the limit per minute only.
    const headers = {
      "ratelimit-limit": "5000",
      "ratelimit-remaining": "0",
      "ratelimit-reset": reset,
      "retry-after": "1",
    };
    return { ...refuse(429, "too_many_requests", "API Rate limit exceeded."), headers };
  }

  broken(): Answer {
    return refuse(500, "server_error", "Unexpected server-side error");
  }

  answer(asked: Asked): Answer {
    if (asked.headers.authorization !== `Bearer ${tokenC}`) {
      return refuse(401, "unauthorized", "Unable to authenticate you");
    }
    const [, version, collection = "", id, actions, action] = asked.path.split("/");
    if (version !== "v2") return missing;
    if (this.scopes && !this.scopes.has(scopeOf(asked.method, collection, actions))) {
      return refuse(403, "forbidden", "You are not authorized to perform this operation");
    }
    if (collection === "account") return { status: 200, body: { account: this.account() } };
    if (collection === "regions") return this.list(asked, "regions", regions);
    if (collection === "sizes") return this.list(asked, "sizes", sizes);
    if (collection === "vpcs") return this.list(asked, "vpcs", vpcs);
    if (collection === "images") return this.imagesAnswer(asked, id);
    if (collection === "tags") return id === undefined ? this.tag(JSON.parse(asked.body)) : this.deleteTag(id);
    if (collection === "firewalls") return this.firewallsAnswer(asked, id);
    if (collection === "reserved_ips") return this.reservedIpsAnswer(asked, id && decodeURIComponent(id));
    if (collection !== "droplets") return missing;
    if (id === undefined) return this.dropletsAnswer(asked);
    const droplet = this.droplets.get(Number(id));
    if (!droplet || this.isHidden(droplet)) return missing;
    if (action !== undefined) return this.actionAnswer(Number(action));
    return actions === "actions" ? this.act(asked, droplet) : this.dropletAnswer(asked, droplet);
  }

  private isHidden(droplet: DropletState): boolean {
    return droplet.hidden++ < this.lag;
  }

  private deleteTag(name: string): Answer {
    return this.tags.delete(name) ? { status: 204 } : missing;
  }

  private action(type: string, droplet: number): ActionState {
    const isFailing = this.takeFailure(type) !== undefined;
    const action = { id: this.newId(), type, droplet, looks: 0, isFailing, completed: null };
    this.actions.set(action.id, action);
    return action;
  }

  private actionAnswer(id: number): Answer {
    const action = this.actions.get(id);
    if (!action) return missing;
    action.looks += 1;
    return { status: 200, body: { action: actionView(action) } };
  }

  private list(asked: Asked, name: string, all: readonly object[]): Answer {
    const { items, page, perPage, last, total } = pageOf(all, asked.query, { size: 20, most: 200 });
    const next = `${this.url}${asked.path}?page=${page + 1}&per_page=${perPage}`;
    const lastPage = `${this.url}${asked.path}?page=${last}&per_page=${perPage}`;
    // `links` is empty on a single page.
    const links = page < last ? { pages: { next, last: lastPage } } : {};
    const odd = page === last ? (this.odd[name] ?? []) : [];
    return { status: 200, body: { [name]: [...items, ...odd], links, meta: { total } } };
  }

  private account() {
    return {
      droplet_limit: this.serverLimit,
      floating_ip_limit: this.addressLimit,
      email: "ops@example.com",
      name: "Ops",
      uuid: "b6fr89dbf6d9156cace5f3c78dc9851d957381ef",
      email_verified: true,
      status: "active",
      status_message: "",
      team: { uuid: "5df3e3004a17e242b7c20ca6c9fc25b701a47ece", name: "Acme" },
    };
  }

  private tag({ name }: { name?: unknown }): Answer {
    if (typeof name !== "string" || !tagPattern.test(name)) return bad("Tag name is invalid");
    this.tags.add(name);
    return { status: 201, body: { tag: { name, resources: { count: 0 } } } };
  }

  private dropletsAnswer(asked: Asked): Answer {
    if (asked.method === "POST") return this.createDroplet(JSON.parse(asked.body));
    const tag = asked.query.get("tag_name");
    const tagged = [...this.droplets.values()].filter(({ tags }) => tag === null || tags.includes(tag));
    const all = tagged.filter((droplet) => !this.isHidden(droplet));
    return this.list(
      asked,
      "droplets",
      all.map((each) => this.dropletView(each)),
    );
  }

  private createDroplet(wanted: Record<string, unknown>): Answer {
    const error = this.orderError(wanted);
    if (error) return error;
    const id = this.newId();
    const region = String(wanted.region);
    const state: DropletState = {
      id,
      name: String(wanted.name),
      status: "new",
      created: new Date().toISOString(),
      tags: (wanted.tags ?? []) as string[],
      region,
      size: String(wanted.size),
      image: wanted.image as string | number,
      vpc: String(wanted.vpc_uuid ?? vpcs.find((each) => each.region === region)?.id),
      looks: 0,
      publicIp: null,
      userData: String(wanted.user_data ?? ""),
      disk: sizes.find(({ slug }) => slug === wanted.size)?.disk ?? 0,
      hidden: 0,
    };
    this.droplets.set(id, state);
    for (const tag of state.tags) this.tags.add(tag);
    const slug = distributions
      .find(({ slug: each }) => each === state.image)
      ?.slug.slice(0, -4)
      .replaceAll("-", "_");
    this.boot({ name: `c${id}`, image: slug ?? String(state.image), userData: state.userData }, (publicIp) => {
      state.publicIp = publicIp;
    });
    const action = this.action("create", id);
    const actions = [{ id: action.id, rel: "create", href: `${this.url}/v2/actions/${action.id}` }];
    return { status: 202, body: { droplet: this.dropletView(state), links: { actions } } };
  }

  private orderError(wanted: Record<string, unknown>): Answer | undefined {
    const { name, region, size: slug, image, tags = [], vpc_uuid, user_data = "" } = wanted;
    if (typeof name !== "string" || name.length > 255 || !namePattern.test(name)) {
      return bad("Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)");
    }
    if (!regions.some((each) => each.slug === region && each.available)) return bad("Region is not available");
    const size = sizes.find((each) => each.slug === slug);
    if (!size) return bad("You specified an invalid size for Droplet creation.");
    if (!size.regions.includes(String(region)) || !size.available || this.soldOut.has(size.slug)) {
      return bad("Size is not available in this region.");
    }
    const own = this.snapshots.get(Number(image));
    const isKnown = distributions.some((each) => each.slug === image) || own?.region === region;
    if (!isKnown) return bad("You specified an invalid image for Droplet creation.");
    if (own && own.disk > size.disk) return bad("The image needs a bigger disk than the size has.");
    if ((tags as string[]).some((tag) => !tagPattern.test(tag))) return bad("Tag name is invalid");
    if (vpc_uuid !== undefined && !vpcs.some((each) => each.id === vpc_uuid && each.region === region)) {
      return bad("Failed to resolve VPC");
    }
    if (String(user_data).length > mostUserData) return bad("user_data is too long");
    if (this.droplets.size >= this.serverLimit) {
      return bad("creating this/these droplet(s) will exceed your droplet limit");
    }
    return undefined;
  }

  private dropletAnswer(asked: Asked, droplet: DropletState): Answer {
    if (asked.method === "GET") return { status: 200, body: { droplet: this.dropletView(droplet) } };
    this.droplets.delete(droplet.id);
    // Reserved addresses stay, and stay billed.
    for (const address of this.reservedIps.values()) {
      if (address.droplet === droplet.id || address.pending === droplet.id) {
        address.droplet = null;
        address.pending = null;
      }
    }
    void this.machines.remove(`c${droplet.id}`);
    return { status: 204 };
  }

  private act(asked: Asked, droplet: DropletState): Answer {
    const running = [...this.snapshots.values()].filter(
      (each) => each.droplet === droplet.id && each.looks <= this.looksUntilRunning,
    );
    if (asked.method === "GET") {
      const names = running.map(() => this.action("snapshot", droplet.id));
      return this.list(asked, "actions", names.map(actionView));
    }
    const wanted = JSON.parse(asked.body) as { type: string; size?: string; name?: string };
    if (this.failing.some(({ command }) => command === wanted.type)) {
      return { status: 201, body: { action: actionView(this.action(wanted.type, droplet.id)) } };
    }
    if (wanted.type === "reboot") void this.machines.reboot(`c${droplet.id}`);
    else if (wanted.type === "power_off") droplet.status = "off";
    else if (wanted.type === "power_on") droplet.status = "active";
    else if (wanted.type === "resize") {
      if (droplet.status !== "off") return bad("Droplet must be powered off");
      const size = sizes.find(({ slug }) => slug === wanted.size);
      if (!size) return bad("You specified an invalid size");
      if (size.disk < droplet.disk) return bad("This size is not available because it has a smaller disk.");
      droplet.size = String(wanted.size);
    } else if (wanted.type === "snapshot") {
      const id = this.newId();
      const created = new Date().toISOString();
      const { region, disk } = droplet;
      this.snapshots.set(id, { id, name: String(wanted.name), created, looks: 0, droplet: droplet.id, region, disk });
    } else return bad("Unknown action");
    return { status: 201, body: { action: actionView(this.action(wanted.type, droplet.id)) } };
  }

  private imagesAnswer(asked: Asked, id: string | undefined): Answer {
    if (id !== undefined) {
      const snapshot = this.snapshots.get(Number(id));
      if (!snapshot) return missing;
      if (asked.method === "GET") return { status: 200, body: { image: snapshotView(snapshot) } };
      this.snapshots.delete(snapshot.id);
      return { status: 204 };
    }
    if (asked.method === "POST") return bad("name and url are required");
    if (asked.query.get("private") !== "true") return this.list(asked, "images", distributions);
    // A snapshot is listed when it is finished.
    const finished = [...this.snapshots.values()].filter((each) => {
      each.looks += 1;
      return each.looks > this.looksUntilRunning;
    });
    return this.list(asked, "images", finished.map(snapshotView));
  }

  private firewallsAnswer(asked: Asked, id: string | undefined): Answer {
    if (id === undefined) {
      if (asked.method === "POST") return this.createFirewall(JSON.parse(asked.body));
      return this.list(asked, "firewalls", [...this.firewalls.values()].map(firewallView));
    }
    const firewall = this.firewalls.get(id);
    if (!firewall) return missing;
    if (asked.method === "GET") return { status: 200, body: { firewall: firewallView(firewall) } };
    this.firewalls.delete(id);
    return { status: 204 };
  }

  private createFirewall(wanted: Record<string, unknown>): Answer {
    const { name, tags = [], inbound_rules = [], outbound_rules = [] } = wanted;
    if (typeof name !== "string" || !/^[a-zA-Z0-9][a-zA-Z0-9.-]+$/.test(name)) return bad("name is invalid");
    const rules = [...(inbound_rules as { ports?: string }[]), ...(outbound_rules as { ports?: string }[])];
    if (rules.some(({ ports = "" }) => !/^\d{1,5}(-\d{1,5})?$/.test(ports))) return bad("ports is invalid");
    if ((tags as string[]).some((tag) => !this.tags.has(tag))) return bad("tag does not exist");
    if ([...this.firewalls.values()].some((each) => each.name === name)) {
      return refuse(409, "conflict", "duplicate name: a firewall of this name already exists");
    }
    const firewall: FirewallState = {
      id: randomUUID(),
      name,
      created: new Date().toISOString(),
      tags: tags as string[],
      inbound: inbound_rules as unknown[],
      outbound: outbound_rules as unknown[],
    };
    this.firewalls.set(firewall.id, firewall);
    return { status: 202, body: { firewall: firewallView(firewall) } };
  }

  private reservedIpsAnswer(asked: Asked, ip: string | undefined): Answer {
    if (ip === undefined) {
      if (asked.method === "POST") return this.reserve(JSON.parse(asked.body));
      const views = [...this.reservedIps.values()].map((each) => this.reservedIpView(each));
      return this.list(asked, "reserved_ips", views);
    }
    const address = this.reservedIps.get(ip);
    if (!address) return missing;
    if (asked.method === "GET") return { status: 200, body: { reserved_ip: this.reservedIpView(address) } };
    this.reservedIps.delete(ip);
    return { status: 204 };
  }

  private reserve({ droplet_id }: { droplet_id?: number }): Answer {
    const droplet = this.droplets.get(Number(droplet_id));
    if (!droplet || this.addressLag-- > 0) return bad("The droplet does not exist");
    if (droplet.status !== "active") return bad("The droplet must be active to assign a reserved IP");
    if ([...this.reservedIps.values()].some((each) => each.droplet === droplet.id || each.pending === droplet.id)) {
      return bad("The droplet already has a reserved IP");
    }
    if (this.reservedIps.size >= this.addressLimit) return bad("Reserved IP limit reached");
    // The machine has one address only; a reserved one points to it.
    const ip = droplet.publicIp ?? "";
    const address = { ip, region: droplet.region, droplet: null, pending: droplet.id };
    this.reservedIps.set(ip, address);
    const links = { droplets: [{ id: droplet.id, rel: "droplets", href: this.url }], actions: [] };
    return { status: 202, body: { reserved_ip: this.reservedIpView(address, false), links } };
  }

  // It is attached a moment after its creation.
  private reservedIpView(
    address: { ip: string; region: string; droplet: number | null; pending: number | null },
    settle = true,
  ) {
    if (settle && address.pending !== null) {
      address.droplet = address.pending;
      address.pending = null;
    }
    const droplet = address.droplet === null ? undefined : this.droplets.get(address.droplet);
    return {
      ip: address.ip,
      region: regions.find(({ slug }) => slug === address.region),
      droplet: droplet ? this.dropletView(droplet) : null,
      locked: false,
      project_id: "746c6152-2fa2-11ed-92d3-27aaa54e4988",
    };
  }

  private dropletView(droplet: DropletState) {
    droplet.looks += 1;
    if (droplet.status === "new" && droplet.publicIp !== null && droplet.looks > this.looksUntilRunning) {
      droplet.status = "active";
    }
    const size = sizes.find(({ slug }) => slug === droplet.size);
    const isNew = droplet.status === "new";
    return {
      id: droplet.id,
      name: droplet.name,
      memory: size?.memory,
      vcpus: size?.vcpus,
      disk: droplet.disk,
      disk_info: [],
      locked: false,
      status: droplet.status,
      kernel: null,
      created_at: droplet.created,
      features: ["private_networking"],
      backup_ids: [],
      next_backup_window: null,
      snapshot_ids: [],
      image: distributions.find(({ slug }) => slug === droplet.image) ?? distributions[0],
      volume_ids: [],
      size,
      size_slug: droplet.size,
      // Empty while it is new.
      networks: {
        v4: isNew
          ? []
          : [
              { ip_address: "10.114.0.2", netmask: "255.255.240.0", gateway: "10.114.0.1", type: "private" },
              { ip_address: droplet.publicIp, netmask: "255.255.240.0", gateway: "198.51.100.1", type: "public" },
            ],
        v6: [],
      },
      region: regions.find(({ slug }) => slug === droplet.region),
      tags: droplet.tags,
      vpc_uuid: droplet.vpc,
    };
  }
}

const firewallView = ({ id, name, created, tags, inbound, outbound }: FirewallState) => ({
  id,
  name,
  status: "succeeded",
  created_at: created,
  pending_changes: [],
  droplet_ids: [],
  tags,
  inbound_rules: inbound,
  outbound_rules: outbound,
});

interface SnapshotState {
  id: number;
  name: string;
  created: string;
  looks: number;
  droplet: number;
  region: string;
  disk: number;
}

const snapshotView = ({ id, name, created, region, disk }: SnapshotState) => ({
  id,
  name,
  distribution: "Ubuntu",
  slug: null,
  public: false,
  regions: [region],
  created_at: created,
  type: "snapshot",
  min_disk_size: disk,
  size_gigabytes: 2.34,
  description: "",
  tags: [],
  status: "available",
});

// It has ended at the second look.
function actionView(action: ActionState) {
  const { id, type, droplet, looks, isFailing } = action;
  if (looks > 1) action.completed ??= new Date().toISOString();
  return {
    id,
    status: action.completed === null ? "in-progress" : isFailing ? "errored" : "completed",
    type,
    started_at: new Date().toISOString(),
    completed_at: action.completed,
    resource_id: droplet,
    resource_type: "droplet",
    region: regions[0],
    region_slug: "fra1",
  };
}

const verbs: Record<string, string> = { GET: "read", POST: "create", DELETE: "delete" };
const nouns: Record<string, string> = {
  images: "image",
  droplets: "droplet",
  vpcs: "vpc",
  firewalls: "firewall",
  reserved_ips: "reserved_ip",
  tags: "tag",
};

/** The scope that a request needs. */
function scopeOf(method: string, collection: string, part: string | undefined): string {
  const verb = part === "actions" && method === "POST" ? "update" : verbs[method];
  return `${nouns[collection] ?? collection}:${verb}`;
}
