import {
  type CloudAccess,
  type CloudAction,
  type CloudDriver,
  CloudError,
  type CloudResource,
  type CloudServer,
  type OrderRef,
  type OrderRequest,
  type RemainingResource,
  type RemovalOf,
  type ResourceKind,
  removalOrder,
  type ServerOrder,
  type TaggedResource,
} from "../../../providers/cloud/driver.ts";

/** The behaviour of a call: success, failure before or after its effect, or a permanent refusal. */
export type Fault = "none" | "before" | "after" | "refused";

interface Machine {
  order: ServerOrder;
  id: string;
  state: CloudServer["state"];
  serverType: string;
  ip: string;
  looks: number;
  isProtected: boolean;
  /** Of its own disk, which a resize keeps. */
  diskGb: number;
}

const price = (type: string) => ({
  net: type === "big" ? "20.00" : "5.00",
  gross: type === "big" ? "23.80" : "5.95",
  currency: "EUR",
});

/**
 * A provider with one account, in memory, behind the interface of the drivers. It finds orders by key, as the drivers promise,
 * bills resources until they are removed, and fails where a test asks for it.
 */
export class StandInCloud {
  readonly calls: string[] = [];
  /** What each attempt at a removal expects of reads. */
  readonly removals: Pick<RemovalOf, "isFresh" | "isUncertain">[] = [];
  /** All machines ever ordered, by key: more than one for a key is a duplicate order. */
  readonly machinesEver = new Map<string, number>();
  machines = new Map<string, Machine>();
  resources = new Map<string, CloudResource & { key: string }>();
  images = new Map<string, { id: string; looks: number }>();
  /** Decides about each call. */
  fault: (method: string) => Fault = () => "none";
  /** Kinds that cannot be removed. */
  stuck = new Set<ResourceKind>();
  problem: string | undefined;
  /** Why actions that change a type fail after they were accepted. */
  failing: string | undefined;
  actions = new Map<string, CloudAction>();
  /** Types without capacity for a start. */
  soldOut = new Set<string>();
  /** May throw in place of a start. */
  onStart: () => void = () => undefined;
  /** Addresses without a server. */
  loose: { id: string; location: string }[] = [];
  /** An entry of a list of another form. */
  unreadable: string | undefined;
  private next = 1;

  /** The resources that are billed now. */
  get billed(): string[] {
    return [...this.resources.values()].map(({ kind, id }) => `${kind} ${id}`);
  }

  driver(): CloudDriver {
    return {
      providerType: "cloud_a",
      label: "Stand-in",
      credentialFields: [
        {
          name: "token",
          label: "token",
          isPublic: false,
          pattern: /^[a-z0-9-]{3,}$/,
          help: "The token must be a token.",
        },
      ],
      limits: [{ bucket: "all", capacity: 100, refillPerSecond: 50 }],
      currency: "EUR",
      volumeRules: null,
      networkIsSubnet: false,
      staticAddress: "optional",
      hasSeparatePrices: false,
      hasDeleteProtection: true,
      parseCredentials: ({ token }) => ({ token: String(token) }),
      checkCredentials: ({ credentials }) =>
        this.call("checkCredentials", () => {
          if (credentials.token !== "good-token") {
            throw new CloudError("refused", "Stand-in does not accept the token.", {
              field: "credentials",
              permanent: true,
            });
          }
          return { account: "acme" };
        }),
      listLocations: () => this.call("listLocations", () => [{ id: "here", name: "Here", country: "DE" }]),
      listPrices: () => Promise.reject(new Error("Prices come with the types.")),
      readCatalogue: (_access, location) => this.call("readCatalogue", () => catalogueOf(location)),
      checkOrder: (_access, request) => this.call("checkOrder", () => check(request)),
      ensureFirewall: (access, order) =>
        this.limited(access, "ensureFirewall", () => this.add("firewall", order.key, order)),
      ensureServer: (access, order) => this.limited(access, "ensureServer", () => this.order(order)),
      getServer: (_access, { id }) => this.call("getServer", () => this.show(this.machines.get(id)) ?? gone(id)),
      ensureAddress: (_access, ref) =>
        this.call("ensureAddress", () => ({ ...this.add("address", ref.key, ref), ip: ipOf(ref.serverId) })),
      removeOrder: (_access, ref, save) => this.remove(ref, save),
      powerOff: (_access, { id }) => this.call("powerOff", () => this.set(id, { state: "stopped" })),
      powerOn: (_access, { id }) => this.call("powerOn", () => this.start(id)),
      resize: (_access, { id }, serverType) => this.call("resize", () => this.change(id, serverType)),
      findAction: (_access, _ref, action) => this.call("findAction", () => this.actions.get(action)),
      setDeleteProtection: (_access, { id }, isProtected) =>
        this.call("setDeleteProtection", () => this.set(id, { isProtected })),
      ensureImage: (_access, _ref, image) => this.call("ensureImage", () => this.image(image.key)),
      removeImage: (_access, { id }) => this.call("removeImage", () => void this.resources.delete(`image ${id}`)),
      listTagged: ({ onSkipped }) =>
        this.call("listTagged", () => {
          const { unreadable: item } = this;
          if (item !== undefined) onSkipped?.({ list: "droplets", item, reason: "it has another form" });
          return [...[...this.resources.values()].map(tagged), ...this.loose.map(looseAddress)];
        }),
    };
  }

  private async call<Result>(method: string, work: () => Result): Promise<Result> {
    this.calls.push(method);
    const fault = this.fault(method);
    if (fault === "before") throw new CloudError("unavailable", "Stand-in did not answer.");
    if (fault === "refused") throw new CloudError("refused", "Stand-in has no capacity left.", { permanent: true });
    const result = work();
    if (fault === "after") throw new CloudError("unavailable", "Stand-in's answer was lost.", { isUncertain: true });
    return result;
  }

  private async limited<Result>(access: CloudAccess, method: string, work: () => Result): Promise<Result> {
    await access.callLimits?.take(this.driver().limits);
    return this.call(method, work);
  }

  private byKey(key: string): Machine | undefined {
    return [...this.machines.values()].find(({ order }) => order.key === key);
  }

  private order(order: ServerOrder): CloudServer {
    const known = this.byKey(order.key);
    if (known) return this.show(known) as CloudServer;
    this.machinesEver.set(order.key, (this.machinesEver.get(order.key) ?? 0) + 1);
    const id = String(this.next++);
    const { serverType } = order;
    const machine = { order, id, serverType, ip: ipOf(id), looks: 0, isProtected: false, diskGb: diskOf(serverType) };
    this.machines.set(id, { ...machine, state: "starting" });
    this.resources.set(`server ${id}`, { kind: "server", id, location: order.location, key: order.key });
    return this.show(this.machines.get(id)) as CloudServer;
  }

  private add(kind: ResourceKind, key: string, { location }: { location: string }): CloudResource {
    const known = [...this.resources.values()].find((resource) => resource.kind === kind && resource.key === key);
    if (known) return { kind, id: known.id, location };
    const id = `${kind}-${this.next++}`;
    this.resources.set(`${kind} ${id}`, { kind, id, location, key });
    return { kind, id, location };
  }

  private image(key: string): { id: string | null; isReady: boolean } {
    const known = this.images.get(key) ?? { id: `image-${this.next++}`, looks: 0 };
    this.images.set(key, { ...known, looks: known.looks + 1 });
    this.resources.set(`image ${known.id}`, { kind: "image", id: known.id, location: "here", key });
    return { id: known.looks > 0 ? known.id : null, isReady: known.looks > 0 };
  }

  private show(machine: Machine | undefined): CloudServer | undefined {
    if (!machine) return undefined;
    // It is ready from the second look on.
    if (machine.state === "starting" && machine.looks++ > 0) machine.state = this.problem ? "failed" : "running";
    const { id, order, state, serverType, ip, diskGb } = machine;
    return {
      id,
      location: order.location,
      orderKey: order.key,
      state,
      problem: this.problem ?? null,
      publicIp: state === "running" ? ip : null,
      privateIp: null,
      serverType,
      isBusy: false,
      diskGb,
      resources: [],
    };
  }

  /** Accepted; whether it has an effect is the action's. */
  private change(id: string, serverType: string): string {
    const action = `action-${this.next++}`;
    this.actions.set(action, { state: this.failing ? "failed" : "succeeded", problem: this.failing ?? null });
    if (!this.failing) this.set(id, { serverType });
    return action;
  }

  private start(id: string): void {
    this.onStart();
    const type = this.machines.get(id)?.serverType ?? "";
    if (this.soldOut.has(type)) {
      throw new CloudError("refused", `Stand-in has no capacity for ${type}.`, { permanent: true });
    }
    this.set(id, { state: "running" });
  }

  private set(id: string, change: Partial<Machine>): void {
    const machine = this.machines.get(id);
    if (!machine) throw new CloudError("refused", "Stand-in has no such machine.", { permanent: true });
    Object.assign(machine, change);
  }

  private ordered({ key }: Pick<OrderRef, "key">): CloudResource[] {
    const found = [...this.resources.values()].filter((resource) => resource.key === key);
    return found.map(({ kind, id, location }) => ({ kind, id, location }));
  }

  private async remove(
    ref: OrderRef & RemovalOf,
    save: (resources: CloudResource[]) => Promise<void>,
  ): Promise<RemainingResource[]> {
    const { isFresh, isUncertain } = ref;
    this.removals.push({ isFresh, isUncertain });
    const found = await this.call("listOrdered", () => this.ordered(ref));
    await save(found);
    for (const kind of removalOrder) {
      for (const resource of found.filter((each) => each.kind === kind && !this.stuck.has(kind))) {
        await this.call(`remove ${kind}`, () => {
          this.resources.delete(`${resource.kind} ${resource.id}`);
          if (kind === "server") this.machines.delete(resource.id);
        }).catch(() => undefined);
      }
    }
    return this.ordered(ref).map((resource) => ({ ...resource, reason: `Stand-in still has the ${resource.kind}.` }));
  }
}

const ipOf = (id: string): string => `203.0.${Number(id) >> 8}.${Number(id) & 255}`;

const gone = (id: string): CloudServer => ({
  id,
  location: "here",
  orderKey: null,
  state: "gone",
  problem: null,
  publicIp: null,
  privateIp: null,
  serverType: "",
  isBusy: false,
  resources: [],
});

const types = ["small", "big"];

const diskOf = (type: string): number => (type === "big" ? 80 : 40);

const catalogueOf = (location: string) => ({
  location,
  serverTypes: types.map((name) => ({
    name,
    description: name,
    cores: 2,
    memoryGb: 4,
    diskGb: diskOf(name),
    architecture: "x86" as const,
    monthlyPrice: price(name),
  })),
  omitted: [{ name: "odd", reason: "It has no price here." }],
  images: [{ id: "67", name: "Ubuntu 24.04", serverOs: "ubuntu_24_04" as const, architecture: "x86" as const }],
  networks: [{ id: "1", name: "inner", cidr: "10.0.0.0/16", isDefault: false, subnets: [] }],
});

function check({ serverType, serverOs, network, image }: OrderRequest) {
  const refuse = (field: "server_type" | "image" | "network", message: string) =>
    new CloudError("refused", message, { field, permanent: true });
  if (!types.includes(serverType)) throw refuse("server_type", `${serverType} is not sold here.`);
  if (serverOs !== "ubuntu_24_04") throw refuse("image", `There is no image of ${serverOs}.`);
  if (network !== null && network !== "1") throw refuse("network", "The network is in another region.");
  return { image: image ?? "67", architecture: "x86" as const, monthlyPrice: price(serverType) };
}

const looseAddress = ({ id, location }: { id: string; location: string }): TaggedResource => ({
  kind: "address",
  id,
  location,
  name: null,
  orderKey: null,
  createdAt: null,
  monthlyPrice: { net: "4.00", gross: "4.76", currency: "EUR" },
  isLoose: true,
});

const tagged = ({ key, ...resource }: CloudResource & { key: string }): TaggedResource => ({
  ...resource,
  name: key,
  orderKey: key,
  createdAt: null,
  monthlyPrice: resource.kind === "server" ? price("small") : { net: "0.00", gross: "0.00", currency: "EUR" },
});
