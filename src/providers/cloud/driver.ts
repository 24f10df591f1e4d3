import { AppError, type AppErrorOptions, type ErrorCode } from "../../lib/errors.ts";

// The API of a cloud provider in terms that all of them share. The folders of the providers have files of the
// same names for the same things. Only the folders contain the vendors' names.

export const cloudProviderTypes = ["cloud_a", "cloud_b", "cloud_c"] as const;
export type CloudProviderType = (typeof cloudProviderTypes)[number];

/** The roots of the providers' APIs, without a trailing slash. Default: the public address. */
export interface CloudBaseUrls {
  cloudAUrl?: string | undefined;
  /** One URL serves every region; the region is in the signature. */
  cloudBUrl?: string | undefined;
  cloudBPricesUrl?: string | undefined;
  cloudBSsmUrl?: string | undefined;
  cloudCUrl?: string | undefined;
}

export interface DriverOptions {
  baseUrls: CloudBaseUrls;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Timeout of one call including its answer, and how long it is repeated; default 20 s. */
  timeoutMs?: number | undefined;
  /** The first pause before a call or check is repeated; default 250 or 500 ms. */
  pauseMs?: number | undefined;
}

/** Names as in the driver's `credentialFields`. Secret as a whole. */
export type CloudCredentials = Record<string, string>;

export interface CredentialField {
  name: string;
  label: string;
  /** Not secret: may be shown after it was stored. */
  isPublic: boolean;
  pattern: RegExp;
  help: string;
}

/** The credentials for a call. Every method takes them first. */
export interface CloudAccess {
  credentials: CloudCredentials;
  /** Shared by all processes that use this connection. Without them only the provider limits the calls. */
  callLimits?: CallLimits | undefined;
  signal?: AbortSignal | undefined;
  /** Receives each entry of a list that could not be read and was left out. */
  onSkipped?: ((item: SkippedItem) => void) | undefined;
}

/** An entry of a provider's list that has another form than documented. Plain JSON. */
export interface SkippedItem {
  /** What the list holds, in the provider's word. */
  list: string;
  /** Its id or name, if that can be read. */
  item: string | null;
  /** One sentence, without the content of the entry. */
  reason: string;
}

/** A token bucket: `capacity` calls at once, `refillPerSecond` more for each second. */
export interface CallLimit {
  bucket: string;
  capacity: number;
  refillPerSecond: number;
}

/** The limits of a connection, whose buckets are stored where all processes see them. */
export interface CallLimits {
  /**
   * Takes one call out of every bucket, or out of none. Resolves at the call's turn. Rejects with a CloudError that has
   * `retryAfterMs` when the turn is too far away.
   */
  take: (limits: readonly CallLimit[]) => Promise<void>;
  /** The provider refused a call: the bucket stays empty for this long. */
  block: (limit: CallLimit, forMs: number) => Promise<void>;
}

/** The part of an order that a refusal is about. The feature maps it to the field of its request. */
export type OrderField =
  | "credentials"
  | "location"
  | "server_type"
  | "image"
  | "network"
  | "volume_size"
  | "volume_type"
  | "static_address"
  | "firewall"
  | "name";

/**
 * A failure at a provider, in one sentence for the reader. `permanent`: the same call fails again. Otherwise it may be repeated
 * after `retryAfterMs` (undefined: the caller's own backoff).
 */
export class CloudError extends AppError {
  readonly field: OrderField | undefined;
  /** The request may have had its effect: check before sending it again. The drivers do so themselves. */
  readonly isUncertain: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    {
      field,
      isUncertain = false,
      ...options
    }: AppErrorOptions & {
      field?: OrderField | undefined;
      isUncertain?: boolean | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.field = field;
    this.isUncertain = isUncertain;
  }
}

// The catalogue ------------------------------------------------------------------------------------------------------------

export interface CloudLocation {
  id: string;
  name: string;
  /** ISO 3166 code of two letters, or null when the provider does not return it. */
  country: string | null;
}

/** Decimal strings with two digits or more. `gross` includes VAT; equal to `net` when the provider does not return it. */
export interface CloudPrice {
  net: string;
  gross: string;
  currency: string;
}

export type Architecture = "x86" | "arm";

export interface CloudServerType {
  name: string;
  description: string;
  cores: number;
  memoryGb: number;
  /** null: the root volume is ordered with the server. */
  diskGb: number | null;
  architecture: Architecture;
  monthlyPrice: CloudPrice;
}

/** A type sold in the location that cannot be offered. */
export interface OmittedType {
  name: string;
  reason: string;
}

/** The values of the contract's `server_os` for which the provider has images. */
export const cloudSystems = ["ubuntu_26_04", "ubuntu_24_04", "ubuntu_22_04"] as const;
export type CloudSystem = (typeof cloudSystems)[number];

export interface CloudImage {
  id: string;
  name: string;
  serverOs: CloudSystem;
  architecture: Architecture;
}

export interface CloudSubnet {
  /** The value of an order's `network` if `networkIsSubnet`. */
  id: string;
  name: string | null;
  cidr: string;
  /** The zone of the subnet; null when a network spans the region. */
  zone: string | null;
  /** Whether servers in it get a public address without a static one. */
  isPublic: boolean;
}

export interface CloudNetwork {
  id: string;
  name: string | null;
  cidr: string;
  isDefault: boolean;
  subnets: CloudSubnet[];
}

/** Plain JSON; may be cached for an hour. */
export interface CloudCatalogue {
  location: string;
  serverTypes: CloudServerType[];
  omitted: OmittedType[];
  images: CloudImage[];
  networks: CloudNetwork[];
  /** Of the public IPv4 address that every server gets; null: unknown. undefined: types include it, or `listPrices` has it. */
  addressPrice?: CloudPrice | null;
  skipped?: SkippedItem[];
}

/** Plain JSON; may be cached for a day. By name of the server type. */
export interface CloudPriceList {
  location: string;
  prices: Record<string, CloudPrice>;
  /** Per GB and month, by volume type. */
  volumes: Record<string, CloudPrice>;
  /** Of one guaranteed operation per second for a month, by volume type. */
  operations?: Record<string, CloudPrice>;
  /** Why there are none, for example a missing permission. */
  problem: string | null;
}

export interface VolumeType {
  name: string;
  minGb: number;
  maxGb: number;
}

export interface VolumeRules {
  types: readonly VolumeType[];
  defaultType: string;
}

// Orders -------------------------------------------------------------------------------------------------------------------

/** An order to be checked before anything is billed. */
export interface OrderRequest {
  location: string;
  serverType: string;
  serverOs: CloudSystem;
  /** A custom image made by `createImage`, instead of the provider's for `serverOs`. */
  image?: string | null | undefined;
  /** A network, or a subnet if the driver's `networkIsSubnet` is set. null: the provider's default. */
  network: string | null;
  /** null when the type includes the disk. */
  volume: { sizeGb: number; type: string } | null;
  /** Ignored if `staticAddress` is "always". */
  useStaticAddress: boolean;
  useFirewall: boolean;
}

/** The result of `checkOrder`. */
export interface OrderQuote {
  /** The id with which the order is placed. */
  image: string;
  architecture: Architecture;
  /** The server with its volume and public address; null when a part of it is unknown. */
  monthlyPrice: CloudPrice | null;
  /** Why it is null, in one sentence. */
  priceProblem?: string | null;
}

/** Identifies an order at the provider, independent of what was stored of it. */
export interface OrderRef {
  /** Unique for the order: 1 to 40 letters a–z, digits and dashes, a letter first. */
  key: string;
  /**
   * The word of this installation, in the same form: distinguishes our resources from those of another installation in the
   * same account.
   */
  owner: string;
  location: string;
}

/** Placed with exactly the same content each time: keep the user data (encrypted) until the server exists. */
export interface ServerOrder extends OrderRequest, OrderRef {
  /** Display name at the provider if it has one; drivers adapt it. */
  name: string;
  /** From the quote. */
  image: string;
  /** Contains the temporary host key: secret. */
  userData: string;
  /** From `ensureFirewall`. */
  firewallId: string | null;
}

/** starting: including the time the provider works on it. gone: deleted or never existed. failed: the provider gave up. */
export type CloudServerState = "starting" | "running" | "stopped" | "gone" | "failed";

export interface CloudServer {
  id: string;
  location: string;
  orderKey: string | null;
  state: CloudServerState;
  /** Why it failed, in the provider's words. */
  problem: string | null;
  /** null until it has one. */
  publicIp: string | null;
  privateIp: string | null;
  serverType: string;
  /** Another operation is running; a resize, for example, has to wait. */
  isBusy: boolean;
  /** The size of its own disk, which a resize keeps; null or undefined: its volumes are separate. */
  diskGb?: number | null;
  /** The action that builds it, for `getServer`; only in the answer to an order. */
  action?: string | null;
  /** Addresses and volumes that came with it; store them, so that the removal can check for them. */
  resources: CloudResource[];
}

export interface ServerRef {
  id: string;
  location: string;
  /** The action that builds it: a server that vanished with it has its failure as `problem`. */
  action?: string | null | undefined;
}

/** How far an image of a server is. */
export interface CloudImageState {
  id: string | null;
  isReady: boolean;
  isMissing?: boolean;
  action?: string;
}

/** Work of a provider on a resource, which continues after the answer to the request. */
export interface CloudAction {
  state: "running" | "succeeded" | "failed";
  /** Why it failed, in the provider's words. */
  problem: string | null;
}

export const goneServer = ({ id, location }: ServerRef): CloudServer => ({
  id,
  location,
  orderKey: null,
  state: "gone",
  problem: null,
  publicIp: null,
  privateIp: null,
  serverType: "",
  isBusy: false,
  resources: [],
});

export type ResourceKind = "server" | "address" | "volume" | "firewall" | "key" | "image";

/** The sequence in which the parts of an order are removed. Images outlive their servers and are removed separately. */
export const removalOrder = [
  "server",
  "address",
  "volume",
  "firewall",
  "key",
] as const satisfies readonly ResourceKind[];

/** It exists at the provider. Plain JSON. */
export interface CloudResource {
  kind: ResourceKind;
  id: string;
  location: string;
}

/** It carries our tag. */
export interface TaggedResource extends CloudResource {
  name: string | null;
  /** null: shared by several orders and free of charge. */
  orderKey: string | null;
  createdAt: string | null;
  /** null when unknown; zero when free of charge. */
  monthlyPrice: CloudPrice | null;
  /** An address without a server. It has no tag, so that only records show whether it is ours. */
  isLoose?: boolean;
}

export interface RemainingResource extends CloudResource {
  /** One sentence: why it is still there. */
  reason: string;
}

export interface RemovalOf {
  known: readonly CloudResource[];
  /**
   * It was ordered minutes ago, and its removal has just begun: what the provider does not show yet may appear, and counts as gone
   * after a minute only.
   */
  isFresh?: boolean;
  /** The answer to the order of the server was lost a moment ago: there may be one that is not listed yet. */
  isUncertain?: boolean;
}

export interface CloudDriver {
  readonly providerType: CloudProviderType;
  /** The vendor's name, for display. */
  readonly label: string;
  readonly credentialFields: readonly CredentialField[];
  readonly limits: readonly CallLimit[];
  readonly currency: string;
  /** null: no volume is ordered with a server. */
  readonly volumeRules: VolumeRules | null;
  readonly networkIsSubnet: boolean;
  /** always: a server's address is static without a request. */
  readonly staticAddress: "always" | "optional";
  /** Prices are read by `listPrices` and passed to `readCatalogue`; for other drivers they come with the types. */
  readonly hasSeparatePrices: boolean;
  readonly hasDeleteProtection: boolean;

  /** Whether they have the right form; throws 422 on `credentials`. Makes no call. */
  parseCredentials: (credentials: Record<string, unknown>) => CloudCredentials;
  /** Calls the provider. Returns what identifies the account there. Throws CloudError on field `credentials`. */
  checkCredentials: (access: CloudAccess) => Promise<{ account: string }>;

  listLocations: (access: CloudAccess) => Promise<CloudLocation[]>;
  listPrices: (access: CloudAccess, location: string) => Promise<CloudPriceList>;
  /**
   * Throws CloudError on `location` when it does not exist, and when any part cannot be read. Prices may be a promise: the
   * rest is read at the same time.
   */
  readCatalogue: (
    access: CloudAccess,
    location: string,
    prices?: CloudPriceList | Promise<CloudPriceList>,
  ) => Promise<CloudCatalogue>;

  /** Compares an order with fresh data of the provider (or the given catalogue). Throws CloudError with the field. */
  checkOrder: (
    access: CloudAccess,
    request: OrderRequest,
    known?: { catalogue?: CloudCatalogue | undefined; prices?: CloudPriceList | undefined },
  ) => Promise<OrderQuote>;
  /** Finds or creates the firewall (inbound 22, 80, 443 and ICMP, all outbound). Returns its id for the order. */
  ensureFirewall: (access: CloudAccess, order: OrderRef & Pick<OrderRequest, "network">) => Promise<{ id: string }>;
  /** Finds the server of this key or orders it: never two, even when an earlier call's answer was lost. */
  ensureServer: (access: CloudAccess, order: ServerOrder) => Promise<CloudServer>;
  /** Never throws for a missing server: its state is `gone`. */
  getServer: (access: CloudAccess, ref: ServerRef) => Promise<CloudServer>;
  /** Finds or creates the static address and attaches it to a running server. */
  ensureAddress: (access: CloudAccess, ref: OrderRef & { serverId: string }) => Promise<CloudResource & { ip: string }>;

  /**
   * One attempt to remove everything of an order in `removalOrder`; each removal is checked afterwards. `save` receives
   * everything found before the first removing call. Resolves with what is left: call again later until that is empty.
   */
  removeOrder: (
    access: CloudAccess,
    ref: OrderRef & RemovalOf,
    save: (resources: CloudResource[]) => Promise<void>,
  ) => Promise<RemainingResource[]>;

  powerOff: (access: CloudAccess, ref: ServerRef) => Promise<void>;
  powerOn: (access: CloudAccess, ref: ServerRef) => Promise<void>;
  /**
   * For a stopped server. The disk keeps its size, so that the resize can be undone. Resolves when it was accepted: it is done
   * when `getServer` shows the type. Returns the action if there is one.
   */
  resize: (access: CloudAccess, ref: ServerRef, serverType: string) => Promise<string | null>;
  /** undefined: the provider has no actions, or does not show this one. */
  findAction: (access: CloudAccess, ref: ServerRef, action: string) => Promise<CloudAction | undefined>;
  setDeleteProtection: (access: CloudAccess, ref: ServerRef, isProtected: boolean) => Promise<void>;
  /**
   * Finds or starts an image of the server, which keeps running. Ready when servers can be ordered with it; before that it may
   * have no id. `known`: the id from an earlier call; isMissing: the provider does not show it. `action`: in the answer to the
   * call that started it. Throws a permanent CloudError when the provider gave up.
   */
  ensureImage: (
    access: CloudAccess,
    ref: ServerRef,
    image: { key: string; owner: string; known?: string | null },
  ) => Promise<CloudImageState>;
  removeImage: (access: CloudAccess, ref: { id: string; location: string }) => Promise<void>;

  /** Everything of this owner in the account, in all locations (or the given ones), with its price if known. */
  listTagged: (
    access: CloudAccess,
    of: {
      owner: string;
      locations?: readonly string[] | undefined;
      /** By location, for a driver with separate prices. */
      prices?: Record<string, CloudPriceList> | undefined;
    },
  ) => Promise<TaggedResource[]>;
}
