import { type Static, Type } from "typebox";
import {
  Created,
  described,
  Id,
  Joined,
  List,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Timestamp,
} from "../../../http/schemas.ts";
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
    provider_type: OneOf(cloudTypes, { description: "What `provider_type` of a new server takes" }),
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
      token: Credential("cloud_a, cloud_c: an API token that may read and write"),
      access_key_id: Credential("cloud_b: the id of an access key"),
      secret_access_key: Credential("cloud_b: the access key itself"),
    },
    {
      title: "set of credentials",
      description: "Those of the provider type; checked with the provider, and never shown",
    },
  ),
);

export const ProviderRequest = named(
  "CloudProviderRequest",
  Type.Object({
    name: described(Name, "For people"),
    provider_type: OneOf(cloudTypes, { title: "provider type", description: "The cloud" }),
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

const Location = named(
  "CloudLocation",
  Type.Object({
    id: described(text, "What `location` of the options and of an order takes"),
    name: described(text, "For display"),
    country: Nullable(described(text, "Two letters, such as DE; null: not known")),
  }),
  "A location or region of a provider",
);

const ServerTypeOption = named(
  "CloudServerType",
  Type.Object({
    name: described(text, "What an order takes"),
    description: described(text, "For display"),
    cores: Type.Integer({ description: "Virtual processors" }),
    memory_gb: Type.Number({ description: "Memory in GB" }),
    disk_gb: Nullable(Type.Number({ description: "null on cloud_b, where the root volume is ordered separately" })),
    architecture: described(text, "Of the processor"),
    monthly_price_net: Type.String({ description: "Without VAT" }),
    monthly_price_gross: Type.String({ description: "With VAT; equal to net on cloud_b and cloud_c" }),
    currency: described(text, "EUR or USD"),
  }),
  "A server type that can be ordered",
);

const Image = named(
  "CloudImage",
  Type.Object({
    id: described(text, "Its id at the provider"),
    name: described(text, "For display"),
    server_os: described(text, "What `server_os` of an order takes"),
    architecture: described(text, "Of the processor"),
  }),
  "An image that an order uses",
);

const Subnet = named(
  "CloudSubnet",
  Type.Object({
    id: Type.String({ description: "What `cloud_b_subnet_id` takes" }),
    name: Nullable(described(text, "For display")),
    cidr: described(text, "Its addresses, such as 10.0.1.0/24"),
    zone: Nullable(Type.String({ description: "The availability zone that it decides" })),
    is_public: Type.Boolean({ description: "Whether servers in it get a public address without a static one" }),
  }),
);

const Network = named(
  "CloudNetwork",
  Type.Object({
    id: described(text, "What an order takes"),
    name: Nullable(described(text, "For display")),
    cidr: described(text, "Its addresses, such as 10.0.0.0/16"),
    is_default: Type.Boolean({ description: "Whether servers join it when an order names none" }),
  }),
  "A private network",
);

const NetworkWithSubnets = named(
  "CloudNetworkWithSubnets",
  Joined(Network, Type.Object({ subnets: Type.Array(Subnet, { description: "In all zones of the region" }) })),
  "A private network with its subnets",
);

const OmittedType = named(
  "OmittedServerType",
  Type.Object({ name: described(text, "The provider's name"), reason: described(text, "Why, in a sentence") }),
  "A server type that cannot be ordered, and why",
);

const SkippedItem = named(
  "SkippedCloudItem",
  Type.Object({
    list: Type.String({ description: "The provider's list" }),
    item: Nullable(Type.String({ description: "Its id or name, if that can be read" })),
    reason: described(text, "What could not be read"),
  }),
  "An entry of a provider's list that could not be read",
);

const CloudOptions = named(
  "CloudOptions",
  Type.Object({
    location: Nullable(described(text, "The requested location; null: none was requested")),
    locations: Type.Optional(Type.Array(Location, { description: "Without `location`: those that can be requested" })),
    server_types: Type.Optional(Type.Array(ServerTypeOption, { description: "Sold in the location now" })),
    images: Type.Optional(Type.Array(Image, { description: "Those of the operating systems that can be ordered" })),
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
