import { type TSchema, Type } from "typebox";

// What the providers promise about their answers, by method, path and status: the fields that are always there, with their
// types. `undefined`: an answer without a body.

export type Description = Record<string, TSchema | undefined>;

const { Array: List, Boolean: Flag, Integer, Number: Decimal, Object: Fields, Optional, String: Text } = Type;
const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const AnyFields = Fields({});
const Anything = List(Type.Unknown());

// Hetzner Cloud ------------------------------------------------------------------------------------------------------------

const hetznerList = (name: string, item: TSchema) =>
  Fields({
    [name]: List(item),
    meta: Fields({
      pagination: Fields({
        page: Integer(),
        per_page: Integer(),
        previous_page: OrNull(Integer()),
        next_page: OrNull(Integer()),
        last_page: OrNull(Integer()),
        total_entries: OrNull(Integer()),
      }),
    }),
  });

const Price = Fields({ net: Text(), gross: Text() });
const Labels = Type.Record(Text(), Text());

const Location = Fields({
  id: Integer(),
  name: Text(),
  description: Text(),
  city: Text(),
  country: Text(),
  latitude: Decimal(),
  longitude: Decimal(),
  network_zone: Text(),
});

const ServerType = Fields({
  id: Integer(),
  name: Text(),
  description: Text(),
  architecture: Type.Union([Type.Literal("x86"), Type.Literal("arm")]),
  cores: Integer(),
  memory: Decimal(),
  disk: Decimal(),
  cpu_type: Text(),
  storage_type: Text(),
  prices: List(
    Fields({
      location: Text(),
      price_hourly: Price,
      price_monthly: Price,
      included_traffic: Integer(),
      price_per_tb_traffic: Price,
    }),
  ),
  locations: List(
    Fields({
      id: Integer(),
      name: Text(),
      deprecation: OrNull(Fields({ announced: Text(), unavailable_after: Text() })),
    }),
  ),
});

const HetznerImage = Fields({
  id: Integer(),
  type: Text(),
  status: Text(),
  name: OrNull(Text()),
  description: Text(),
  image_size: OrNull(Decimal()),
  disk_size: Decimal(),
  created: Text(),
  created_from: OrNull(Fields({ id: Integer(), name: Text() })),
  bound_to: OrNull(Integer()),
  os_flavor: Text(),
  os_version: OrNull(Text()),
  architecture: Text(),
  protection: Fields({ delete: Flag() }),
  deprecation: OrNull(AnyFields),
  deleted: OrNull(Text()),
  labels: Labels,
});

const Network = Fields({
  id: Integer(),
  name: Text(),
  ip_range: Text(),
  subnets: List(Fields({ type: Text(), ip_range: Optional(Text()), network_zone: Text(), gateway: OrNull(Text()) })),
  routes: Anything,
  servers: List(Integer()),
  protection: Fields({ delete: Flag() }),
  labels: Labels,
  created: Text(),
  expose_routes_to_vswitch: Flag(),
});

const HetznerFirewall = Fields({
  id: Integer(),
  name: Text(),
  created: Text(),
  labels: Optional(Labels),
  applied_to: Anything,
  rules: List(Fields({ direction: Text(), protocol: Text() })),
});

const Server = Fields({
  id: Integer(),
  name: Text(),
  status: Text(),
  created: Text(),
  public_net: Fields({
    ipv4: OrNull(Fields({ ip: Text(), blocked: Flag(), dns_ptr: Text() })),
    ipv6: OrNull(Fields({ ip: Text(), blocked: Flag(), dns_ptr: OrNull(Anything) })),
    floating_ips: List(Integer()),
  }),
  private_net: List(AnyFields),
  server_type: ServerType,
  location: Location,
  image: OrNull(HetznerImage),
  iso: OrNull(AnyFields),
  rescue_enabled: Flag(),
  locked: Flag(),
  backup_window: OrNull(Text()),
  outgoing_traffic: OrNull(Integer()),
  ingoing_traffic: OrNull(Integer()),
  included_traffic: OrNull(Integer()),
  protection: Fields({ delete: Flag(), rebuild: Flag() }),
  labels: Labels,
  primary_disk_size: Integer(),
});

const HetznerAction = Fields({
  id: Integer(),
  command: Text(),
  status: Type.Union([Type.Literal("running"), Type.Literal("success"), Type.Literal("error")]),
  progress: Integer(),
  started: Text(),
  finished: OrNull(Text()),
  resources: List(Fields({ id: Integer(), type: Text() })),
  error: OrNull(Fields({ code: Text(), message: Text() })),
});

const HetznerRefusal = Fields({
  error: Fields({ code: Text(), message: Text(), details: Optional(OrNull(AnyFields)) }),
});

export const hetzner: Description = {
  "GET /v1/locations 200": hetznerList("locations", Location),
  "GET /v1/server_types 200": hetznerList("server_types", ServerType),
  "GET /v1/images 200": hetznerList("images", HetznerImage),
  "GET /v1/networks 200": hetznerList("networks", Network),
  "GET /v1/pricing 200": Fields({
    pricing: Fields({
      currency: Text(),
      vat_rate: Text(),
      image: Fields({ price_per_gb_month: Price }),
      volume: Fields({ price_per_gb_month: Price }),
      floating_ip: Fields({ price_monthly: Price }),
      floating_ips: Anything,
      primary_ips: Anything,
      load_balancer_types: Anything,
      server_backup: Fields({ percentage: Text() }),
      server_types: Anything,
    }),
  }),
  "GET /v1/firewalls 200": hetznerList("firewalls", HetznerFirewall),
  "POST /v1/firewalls 201": Fields({ firewall: HetznerFirewall, actions: Optional(List(HetznerAction)) }),
  "POST /v1/firewalls 422": HetznerRefusal,
  "GET /v1/firewalls/* 200": Fields({ firewall: HetznerFirewall }),
  "GET /v1/firewalls/* 404": HetznerRefusal,
  "DELETE /v1/firewalls/* 204": undefined,
  "GET /v1/servers 200": hetznerList("servers", Server),
  "POST /v1/servers 201": Fields({
    server: Server,
    action: HetznerAction,
    next_actions: List(HetznerAction),
    root_password: OrNull(Text()),
  }),
  "GET /v1/servers/* 200": Fields({ server: Server }),
  "GET /v1/servers/* 404": HetznerRefusal,
  "DELETE /v1/servers/* 200": Fields({ action: HetznerAction }),
  "POST /v1/servers/*/actions/poweroff 201": Fields({ action: HetznerAction }),
  "POST /v1/servers/*/actions/change_type 201": Fields({ action: HetznerAction }),
  "POST /v1/servers/*/actions/create_image 201": Fields({ action: HetznerAction, image: HetznerImage }),
  "GET /v1/primary_ips 200": hetznerList(
    "primary_ips",
    Fields({
      id: Integer(),
      name: Text(),
      type: Text(),
      assignee_id: OrNull(Integer()),
      assignee_type: Text(),
      created: Text(),
      location: Location,
    }),
  ),
  "GET /v1/primary_ips/* 404": HetznerRefusal,
};

// DigitalOcean -------------------------------------------------------------------------------------------------------------

const digitalOceanList = (name: string, item: TSchema) =>
  Fields({
    [name]: List(item),
    links: Optional(Fields({ pages: Optional(AnyFields) })),
    meta: Fields({ total: Integer() }),
  });

const Region = Fields({
  name: Text(),
  slug: Text(),
  features: List(Text()),
  available: Flag(),
  sizes: List(Text()),
});

const Size = Fields({
  slug: Text(),
  memory: Integer(),
  vcpus: Integer(),
  disk: Integer(),
  transfer: Decimal(),
  price_monthly: Decimal(),
  price_hourly: Decimal(),
  regions: List(Text()),
  available: Flag(),
  description: Text(),
});

const DigitalOceanImage = Fields({
  id: Optional(Integer()),
  name: Optional(Text()),
  type: Optional(Text()),
  distribution: Optional(Text()),
  slug: Optional(OrNull(Text())),
  regions: Optional(List(Text())),
  created_at: Optional(Text()),
  min_disk_size: Optional(OrNull(Integer())),
  size_gigabytes: Optional(OrNull(Decimal())),
  status: Optional(Text()),
});

const Droplet = Fields({
  id: Integer(),
  name: Text(),
  memory: Integer(),
  vcpus: Integer(),
  disk: Integer(),
  locked: Flag(),
  status: Type.Union([Type.Literal("new"), Type.Literal("active"), Type.Literal("off"), Type.Literal("archive")]),
  created_at: Text(),
  features: List(Text()),
  backup_ids: List(Integer()),
  next_backup_window: OrNull(AnyFields),
  snapshot_ids: List(Integer()),
  image: DigitalOceanImage,
  volume_ids: List(Text()),
  size: Size,
  size_slug: Text(),
  networks: Fields({
    v4: Optional(List(Fields({ ip_address: Optional(Text()), type: Optional(Text()) }))),
    v6: Optional(Anything),
  }),
  region: Region,
  tags: List(Text()),
  vpc_uuid: Optional(Text()),
});

const ReservedIp = Fields({
  ip: Optional(Text()),
  region: Optional(Region),
  droplet: Optional(OrNull(Type.Union([Droplet, AnyFields]))),
  locked: Optional(Flag()),
  project_id: Optional(Text()),
});

const DigitalOceanFirewall = Fields({
  id: Optional(Text()),
  name: Optional(Text()),
  status: Optional(Type.Union([Type.Literal("waiting"), Type.Literal("succeeded"), Type.Literal("failed")])),
  created_at: Optional(Text()),
  pending_changes: Optional(List(AnyFields)),
  droplet_ids: Optional(OrNull(List(Integer()))),
  tags: Optional(OrNull(List(Text()))),
  inbound_rules: Optional(OrNull(List(AnyFields))),
  outbound_rules: Optional(OrNull(List(AnyFields))),
});

const DigitalOceanAction = Fields({
  id: Optional(Integer()),
  status: Optional(Type.Union([Type.Literal("in-progress"), Type.Literal("completed"), Type.Literal("errored")])),
  type: Optional(Text()),
  started_at: Optional(Text()),
  completed_at: Optional(OrNull(Text())),
  resource_id: Optional(OrNull(Integer())),
  resource_type: Optional(Text()),
  region: Optional(Region),
  region_slug: Optional(OrNull(Text())),
});

const DigitalOceanRefusal = Fields({ id: Text(), message: Text(), request_id: Optional(Text()) });

export const digitalOcean: Description = {
  "GET /v2/account 200": Fields({
    account: Fields({
      droplet_limit: Integer(),
      floating_ip_limit: Integer(),
      email: Text(),
      uuid: Text(),
      email_verified: Flag(),
      status: Text(),
      status_message: Text(),
      team: Optional(Fields({ uuid: Optional(Text()), name: Optional(Text()) })),
    }),
  }),
  "GET /v2/regions 200": digitalOceanList("regions", Region),
  "GET /v2/sizes 200": digitalOceanList("sizes", Size),
  "GET /v2/images 200": digitalOceanList("images", DigitalOceanImage),
  "GET /v2/vpcs 200": digitalOceanList("vpcs", Fields({ id: Optional(Text()), name: Optional(Text()) })),
  "POST /v2/tags 201": Fields({ tag: Fields({ name: Optional(Text()) }) }),
  "GET /v2/firewalls 200": digitalOceanList("firewalls", DigitalOceanFirewall),
  "POST /v2/firewalls 202": Fields({ firewall: DigitalOceanFirewall }),
  "GET /v2/firewalls/* 200": Fields({ firewall: DigitalOceanFirewall }),
  "GET /v2/firewalls/* 404": DigitalOceanRefusal,
  "DELETE /v2/firewalls/* 204": undefined,
  "GET /v2/droplets 200": digitalOceanList("droplets", Droplet),
  "POST /v2/droplets 202": Fields({ droplet: Droplet, links: Fields({ actions: Optional(List(AnyFields)) }) }),
  "GET /v2/droplets/* 200": Fields({ droplet: Droplet }),
  "GET /v2/droplets/* 404": DigitalOceanRefusal,
  "DELETE /v2/droplets/* 204": undefined,
  "POST /v2/droplets/*/actions 201": Fields({ action: DigitalOceanAction }),
  "GET /v2/droplets/*/actions 200": digitalOceanList("actions", DigitalOceanAction),
  "GET /v2/reserved_ips 200": digitalOceanList("reserved_ips", ReservedIp),
  "POST /v2/reserved_ips 202": Fields({
    reserved_ip: ReservedIp,
    links: Fields({ droplets: Optional(List(AnyFields)), actions: Optional(List(AnyFields)) }),
  }),
  "GET /v2/reserved_ips/* 200": Fields({ reserved_ip: ReservedIp }),
  "GET /v2/reserved_ips/* 404": DigitalOceanRefusal,
  "DELETE /v2/reserved_ips/* 204": undefined,
  "DELETE /v2/tags/* 204": undefined,
  // What the check of a token's scopes provokes.
  "POST /v2/* 422": DigitalOceanRefusal,
  "POST /v2/droplets/*/actions 404": DigitalOceanRefusal,
  "DELETE /v2/*/* 404": DigitalOceanRefusal,
};
