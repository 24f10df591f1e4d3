import { AppError, type AppErrorOptions, type ErrorCode } from "../../lib/errors.ts";

// The API of a cloud provider in words that are the same for all of them. A folder for each provider holds the same files:
// credentials.ts, catalogue.ts, order.ts, remove.ts, errors.ts. Only the folders contain the vendors' names.

export const cloudProviderTypes = ["cloud_a", "cloud_b", "cloud_c"] as const;
export type CloudProviderType = (typeof cloudProviderTypes)[number];

/** The roots of the providers' APIs, without a slash at the end. Default: the public address. */
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
  /** How long one call may take until its answer is read, and how long it is repeated; default 20 s. */
  timeoutMs?: number | undefined;
  /** The first pause before a repeated call or look; default 250 or 500 ms. */
  pauseMs?: number | undefined;
}

/** Names as in the driver's `credentialFields`. Secret as a whole. */
export type CloudCredentials = Record<string, string>;

export interface CredentialField {
  name: string;
  label: string;
  /** Not secret: may be displayed after it was stored. */
  isPublic: boolean;
  pattern: RegExp;
  help: string;
}

/** The credentials of a call. Every method takes them first. */
export interface CloudAccess {
  credentials: CloudCredentials;
  /** Shared by all processes that use this connection. Without it nothing limits the calls but the provider. */
  allowance?: CallAllowance | undefined;
  signal?: AbortSignal | undefined;
}

/** A token bucket: `capacity` calls at once, `refillPerSecond` more for each second. */
export interface CallLimit {
  bucket: string;
  capacity: number;
  refillPerSecond: number;
}

/** The state of a connection's buckets, kept where all processes see it. */
export interface CallAllowance {
  /** Takes one call out of every bucket, or out of none. Returns 0, or the milliseconds until it can be taken. */
  take: (limits: readonly CallLimit[]) => Promise<number>;
  /** The provider refused a call: the bucket is empty for so long. */
  block: (limit: CallLimit, forMs: number) => Promise<void>;
}

/** Part of an order that a refusal is about. The feature maps it to the field of its request. */
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
  readonly retryAfterMs: number | undefined;
  /** The request may have had its effect: look before sending it again. The drivers do so themselves. */
  readonly isUncertain: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    {
      field,
      retryAfterMs,
      isUncertain = false,
      ...options
    }: AppErrorOptions & {
      field?: OrderField | undefined;
      retryAfterMs?: number | undefined;
      isUncertain?: boolean | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.field = field;
    this.retryAfterMs = retryAfterMs;
    this.isUncertain = isUncertain;
  }
}

// The catalogue ------------------------------------------------------------------------------------------------------------

export interface CloudLocation {
  id: string;
  name: string;
  /** ISO 3166 code of two letters, or null where the provider does not give it. */
  country: string | null;
}

/** Decimal strings with two digits or more. `gross` includes VAT; equal to `net` where the provider does not give it. */
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

/** The values of the contract's `server_os` that a provider has images of. */
export const cloudSystems = ["ubuntu_26_04", "ubuntu_24_04", "ubuntu_22_04"] as const;
export type CloudSystem = (typeof cloudSystems)[number];

export interface CloudImage {
  id: string;
  name: string;
  serverOs: CloudSystem;
  architecture: Architecture;
}

export interface CloudSubnet {
  /** The value of an order's `network` where `networkIsSubnet`. */
  id: string;
  name: string | null;
  cidr: string;
  /** The zone that it decides; null where a network spans the region. */
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

/** JSON as it is; may be cached for an hour. */
export interface CloudCatalogue {
  location: string;
  serverTypes: CloudServerType[];
  omitted: OmittedType[];
  images: CloudImage[];
  networks: CloudNetwork[];
}

/** JSON as it is; may be cached for a day. By name of the server type. */
export interface CloudPriceList {
  location: string;
  prices: Record<string, CloudPrice>;
  /** Per GB and month, by volume type. */
  volumes: Record<string, CloudPrice>;
  /** Why there are none, such as a missing permission. */
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
  /** An own image made by `createImage`, instead of the provider's for `serverOs`. */
  image?: string | null | undefined;
  /** A network, or a subnet where the driver's `networkIsSubnet`. null: the provider's default. */
  network: string | null;
  /** null where the type includes the disk. */
  volume: { sizeGb: number; type: string } | null;
  /** Ignored where `staticAddress` is "always". */
  useStaticAddress: boolean;
  useFirewall: boolean;
}

/** The result of `checkOrder`. */
export interface OrderQuote {
  /** The id that the order is placed with. */
  image: string;
  architecture: Architecture;
  /** The server with its volume; null where prices cannot be read. */
  monthlyPrice: CloudPrice | null;
}

/** Identifies an order at the provider, whatever was stored of it. */
export interface OrderRef {
  /** Of this order alone: 1 to 40 letters a–z, digits and dashes, a letter first. */
  key: string;
  /** Of this installation, the same form: distinguishes our things from those of another installation in the same account. */
  owner: string;
  location: string;
}

/**
 * Placed with exactly the same content each time: keep the user data (encrypted) until the server exists.
 */
export interface ServerOrder extends OrderRequest, OrderRef {
  /** Display name at the provider where it has one; drivers make it fit. */
  name: string;
  /** From the quote. */
  image: string;
  /** Contains the temporary host key: secret. */
  userData: string;
  /** From `ensureFirewall`. */
  firewallId: string | null;
}

/** starting: also while the provider works on it. gone: deleted or never there. failed: the provider gave up. */
export type CloudServerState = "starting" | "running" | "stopped" | "gone" | "failed";

export interface CloudServer {
  id: string;
  location: string;
  orderKey: string | null;
  state: CloudServerState;
  /** Why it failed, in the provider's words. */
  problem: string | null;
  /** null until there is one. */
  publicIp: string | null;
  privateIp: string | null;
  serverType: string;
  /** Another operation is running; resize and the like have to wait. */
  isBusy: boolean;
  /** null where that is not read with the server. */
  isDeleteProtected: boolean | null;
  /** Addresses and volumes that came with it; store them, so that the removal can look for them. */
  things: CloudThing[];
}

export interface ServerRef {
  id: string;
  location: string;
}

export type ThingKind = "server" | "address" | "volume" | "firewall" | "key" | "image";

/** The order in which an order is removed. Images outlive their servers and are removed by themselves. */
export const removalOrder = ["server", "address", "volume", "firewall", "key"] as const satisfies readonly ThingKind[];

/** Something that exists at the provider. JSON as it is. */
export interface CloudThing {
  kind: ThingKind;
  id: string;
  location: string;
}

/** Something that carries our tag. */
export interface TaggedThing extends CloudThing {
  name: string | null;
  /** null: shared by several orders and free of charge. */
  orderKey: string | null;
  createdAt: string | null;
  /** null where it is not known; zero where it is free of charge. */
  monthlyPrice: CloudPrice | null;
}

export interface RemainingThing extends CloudThing {
  /** One sentence: why it is still there. */
  reason: string;
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
  /** always: a server's address is static without asking. */
  readonly staticAddress: "always" | "optional";
  /** Prices are read by `listPrices` and given to `readCatalogue`; elsewhere they come with the types. */
  readonly hasSeparatePrices: boolean;
  readonly hasDeleteProtection: boolean;

  /** Whether they have the right form; throws 422 on `credentials`. Reads nothing. */
  parseCredentials: (credentials: Record<string, unknown>) => CloudCredentials;
  /** Asks the provider. Returns what identifies the account there. Throws CloudError on field `credentials`. */
  checkCredentials: (access: CloudAccess) => Promise<{ account: string }>;

  listLocations: (access: CloudAccess) => Promise<CloudLocation[]>;
  listPrices: (access: CloudAccess, location: string) => Promise<CloudPriceList>;
  /**
   * Throws CloudError on `location` for one that does not exist, and whenever a part cannot be read. Prices may still be on
   * their way: the rest is read beside them.
   */
  readCatalogue: (
    access: CloudAccess,
    location: string,
    prices?: CloudPriceList | Promise<CloudPriceList>,
  ) => Promise<CloudCatalogue>;

  /** Compares an order with fresh data of the provider (or the catalogue given). Throws CloudError with the field. */
  checkOrder: (
    access: CloudAccess,
    request: OrderRequest,
    known?: { catalogue?: CloudCatalogue | undefined; prices?: CloudPriceList | undefined },
  ) => Promise<OrderQuote>;
  /** Finds or makes the firewall (inbound 22, 80, 443 and ICMP, all outbound). Its id for the order. */
  ensureFirewall: (access: CloudAccess, order: OrderRef & Pick<OrderRequest, "network">) => Promise<{ id: string }>;
  /** Finds the server of this key or orders it: never two, also when an earlier call's answer was lost. */
  ensureServer: (access: CloudAccess, order: ServerOrder) => Promise<CloudServer>;
  /** By key, tolerant of what the provider's lists do not contain yet. */
  findServer: (access: CloudAccess, ref: OrderRef) => Promise<CloudServer | undefined>;
  /** Never throws for one that is missing: its state is `gone`. */
  getServer: (access: CloudAccess, ref: ServerRef) => Promise<CloudServer>;
  /** Finds or makes the static address and attaches it to a running server. */
  ensureAddress: (access: CloudAccess, ref: OrderRef & { serverId: string }) => Promise<CloudThing & { ip: string }>;

  /** What exists of an order, by its tags; `known` adds ids that cannot be found by tag. */
  listOrdered: (access: CloudAccess, ref: OrderRef, known?: readonly CloudThing[]) => Promise<CloudThing[]>;
  /**
   * One attempt to remove everything of an order in `removalOrder`, each looked at afterwards. `save` receives all that was
   * found before the first call that removes. Resolves with what is left: call again later until that is empty.
   */
  removeOrder: (
    access: CloudAccess,
    ref: OrderRef & { known: readonly CloudThing[] },
    save: (things: CloudThing[]) => Promise<void>,
  ) => Promise<RemainingThing[]>;

  /** Reboots by the provider, not from inside. */
  reboot: (access: CloudAccess, ref: ServerRef) => Promise<void>;
  powerOff: (access: CloudAccess, ref: ServerRef) => Promise<void>;
  powerOn: (access: CloudAccess, ref: ServerRef) => Promise<void>;
  /** For a stopped server. The disk keeps its size, so that it can be undone. */
  resize: (access: CloudAccess, ref: ServerRef, serverType: string) => Promise<void>;
  setDeleteProtection: (access: CloudAccess, ref: ServerRef, isProtected: boolean) => Promise<void>;
  /** Finds or starts an image of the server. Ready when servers can be ordered with it; it may have no id before that. */
  ensureImage: (
    access: CloudAccess,
    ref: ServerRef,
    image: { key: string; owner: string },
  ) => Promise<{ id: string | null; isReady: boolean }>;
  removeImage: (access: CloudAccess, ref: { id: string; location: string }) => Promise<void>;

  /** Everything of this owner in the account, in all locations (or those given), with its price where that is known. */
  listTagged: (
    access: CloudAccess,
    of: {
      owner: string;
      locations?: readonly string[] | undefined;
      /** By location, for a driver with separate prices. */
      prices?: Record<string, CloudPriceList> | undefined;
    },
  ) => Promise<TaggedThing[]>;
}
