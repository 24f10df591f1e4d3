import { randomBytes } from "node:crypto";
import { type Answer, type Asked, Cloud, type CloudOptions } from "./cloud.ts";
import { type Signed, verifySignature } from "./signature.ts";

// AWS EC2, STS, SSM and the price list on one address: https://docs.aws.amazon.com/AWSEC2/latest/APIReference. Prices are
// illustrative.

export const keyB = {
  access_key_id: "AKIAIOSFODNN7EXAMPLE",
  secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

type Params = Map<string, string>;
type Tags = Record<string, string>;

interface InstanceState {
  id: string;
  region: string;
  type: string;
  image: string;
  subnet: string;
  group: string | undefined;
  token: string;
  /** The value that the token stands for. */
  fingerprint: string;
  state: "pending" | "running" | "shutting-down" | "terminated" | "stopped";
  reason: { code: string; message: string } | undefined;
  volume: string;
  tags: Tags;
  looks: number;
  looksAtEnd: number;
  machineIp: string | null;
  isProtected: boolean;
  launched: string;
}

interface VolumeState {
  id: string;
  region: string;
  size: string;
  type: string;
  tags: Tags;
  instance: string;
  isKept: boolean;
}

interface AddressState {
  id: string;
  region: string;
  ip: string;
  instance: string | undefined;
  association: string | undefined;
  tags: Tags;
  looks: number;
}

interface GroupState {
  id: string;
  region: string;
  vpc: string;
  name: string;
  rules: { protocol: string; port: string }[];
  tags: Tags;
}

interface ImageState {
  id: string;
  region: string;
  name: string;
  tags: Tags;
  looks: number;
  size: string;
  architecture: string;
}

const regions = ["eu-central-1", "us-east-1"];
const vpcOf = (region: string): string => `vpc-${region === "us-east-1" ? "0a" : "0b"}3f8e66a060dc2eb`;
export const subnetB = (region: string, zone: "a" | "b"): string =>
  `subnet-${vpcOf(region).slice(4, 6)}${zone}94189e55e8b279`;

const types = [
  { name: "t3.micro", cores: 2, mib: 1024, architecture: "x86_64", zones: ["a", "b"], hourly: "0.0120000000" },
  { name: "t3.small", cores: 2, mib: 2048, architecture: "x86_64", zones: ["a", "b"], hourly: "0.0240000000" },
  { name: "t4g.small", cores: 2, mib: 2048, architecture: "arm64", zones: ["a"], hourly: "0.0192000000" },
  { name: "m7i.large", cores: 2, mib: 8192, architecture: "x86_64", zones: ["b"], hourly: "0.1206000000" },
  // The price list has no row for it.
  { name: "x9.new", cores: 8, mib: 65536, architecture: "x86_64", zones: ["a"], hourly: undefined },
];

const volumePrices = { gp3: "0.0952000000", gp2: "0.1190000000", io2: "0.1490000000" };

// Up to 32,000 operations per second, and above.
const operationPrices = ["0.0780000000", "0.0546000000"];

const systems = ["22.04", "24.04", "26.04"].flatMap((version, at) =>
  ["amd64", "arm64"].map((processor, index) => ({
    id: `ami-0${at}${index}1e749f67abcde0`,
    version,
    processor,
    system: `ubuntu_${version.replace(".", "_")}`,
    parameter: `/aws/service/canonical/ubuntu/server/${version}/stable/current/${processor}/hvm/${version === "22.04" ? "ebs-gp2" : "ebs-gp3"}/ami-id`,
  })),
);

const codenames: Record<string, string> = { "22.04": "jammy", "24.04": "noble", "26.04": "resolute" };

class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const dryRun = () => new Refusal("DryRunOperation", "Request would have succeeded, but DryRun flag is set.", 412);

const hex = (): string => randomBytes(9).toString("hex").slice(0, 17);

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Objects become elements, lists become `item`s, undefined is omitted. */
function xml(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<item>${xml(item)}</item>`).join("");
  if (typeof value !== "object" || value === null) return escapeXml(String(value));
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `<${name}>${xml(each)}</${name}>`)
    .join("");
}

const declaration = `<?xml version="1.0" encoding="UTF-8"?>`;
const xmlHeaders = { "content-type": "text/xml;charset=UTF-8" };

const tagSet = (tags: Tags) => Object.entries(tags).map(([key, value]) => ({ key, value }));

type Action = (params: Params, region: string) => object;

export class CloudB extends Cloud {
  readonly instances = new Map<string, InstanceState>();
  readonly volumes = new Map<string, VolumeState>();
  readonly addresses = new Map<string, AddressState>();
  readonly groups = new Map<string, GroupState>();
  readonly images = new Map<string, ImageState>();
  /** Types without capacity at the moment of the order. */
  readonly soldOut = new Set<string>();
  /** Actions, or `service:` names, that the key may not use. */
  readonly denied = new Set<string>();
  isReadOnly = false;
  addressLimit = 5;
  /** How many requests that name a new group or address answer that it does not exist; per resource. */
  freshLag = 0;
  private readonly fresh = new Map<string, number>();
  /** How many lists do not contain a new address. */
  addressLag = 0;
  /** Parameters that are not published. */
  readonly unpublished = new Set<string>();
  /** How many requests for a new instance answer that it does not exist. */
  lag = 1;
  /** The next instance ends as terminated for this reason. */
  launchFailure: { code: string; message: string } | undefined;

  constructor(options: CloudOptions = {}) {
    super(options);
  }

  override nameOf({ method, body, headers }: Asked): string {
    const target = headers["x-amz-target"];
    return `${method} ${typeof target === "string" ? target : (new URLSearchParams(body).get("Action") ?? "")}`;
  }

  limited(): Answer {
    return ec2Error("RequestLimitExceeded", "Request limit exceeded.", 503);
  }

  broken(): Answer {
    return ec2Error("InternalError", "An internal error has occurred", 500);
  }

  answer(asked: Asked): Answer {
    const signed = verifySignature(asked, (id) => (id === keyB.access_key_id ? keyB.secret_access_key : undefined));
    if (!signed) return ec2Error("AuthFailure", "AWS was not able to validate the provided access credentials", 401);
    if (signed.service === "pricing") return this.prices(asked);
    if (signed.service === "ssm") return this.parameters(asked);
    return this.query(asked, signed);
  }

  private query(asked: Asked, { region, service }: Signed): Answer {
    const params: Params = new Map(new URLSearchParams(asked.body));
    const action = params.get("Action") ?? "";
    try {
      if (this.denied.has(action) || (this.isReadOnly && service === "ec2" && !action.startsWith("Describe"))) {
        throw new Refusal(
          "UnauthorizedOperation",
          "You are not authorized to perform this operation. Encoded authorization failure message: abc",
          403,
        );
      }
      if (service === "sts") return identity();
      if (!regions.includes(region)) throw new Refusal("OptInRequired", `You are not subscribed to ${region}`);
      const handle = this.actions[action];
      if (!handle) throw new Refusal("InvalidAction", `The action ${action} is not valid`);
      if (params.get("DryRun") === "true" && action !== "RunInstances") throw dryRun();
      const isSingle = [...params.keys()].some((name) => /(Id|InstanceType)\.1$/.test(name));
      const answer = handle(params, region);
      const content = isSingle || "nextToken" in answer ? answer : this.withOdd(answer);
      const body = `${declaration}\n<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>${hex()}</requestId>${xml(content)}</${action}Response>`;
      return { status: 200, headers: xmlHeaders, body };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return ec2Error(error.code, error.message, error.status);
    }
  }

  private withOdd(content: object): object {
    const sets = Object.entries(content).map(([name, set]) => [
      name,
      Array.isArray(set) ? [...set, ...(this.odd[name] ?? [])] : set,
    ]);
    return Object.fromEntries(sets);
  }

  private readonly actions: Record<string, Action> = {
    DescribeRegions: () => ({
      regionInfo: regions.map((regionName) => ({
        optInStatus: "opt-in-not-required",
        regionName,
        regionEndpoint: `ec2.${regionName}.amazonaws.com`,
      })),
    }),
    DescribeInstanceTypes: (params) => this.describeTypes(params),
    DescribeInstanceTypeOfferings: (params, region) => this.describeOfferings(params, region),
    DescribeVpcs: (_params, region) => ({
      vpcSet: [{ vpcId: vpcOf(region), state: "available", cidrBlock: "172.31.0.0/16", isDefault: true, tagSet: [] }],
    }),
    DescribeSubnets: (params, region) => this.describeSubnets(params, region),
    DescribeImages: (params, region) => this.describeImages(params, region),
    DescribeAccountAttributes: () => ({
      accountAttributeSet: [
        { attributeName: "vpc-max-elastic-ips", attributeValueSet: [{ attributeValue: this.addressLimit }] },
      ],
    }),
    DescribeSecurityGroups: (params, region) => ({
      securityGroupInfo: this.select(this.groups, params, region, (group) => ({
        "vpc-id": group.vpc,
        "group-name": group.name,
      })).map(groupView),
    }),
    CreateSecurityGroup: (params, region) => this.createGroup(params, region),
    AuthorizeSecurityGroupIngress: (params) => this.authorize(params),
    RunInstances: (params, region) => this.run(params, region),
    DescribeInstances: (params, region) => this.describeInstances(params, region),
    TerminateInstances: (params, region) => this.terminate(this.instance(params.get("InstanceId.1"), region)),
    RebootInstances: (params, region) => {
      const { id } = this.instance(params.get("InstanceId.1"), region);
      void this.machines.reboot(machineName(id));
      return { return: true };
    },
    StopInstances: (params, region) => this.setState(params, region, "stopped"),
    StartInstances: (params, region) => this.setState(params, region, "running"),
    ModifyInstanceAttribute: (params, region) => this.modify(params, region),
    AllocateAddress: (params, region) => this.allocate(params, region),
    AssociateAddress: (params, region) => this.associate(params, region),
    DisassociateAddress: (params) => this.disassociate(params.get("AssociationId")),
    ReleaseAddress: (params) => this.release(params.get("AllocationId")),
    DescribeAddresses: (params, region) => this.describeAddresses(params, region),
    DescribeVolumes: (params, region) => this.describeVolumes(params, region),
    DeleteVolume: (params) => this.deleteVolume(params.get("VolumeId") ?? ""),
    CreateImage: (params, region) => this.createImage(params, region),
    DeregisterImage: (params) => {
      this.images.delete(params.get("ImageId") ?? "");
      return { return: true };
    },
    DeleteSnapshot: () => ({ return: true }),
  };

  // Filters on tags and on the results of `attributes`.
  private select<State extends { region: string; tags: Tags }>(
    all: Map<string, State>,
    params: Params,
    region: string,
    attributes: (state: State) => Record<string, string> = () => ({}),
  ): State[] {
    const filters = filtersOf(params);
    return [...all.values()].filter((state) => {
      const given = {
        ...attributes(state),
        ...Object.fromEntries(Object.entries(state.tags).map(([k, v]) => [`tag:${k}`, v])),
      };
      return state.region === region && filters.every(({ name, values }) => values.includes(given[name] ?? ""));
    });
  }

  private describeTypes(params: Params): object {
    const asked = params.get("InstanceType.1");
    const found = types.filter(({ name }) => asked === undefined || name === asked);
    if (found.length === 0)
      throw new Refusal("InvalidInstanceType", `The following supplied instance types do not exist: [${asked}]`);
    const size = Number(params.get("MaxResults") ?? 100);
    if (size < 5) throw new Refusal("InvalidParameterValue", "MaxResults is between 5 and 100");
    // Pages of three, so that there is more than one.
    const start = Number(params.get("NextToken") ?? 0);
    const page = found.slice(start, start + 3);
    return {
      instanceTypeSet: page.map((type) => ({
        instanceType: type.name,
        currentGeneration: true,
        processorInfo: { supportedArchitectures: [type.architecture], sustainedClockSpeedInGhz: 2.5 },
        vCpuInfo: { defaultVCpus: type.cores, defaultCores: 1, defaultThreadsPerCore: 2 },
        memoryInfo: { sizeInMiB: type.mib },
      })),
      ...(start + 3 < found.length ? { nextToken: start + 3 } : {}),
    };
  }

  private describeOfferings(params: Params, region: string): object {
    const filters = filtersOf(params);
    const wanted = (name: string) => filters.find((filter) => filter.name === name)?.values ?? [];
    const found = types
      .filter(({ name }) => wanted("instance-type").includes(name))
      .flatMap((type) =>
        type.zones
          .map((zone) => `${region}${zone}`)
          .filter((zone) => wanted("location").includes(zone))
          .map((location) => ({ instanceType: type.name, locationType: "availability-zone", location })),
      );
    return { instanceTypeOfferingSet: found };
  }

  private describeSubnets(params: Params, region: string): object {
    const all = (["a", "b"] as const).map((zone, at) => ({
      subnetId: subnetB(region, zone),
      vpcId: vpcOf(region),
      state: "available",
      cidrBlock: `172.31.${at * 16}.0/20`,
      availabilityZone: `${region}${zone}`,
      availabilityZoneId: `zone-${zone}`,
      availableIpAddressCount: 4091,
      defaultForAz: true,
      mapPublicIpOnLaunch: true,
      tagSet: [],
    }));
    const asked = params.get("SubnetId.1");
    const found = all.filter(({ subnetId }) => asked === undefined || subnetId === asked);
    if (found.length === 0) throw new Refusal("InvalidSubnetID.NotFound", `The subnet ID '${asked}' does not exist`);
    return { subnetSet: found };
  }

  private describeImages(params: Params, region: string): object {
    if (params.get("Owner.1") === "self") {
      const own = this.select(this.images, params, region).filter(({ id }) =>
        [id, undefined].includes(params.get("ImageId.1")),
      );
      return { imagesSet: own.map((image) => ({ ...imageBase, ...this.ownImageView(image) })) };
    }
    const asked = params.get("ImageId.1");
    const own = asked === undefined ? undefined : this.images.get(asked);
    if (own?.region === region) return { imagesSet: [{ ...imageBase, ...this.ownImageView(own) }] };
    const found = systems.filter(({ id }) => asked === undefined || id === asked);
    if (found.length === 0) throw new Refusal("InvalidAMIID.NotFound", `The image id '[${asked}]' does not exist`);
    return {
      imagesSet: found.map(({ id, version, processor }) => ({
        ...imageBase,
        imageId: id,
        imageState: "available",
        architecture: processor === "amd64" ? "x86_64" : "arm64",
        name: `ubuntu/images/hvm-ssd-gp3/ubuntu-${codenames[version]}-${version}-${processor}-server-20261101`,
        creationDate: "2026-11-01T00:00:00.000Z",
        tagSet: [],
      })),
    };
  }

  private ownImageView(image: ImageState) {
    image.looks += 1;
    const imageState = image.looks > this.looksUntilRunning ? "available" : "pending";
    const { id: imageId, name, architecture, size: volumeSize, tags } = image;
    const blockDeviceMapping = [{ deviceName: "/dev/sda1", ebs: { snapshotId: "snap-0123456789abcdef0", volumeSize } }];
    return { imageId, name, imageState, architecture, blockDeviceMapping, tagSet: tagSet(tags) };
  }

  /** Refuses an id that its hosts do not know yet. */
  private know(id: string, refusal: Refusal): void {
    const looks = this.fresh.get(id) ?? 0;
    this.fresh.set(id, looks + 1);
    if (looks < this.freshLag) throw refusal;
  }

  private createGroup(params: Params, region: string): object {
    const name = params.get("GroupName") ?? "";
    const vpc = params.get("VpcId") ?? "";
    if ([...this.groups.values()].some((group) => group.name === name && group.vpc === vpc)) {
      throw new Refusal("InvalidGroup.Duplicate", `The security group '${name}' already exists for VPC '${vpc}'`);
    }
    const id = `sg-${hex()}`;
    this.groups.set(id, { id, region, vpc, name, rules: [], tags: tagsOf(params, "security-group") });
    return { return: true, groupId: id };
  }

  private authorize(params: Params): object {
    const group = this.groups.get(params.get("GroupId") ?? "");
    const unknown = new Refusal("InvalidGroup.NotFound", "The security group does not exist");
    if (!group) throw unknown;
    this.know(group.id, unknown);
    const rules = listOf(params, "IpPermissions").map((prefix) => ({
      protocol: params.get(`${prefix}.IpProtocol`) ?? "",
      port: params.get(`${prefix}.FromPort`) ?? "",
    }));
    const isKnown = rules.some((rule) =>
      group.rules.some((each) => each.protocol === rule.protocol && each.port === rule.port),
    );
    if (isKnown) throw new Refusal("InvalidPermission.Duplicate", "the specified rule already exists");
    group.rules.push(...rules);
    return { return: true };
  }

  private run(params: Params, region: string): object {
    const token = params.get("ClientToken") ?? hex();
    const fingerprint = [...params]
      .filter(([name]) => name !== "ClientToken")
      .map(String)
      .sort()
      .join("&");
    const known = [...this.instances.values()].find((each) => each.token === token && each.region === region);
    if (known && params.has("ClientToken")) {
      if (known.fingerprint === fingerprint) return this.reservation(known);
      throw new Refusal(
        "IdempotentParameterMismatch",
        "The request uses the same client token as a previous, but different, request",
      );
    }
    this.checkRun(params, region);
    if (params.get("DryRun") === "true") {
      throw dryRun();
    }
    return this.reservation(this.launch(params, { region, token, fingerprint }));
  }

  private checkRun(params: Params, region: string): void {
    const type = types.find(({ name }) => name === params.get("InstanceType"));
    if (!type)
      throw new Refusal("InvalidParameterValue", `Invalid value '${params.get("InstanceType")}' for InstanceType.`);
    const subnet = params.get("NetworkInterface.1.SubnetId");
    const zone = (["a", "b"] as const).find((each) => subnetB(region, each) === subnet);
    if (!zone) throw new Refusal("InvalidSubnetID.NotFound", `The subnet ID '${subnet}' does not exist`);
    if (!type.zones.includes(zone)) {
      throw new Refusal(
        "Unsupported",
        `Your requested instance type (${type.name}) is not supported in your requested Availability Zone`,
      );
    }
    const image = params.get("ImageId") ?? "";
    if (!systems.some(({ id }) => id === image) && !this.images.has(image)) {
      throw new Refusal("InvalidAMIID.NotFound", `The image id '[${image}]' does not exist`);
    }
    if (params.get("MetadataOptions.HttpTokens") !== "required")
      throw new Refusal("InvalidParameterValue", "the tests want IMDSv2");
    if (Buffer.from(params.get("UserData") ?? "", "base64").length > 16_384) {
      throw new Refusal("InvalidParameterValue", "User data is limited to 16384 bytes");
    }
    if (params.get("BlockDeviceMapping.1.Ebs.VolumeType") === "io2" && !params.has("BlockDeviceMapping.1.Ebs.Iops")) {
      throw new Refusal("MissingParameter", "The request must contain the parameter iops for volumes of type io2");
    }
    if (params.get("DryRun") === "true") return;
    const group = params.get("NetworkInterface.1.SecurityGroupId.1");
    if (group !== undefined) {
      const unknown = new Refusal("InvalidGroup.NotFound", "The security group does not exist");
      if (!this.groups.has(group)) throw unknown;
      this.know(`${group} at RunInstances`, unknown);
    }
    const living = [...this.instances.values()].filter(({ state }) => state !== "terminated");
    if (living.length >= this.serverLimit) {
      throw new Refusal(
        "VcpuLimitExceeded",
        "You have requested more vCPU capacity than your current vCPU limit allows",
      );
    }
    if (this.soldOut.has(type.name)) {
      throw new Refusal(
        "InsufficientInstanceCapacity",
        `We currently do not have sufficient ${type.name} capacity`,
        500,
      );
    }
  }

  private launch(
    params: Params,
    { region, token, fingerprint }: { region: string; token: string; fingerprint: string },
  ): InstanceState {
    const id = `i-${hex()}`;
    const volume = `vol-${hex()}`;
    const instance: InstanceState = {
      id,
      region,
      token,
      fingerprint,
      type: params.get("InstanceType") ?? "",
      image: params.get("ImageId") ?? "",
      subnet: params.get("NetworkInterface.1.SubnetId") ?? "",
      group: params.get("NetworkInterface.1.SecurityGroupId.1"),
      state: this.launchFailure ? "terminated" : "pending",
      reason: this.launchFailure,
      volume,
      tags: tagsOf(params, "instance"),
      looks: 0,
      looksAtEnd: 0,
      machineIp: null,
      isProtected: false,
      launched: new Date().toISOString(),
    };
    this.instances.set(id, instance);
    if (this.launchFailure) {
      this.launchFailure = undefined;
      return instance;
    }
    this.volumes.set(volume, {
      id: volume,
      region,
      size: params.get("BlockDeviceMapping.1.Ebs.VolumeSize") ?? "8",
      type: params.get("BlockDeviceMapping.1.Ebs.VolumeType") ?? "gp3",
      tags: tagsOf(params, "volume"),
      instance: id,
      isKept: params.get("BlockDeviceMapping.1.Ebs.DeleteOnTermination") !== "true",
    });
    const userData = Buffer.from(params.get("UserData") ?? "", "base64").toString("utf8");
    const image = systems.find((system) => system.id === instance.image)?.system ?? instance.image;
    this.boot({ name: machineName(id), image, userData }, (publicIp) => {
      instance.machineIp = publicIp;
    });
    return instance;
  }

  private reservation(instance: InstanceState): object {
    return {
      reservationId: `r-${hex()}`,
      ownerId: "123456789012",
      groupSet: [],
      instancesSet: [this.instanceView(instance)],
    };
  }

  private describeInstances(params: Params, region: string): object {
    const id = params.get("InstanceId.1");
    if (id !== undefined) {
      const instance = this.instance(id, region);
      instance.looks += 1;
      return { reservationSet: [this.reservation(instance)] };
    }
    const found = this.select(this.instances, params, region, (each) => ({ "client-token": each.token }));
    // Lists lag behind, too.
    const listed = found.filter((instance) => instance.looks++ >= this.lag || instance.state === "terminated");
    return { reservationSet: listed.map((instance) => this.reservation(instance)) };
  }

  private instance(id: string | undefined, region: string): InstanceState {
    const instance = this.instances.get(id ?? "");
    if (!instance || instance.region !== region || (instance.looks < this.lag && instance.looks++ < this.lag)) {
      throw new Refusal("InvalidInstanceID.NotFound", `The instance ID '${id}' does not exist`);
    }
    return instance;
  }

  private instanceView(instance: InstanceState) {
    this.progress(instance);
    const codes = { pending: 0, running: 16, "shutting-down": 32, terminated: 48, stopped: 80 };
    const address = [...this.addresses.values()].find((each) => each.instance === instance.id);
    const isUp = instance.state === "running";
    return {
      instanceId: instance.id,
      imageId: instance.image,
      instanceState: { code: codes[instance.state], name: instance.state },
      reason: "",
      instanceType: instance.type,
      clientToken: instance.token,
      launchTime: instance.launched,
      placement: { availabilityZone: `${instance.region}${instance.subnet.charAt(9)}`, tenancy: "default" },
      subnetId: instance.subnet,
      vpcId: vpcOf(instance.region),
      privateIpAddress: instance.state === "terminated" ? undefined : "172.31.0.4",
      ipAddress: isUp ? (address?.ip ?? instance.machineIp ?? undefined) : undefined,
      stateReason: instance.reason,
      architecture: "x86_64",
      rootDeviceName: "/dev/sda1",
      blockDeviceMapping:
        instance.state === "terminated"
          ? []
          : [
              {
                deviceName: "/dev/sda1",
                ebs: { volumeId: instance.volume, status: "attached", deleteOnTermination: true },
              },
            ],
      tagSet: tagSet(instance.tags),
    };
  }

  private progress(instance: InstanceState): void {
    if (instance.state === "pending" && instance.machineIp !== null && instance.looks > this.looksUntilRunning) {
      instance.state = "running";
    }
    // It is shown once while it shuts down.
    if (instance.state === "shutting-down" && ++instance.looksAtEnd > 1) {
      instance.state = "terminated";
      this.forget(instance);
    }
  }

  private terminate(instance: InstanceState): object {
    if (instance.isProtected) {
      throw new Refusal(
        "OperationNotPermitted",
        `The instance '${instance.id}' may not be terminated. Modify its 'disableApiTermination' instance attribute`,
      );
    }
    const previous = instance.state;
    if (previous !== "terminated") instance.state = "shutting-down";
    instance.reason = {
      code: "Client.UserInitiatedShutdown",
      message: "Client.UserInitiatedShutdown: User initiated shutdown",
    };
    return {
      instancesSet: [
        {
          instanceId: instance.id,
          currentState: { code: 32, name: instance.state },
          previousState: { code: 16, name: previous },
        },
      ],
    };
  }

  private forget(instance: InstanceState): void {
    const volume = this.volumes.get(instance.volume);
    if (volume && !volume.isKept) this.volumes.delete(volume.id);
    for (const address of this.addresses.values()) {
      if (address.instance === instance.id) Object.assign(address, { instance: undefined, association: undefined });
    }
    void this.machines.remove(machineName(instance.id));
  }

  private setState(params: Params, region: string, state: "stopped" | "running"): object {
    const instance = this.instance(params.get("InstanceId.1"), region);
    if (state === "running" && this.soldOut.has(instance.type)) {
      throw new Refusal("InsufficientInstanceCapacity", `There is no Spot or other ${instance.type} capacity`, 500);
    }
    if (state === "running" && this.takeFailure("start") !== undefined) {
      const code = "Server.InsufficientInstanceCapacity";
      instance.reason = { code, message: `${code}: Insufficient capacity to satisfy instance request` };
      return { instancesSet: [] };
    }
    instance.state = state;
    instance.reason = undefined;
    return {
      instancesSet: [{ instanceId: instance.id, currentState: { name: state }, previousState: { name: "running" } }],
    };
  }

  private modify(params: Params, region: string): object {
    const instance = this.instance(params.get("InstanceId"), region);
    const type = params.get("InstanceType.Value");
    if (type !== undefined) {
      if (instance.state !== "stopped")
        throw new Refusal("IncorrectInstanceState", "The instance is not in the 'stopped' state.");
      if (!types.some(({ name }) => name === type))
        throw new Refusal("InvalidInstanceAttributeValue", "Invalid instance type");
      instance.type = type;
    }
    const isProtected = params.get("DisableApiTermination.Value");
    if (isProtected !== undefined) instance.isProtected = isProtected === "true";
    return { return: true };
  }

  private allocate(params: Params, region: string): object {
    const there = [...this.addresses.values()].filter((each) => each.region === region);
    if (there.length >= this.addressLimit)
      throw new Refusal("AddressLimitExceeded", "The maximum number of addresses has been reached.");
    const id = `eipalloc-${hex()}`;
    const tags = tagsOf(params, "elastic-ip");
    // The machine has one address only: a static one for the same order points to it.
    const machine = [...this.instances.values()].find(
      (each) => each.tags["longshore-order"] === tags["longshore-order"] && each.state === "running",
    );
    const ip = machine?.machineIp ?? `198.51.100.${this.newId() % 250}`;
    this.addresses.set(id, {
      id,
      region,
      ip,
      instance: undefined,
      association: undefined,
      tags,
      looks: 0,
    });
    return { publicIp: ip, domain: "vpc", allocationId: id };
  }

  private associate(params: Params, region: string): object {
    const address = this.addresses.get(params.get("AllocationId") ?? "");
    const unknown = new Refusal("InvalidAllocationID.NotFound", "The allocation ID does not exist");
    if (!address) throw unknown;
    this.know(address.id, unknown);
    const instance = this.instance(params.get("InstanceId"), region);
    if (instance.state !== "running") {
      throw new Refusal(
        "IncorrectInstanceState",
        `The instance '${instance.id}' is not in a valid state for this operation.`,
      );
    }
    address.instance = instance.id;
    address.association = `eipassoc-${hex()}`;
    return { return: true, associationId: address.association };
  }

  private disassociate(id: string | undefined): object {
    const address = [...this.addresses.values()].find(({ association }) => association === id);
    if (!address) throw new Refusal("InvalidAssociationID.NotFound", "The association ID does not exist");
    Object.assign(address, { instance: undefined, association: undefined });
    return { return: true };
  }

  private release(id: string | undefined): object {
    const address = this.addresses.get(id ?? "");
    if (!address) throw new Refusal("InvalidAllocationID.NotFound", `The allocation ID '${id}' does not exist`);
    if (address.instance) throw new Refusal("InvalidIPAddress.InUse", "The address is in use.");
    this.addresses.delete(address.id);
    return { return: true };
  }

  private describeAddresses(params: Params, region: string): object {
    const id = params.get("AllocationId.1");
    const found = this.select(this.addresses, params, region).filter((each) =>
      id === undefined ? each.looks++ >= this.addressLag : each.id === id,
    );
    if (id !== undefined && found.length === 0)
      throw new Refusal("InvalidAllocationID.NotFound", "The allocation ID does not exist");
    return {
      addressesSet: found.map((each) => ({
        allocationId: each.id,
        associationId: each.association,
        domain: "vpc",
        instanceId: each.instance,
        publicIp: each.ip,
        tagSet: tagSet(each.tags),
      })),
    };
  }

  private describeVolumes(params: Params, region: string): object {
    const id = params.get("VolumeId.1");
    const found = this.select(this.volumes, params, region).filter((each) => id === undefined || each.id === id);
    if (id !== undefined && found.length === 0)
      throw new Refusal("InvalidVolume.NotFound", `The volume '${id}' does not exist.`);
    return {
      volumeSet: found.map((each) => ({
        volumeId: each.id,
        size: each.size,
        volumeType: each.type,
        status: this.instances.get(each.instance)?.state === "terminated" ? "available" : "in-use",
        availabilityZone: `${region}a`,
        createTime: "2026-11-21T01:54:56.000Z",
        attachmentSet: [],
        tagSet: tagSet(each.tags),
      })),
    };
  }

  private deleteVolume(id: string): object {
    const volume = this.volumes.get(id);
    if (!volume) throw new Refusal("InvalidVolume.NotFound", `The volume '${id}' does not exist.`);
    const owner = this.instances.get(volume.instance);
    if (owner && owner.state !== "terminated") throw new Refusal("VolumeInUse", `Volume ${id} is currently attached`);
    this.volumes.delete(id);
    return { return: true };
  }

  private createImage(params: Params, region: string): object {
    const instance = this.instance(params.get("InstanceId"), region);
    const name = params.get("Name") ?? instance.id;
    if ([...this.images.values()].some((image) => image.name === name)) {
      throw new Refusal("InvalidAMIName.Duplicate", `AMI name ${name} is already in use`);
    }
    const id = `ami-${hex()}`;
    if (params.get("NoReboot") !== "true") void this.machines.reboot(machineName(instance.id));
    const size = this.volumes.get(instance.volume)?.size ?? "8";
    const architecture = types.find((type) => type.name === instance.type)?.architecture ?? "x86_64";
    this.images.set(id, { id, region, name, tags: tagsOf(params, "image"), looks: 0, size, architecture });
    return { imageId: id };
  }

  private parameters(asked: Asked): Answer {
    if (this.denied.has("ssm"))
      return jsonError("AccessDeniedException", "is not authorized to perform: ssm:GetParameters");
    const { Names } = JSON.parse(asked.body) as { Names: string[] };
    const found = systems.filter(({ parameter }) => Names.includes(parameter) && !this.unpublished.has(parameter));
    const Parameters = found.map(({ parameter, id }) => ({ Name: parameter, Type: "String", Value: id, Version: 1 }));
    const InvalidParameters = Names.filter((name) => !found.some(({ parameter }) => parameter === name));
    return { status: 200, headers: jsonHeaders, body: { Parameters, InvalidParameters } };
  }

  private prices(asked: Asked): Answer {
    if (this.denied.has("pricing"))
      return jsonError("AccessDeniedException", "is not authorized to perform: pricing:GetProducts");
    const { Filters, NextToken } = JSON.parse(asked.body) as {
      Filters: { Field: string; Value: string }[];
      NextToken?: string;
    };
    const family = Filters.find(({ Field }) => Field === "productFamily")?.Value;
    const all =
      family === "Storage"
        ? Object.entries(volumePrices).map(([volumeApiName, price]) => product({ volumeApiName }, "GB-Mo", price))
        : family === "System Operation"
          ? operationPrices.map((price) => product({ volumeApiName: "io2" }, "IOPS-Mo", price))
          : types.flatMap(({ name, hourly }) => (hourly ? [product({ instanceType: name }, "Hrs", hourly)] : []));
    const start = Number(NextToken ?? 0);
    const more = start + 2 < all.length ? { NextToken: String(start + 2) } : {};
    return {
      status: 200,
      headers: jsonHeaders,
      body: { FormatVersion: "aws_v1", PriceList: all.slice(start, start + 2), ...more },
    };
  }
}

const machineName = (id: string): string => `b${id.slice(2, 12)}`;

const imageBase = {
  imageOwnerId: "099720109477",
  isPublic: true,
  imageType: "machine",
  rootDeviceType: "ebs",
  rootDeviceName: "/dev/sda1",
  blockDeviceMapping: [{ deviceName: "/dev/sda1", ebs: { snapshotId: "snap-0123456789abcdef0", volumeSize: 8 } }],
};

const groupView = ({ id, vpc, name, rules, tags }: GroupState) => ({
  groupId: id,
  groupName: name,
  groupDescription: name,
  vpcId: vpc,
  ownerId: "123456789012",
  ipPermissions: rules.map(({ protocol, port }) => ({
    ipProtocol: protocol,
    fromPort: port,
    toPort: port,
    groups: [],
    ipRanges: [{ cidrIp: "0.0.0.0/0" }],
    ipv6Ranges: [{ cidrIpv6: "::/0" }],
    prefixListIds: [],
  })),
  ipPermissionsEgress: [],
  tagSet: tagSet(tags),
});

const jsonHeaders = { "content-type": "application/x-amz-json-1.1" };

const jsonError = (code: string, message: string): Answer => ({
  status: 400,
  headers: jsonHeaders,
  body: { __type: code, message },
});

export const refuseB = (code: string, message: string, status = 400): Answer => ec2Error(code, message, status);

const ec2Error = (code: string, message: string, status: number): Answer => ({
  status,
  headers: xmlHeaders,
  body: `${declaration}\n<Response><Errors><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error></Errors><RequestID>${hex()}</RequestID></Response>`,
});

// Unlike EC2's, answers of STS have a wrapper.
const identity = (): Answer => ({
  status: 200,
  headers: xmlHeaders,
  body: `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/longshore</Arn><UserId>AIDAEXAMPLE</UserId><Account>123456789012</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>${hex()}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
});

function product(attributes: Record<string, string>, unit: string, USD: string): string {
  const sku = randomBytes(8).toString("hex").toUpperCase();
  const dimension = {
    unit,
    beginRange: "0",
    endRange: "Inf",
    description: "",
    appliesTo: [],
    rateCode: sku,
    pricePerUnit: { USD },
  };
  return JSON.stringify({
    product: { productFamily: "Compute Instance", attributes: { servicecode: "AmazonEC2", ...attributes }, sku },
    serviceCode: "AmazonEC2",
    terms: {
      OnDemand: { [`${sku}.JRTCKXETXF`]: { priceDimensions: { [`${sku}.JRTCKXETXF.6YS6EN2CT7`]: dimension }, sku } },
    },
    version: "20261115000000",
  });
}

/** The prefixes of a numbered list: `Filter.1`, `Filter.2`, … */
function listOf(params: Params, name: string): string[] {
  const numbers = [...params.keys()].flatMap((key) => new RegExp(`^${name}\\.(\\d+)\\.`).exec(key)?.[1] ?? []);
  return [...new Set(numbers)].map((number) => `${name}.${number}`);
}

const filtersOf = (params: Params) =>
  listOf(params, "Filter").map((prefix) => ({
    name: params.get(`${prefix}.Name`) ?? "",
    values: [...params].filter(([key]) => key.startsWith(`${prefix}.Value.`)).map(([, value]) => value),
  }));

function tagsOf(params: Params, type: string): Tags {
  const prefix = listOf(params, "TagSpecification").find((each) => params.get(`${each}.ResourceType`) === type);
  if (prefix === undefined) return {};
  const tags = listOf(params, `${prefix}.Tag`).map((tag) => [
    params.get(`${tag}.Key`) ?? "",
    params.get(`${tag}.Value`) ?? "",
  ]);
  return Object.fromEntries(tags);
}
