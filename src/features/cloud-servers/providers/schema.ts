import { type Static, Type } from "typebox";
import { Created, Id, Joined, List, Name, Nullable, named, OneOf, Reply, Timestamp } from "../../../http/schemas.ts";
import { type CloudType, cloudTypes } from "../../servers/schema.ts";

/** A connection to a provider, without its credentials. */
export interface ProviderRow {
  id: number;
  organization_id: number;
  name: string;
  provider_type: CloudType;
  account: string | null;
  created_at: string;
}

const text = Type.String();

const CloudProvider = named(
  "CloudProvider",
  Type.Object({
    id: Id,
    name: text,
    provider_type: OneOf(cloudTypes),
    label: Type.String({ description: "The provider's name, for display" }),
    account: Nullable(Type.String({ description: "The account at the provider that the credentials belong to" })),
    created_at: Timestamp,
  }),
  "A connection to a cloud, without its credentials",
);

export const ProviderList = List(CloudProvider);
export const ProviderCreated = Created(CloudProvider);

const Credential = (description: string) => Type.Optional(Type.String({ maxLength: 2_000, description }));

const CloudCredentials = named(
  "CloudCredentials",
  Type.Object(
    {
      token: Credential("cloud_a, cloud_c"),
      access_key_id: Credential("cloud_b"),
      secret_access_key: Credential("cloud_b"),
    },
    { title: "set of credentials" },
  ),
);

export const ProviderRequest = named(
  "CloudProviderRequest",
  Type.Object({
    name: Name,
    provider_type: OneOf(cloudTypes, { title: "provider type" }),
    credentials: CloudCredentials,
  }),
);
export type ProviderRequest = Static<typeof ProviderRequest>;

export const ProviderDeleteQuery = Type.Object({
  keep_servers: Type.Optional(
    Type.Boolean({
      description:
        "Its servers become custom servers: their machines keep running and are billed until you delete them at the provider",
    }),
  ),
});

// Options --------------------------------------------------------------------------------------------------------------

export const OptionsQuery = Type.Object({
  location: Type.Optional(Type.String({ maxLength: 100, description: "The id of a location or region" })),
});

const Location = named("CloudLocation", Type.Object({ id: text, name: text, country: Nullable(text) }));

const ServerTypeOption = named(
  "CloudServerType",
  Type.Object({
    name: text,
    description: text,
    cores: Type.Integer(),
    memory_gb: Type.Number(),
    disk_gb: Nullable(Type.Number({ description: "null on cloud_b, where the root volume is ordered separately" })),
    architecture: text,
    monthly_price_net: Type.String({ description: "Without VAT" }),
    monthly_price_gross: Type.String({ description: "With VAT; equal to net on cloud_b and cloud_c" }),
    currency: text,
  }),
);

const Image = named("CloudImage", Type.Object({ id: text, name: text, server_os: text, architecture: text }));

const Subnet = named(
  "CloudSubnet",
  Type.Object({
    id: Type.String({ description: "What `cloud_b_subnet_id` takes" }),
    name: Nullable(text),
    cidr: text,
    zone: Nullable(Type.String({ description: "The availability zone that it decides" })),
    is_public: Type.Boolean({ description: "Whether servers in it get a public address without a static one" }),
  }),
);

const Network = named(
  "CloudNetwork",
  Type.Object({ id: text, name: Nullable(text), cidr: text, is_default: Type.Boolean() }),
);

const NetworkWithSubnets = named(
  "CloudNetworkWithSubnets",
  Joined(Network, Type.Object({ subnets: Type.Array(Subnet) })),
);

const OmittedType = named(
  "OmittedServerType",
  Type.Object({ name: text, reason: text }),
  "A server type that cannot be ordered, and why",
);

const SkippedItem = named(
  "SkippedCloudItem",
  Type.Object({
    list: Type.String({ description: "The provider's list" }),
    item: Nullable(Type.String({ description: "Its id or name, if that can be read" })),
    reason: text,
  }),
  "An entry of a provider's list that could not be read",
);

const CloudOptions = named(
  "CloudOptions",
  Type.Object({
    location: Nullable(text),
    locations: Type.Optional(Type.Array(Location)),
    server_types: Type.Optional(Type.Array(ServerTypeOption)),
    images: Type.Optional(Type.Array(Image)),
    networks: Type.Optional(
      Type.Array(NetworkWithSubnets, {
        description: "cloud_b: the VPCs of the region with their subnets",
      }),
    ),
    private_networks: Type.Optional(
      Type.Array(Network, {
        description: "cloud_a, cloud_c: what `cloud_a_network` and `cloud_c_vpc_uuid` take",
      }),
    ),
    omitted_types: Type.Optional(
      Type.Array(OmittedType, {
        description: "Sold in the location, and left out of server_types for this reason",
      }),
    ),
    skipped_items: Type.Optional(
      Type.Array(SkippedItem, {
        description: "Entries of the provider's lists of another form than documented, which are left out",
      }),
    ),
  }),
  "What can be ordered from a cloud",
);
export const OptionsReply = Reply(CloudOptions);
