import { type Static, Type } from "typebox";
import { checkAgainst, type OwnImage, refuse } from "../check.ts";
import type {
  CloudAccess,
  CloudCatalogue,
  CloudDriver,
  CloudImage,
  CloudLocation,
  CloudNetwork,
  CloudServerType,
  CloudSystem,
  OmittedType,
} from "../driver.ts";
import { findResource, type JsonApi, listJson } from "../json-api.ts";
import { omittedOf, recordSkipped } from "../skipped.ts";
import { Image, Location, Network, ServerType } from "./api.ts";
import { label } from "./errors.ts";
import { listPrices, readPrice } from "./prices.ts";

const systems: Record<string, CloudSystem> = {
  "26.04": "ubuntu_26_04",
  "24.04": "ubuntu_24_04",
  "22.04": "ubuntu_22_04",
};

const readLocations = (api: JsonApi, access: CloudAccess) =>
  listJson(api, access, { call: { path: "/locations" }, name: "locations", item: Location, reading: "some" });

export async function listLocations(api: JsonApi, access: CloudAccess): Promise<CloudLocation[]> {
  const locations = await readLocations(api, access);
  return locations.map(({ name, city, country }) => ({ id: name, name: city, country }));
}

export async function readCatalogue(api: JsonApi, given: CloudAccess, location: string): Promise<CloudCatalogue> {
  const { access, skipped } = recordSkipped(given);
  const images = { path: "/images", query: { type: "system", status: "available" } };
  const types = { path: "/server_types" };
  const [locations, offered, systemImages, networks, prices] = await Promise.all([
    readLocations(api, access),
    listJson(api, access, { call: types, name: "server_types", item: ServerType, reading: "some" }),
    listJson(api, access, { call: images, name: "images", item: Image }),
    listJson(api, access, { call: { path: "/networks" }, name: "networks", item: Network }),
    listPrices(api, access),
  ]);
  const place = locations.find(({ name }) => name === location);
  if (!place) throw refuse("location", `${label} has no location ${location}.`);
  const serverTypes: CloudServerType[] = [];
  const omitted: OmittedType[] = omittedOf(skipped, "server_types");
  for (const type of offered) {
    const offer = offerOf(type, location);
    if (offer === undefined) continue;
    if (typeof offer === "string") omitted.push({ name: type.name, reason: offer });
    else serverTypes.push(offer);
  }
  return {
    location,
    serverTypes,
    omitted,
    images: systemImages.flatMap(imageOf),
    networks: networks.flatMap((network) => networkOf(network, place.network_zone)),
    addressPrice: prices.address[location] ?? null,
    skipped,
  };
}

type Offered = Static<typeof ServerType>;

/** The offer, why there is none at present, or undefined when the type is never sold there. */
function offerOf(type: Offered, location: string): CloudServerType | string | undefined {
  const place = type.locations.find(({ name }) => name === location);
  if (!place) return undefined;
  if (place.deprecation && Date.parse(place.deprecation.unavailable_after) <= Date.now()) {
    return "it is not sold any more";
  }
  if (!place.available) return "there is no capacity at present";
  const monthlyPrice = readPrice(type.prices.find((each) => each.location === location)?.price_monthly);
  if (!monthlyPrice) return "it has no price there";
  const { name, description, memory, disk, architecture } = type;
  // The contract has whole cores.
  const cores = Math.max(1, Math.floor(type.cores));
  return { name, description, cores, memoryGb: memory, diskGb: disk, architecture, monthlyPrice };
}

function imageOf({ id, name, description, os_flavor, os_version, architecture }: Static<typeof Image>): CloudImage[] {
  const serverOs = os_flavor === "ubuntu" ? systems[os_version ?? ""] : undefined;
  if (serverOs === undefined || name === null) return [];
  return [{ id: String(id), name: description, serverOs, architecture }];
}

// A server cannot join a network without a subnet in the location's zone.
function networkOf({ id, name, ip_range, subnets }: Static<typeof Network>, zone: string): CloudNetwork[] {
  const inZone = subnets.filter(({ network_zone }) => network_zone === zone);
  if (inZone.length === 0) return [];
  const parts = inZone.map((subnet) => ({ cidr: subnet.ip_range ?? ip_range, zone: null, isPublic: false }));
  return [
    {
      id: String(id),
      name,
      cidr: ip_range,
      isDefault: false,
      subnets: parts.map((part) => ({ id: part.cidr, name: null, ...part })),
    },
  ];
}

// The project's limits cannot be read.
export const checkOrder =
  (api: JsonApi): CloudDriver["checkOrder"] =>
  async (access, request, known = {}) => {
    const [catalogue, ownImage] = await Promise.all([
      known.catalogue ?? readCatalogue(api, access, request.location),
      request.image ? readOwnImage(api, access, request.image) : undefined,
    ]);
    return checkAgainst({ label, volumeRules: null, networkIsSubnet: false }, request, { catalogue, ownImage });
  };

// An image can be used in every location of the project.
async function readOwnImage(api: JsonApi, access: CloudAccess, id: string): Promise<OwnImage> {
  const found = await findResource(api, access, { kind: "image", id }, Type.Object({ image: Image }));
  if (!found) throw refuse("image", `${label} no longer has the image of the snapshot.`);
  const { architecture, disk_size: minDiskGb = null } = found.image;
  return { id, architecture, minDiskGb, locations: null };
}
