import {
  type Architecture,
  type CloudCatalogue,
  type CloudDriver,
  CloudError,
  type CloudServerType,
  type OrderField,
  type OrderQuote,
  type OrderRequest,
} from "./driver.ts";
import { sumOf } from "./prices.ts";

type Rules = Pick<CloudDriver, "label" | "volumeRules" | "networkIsSubnet">;

export const refuse = (field: OrderField, sentence: string): CloudError =>
  new CloudError("refused", sentence, { field, permanent: true });

/** The facts about a snapshot's image that decide where it can be used; null: any. */
export interface OwnImage {
  id: string;
  architecture: Architecture | null;
  minDiskGb: number | null;
  locations: readonly string[] | null;
}

/**
 * Compares an order with a catalogue of its location, and with the image that it names; the price is that of the server with
 * its address. Throws CloudError with the field.
 */
export function checkAgainst(
  rules: Rules,
  request: OrderRequest,
  { catalogue, ownImage }: { catalogue: CloudCatalogue; ownImage?: OwnImage | undefined },
): OrderQuote {
  const { label } = rules;
  const { serverType, serverOs, location } = request;
  const type = catalogue.serverTypes.find(({ name }) => name === serverType);
  if (!type) {
    const omitted = catalogue.omitted.find(({ name }) => name === serverType);
    const reason = omitted ? `: ${omitted.reason}` : "";
    throw refuse("server_type", `${label} does not offer ${serverType} in ${location}${reason}.`);
  }
  checkNetwork(rules, request, catalogue);
  checkVolume(rules, request);
  if (ownImage) checkImage(label, request, type, ownImage);
  const { architecture } = type;
  const offered = catalogue.images.find((each) => each.serverOs === serverOs && each.architecture === architecture);
  const image = ownImage?.id ?? offered?.id;
  if (image === undefined) {
    throw refuse("image", `${label} has no image of ${serverOs} for ${serverType} in ${location}.`);
  }
  return { image, architecture, ...priceOf(label, type, catalogue) };
}

function priceOf(
  label: string,
  { monthlyPrice }: CloudServerType,
  { addressPrice, location }: CloudCatalogue,
): Pick<OrderQuote, "monthlyPrice" | "priceProblem"> {
  if (addressPrice === undefined) return { monthlyPrice };
  if (addressPrice !== null) return { monthlyPrice: sumOf([monthlyPrice, addressPrice], monthlyPrice.currency) };
  return { monthlyPrice: null, priceProblem: `${label} returned no price of an IPv4 address in ${location}.` };
}

function checkImage(label: string, { location, volume }: OrderRequest, type: CloudServerType, image: OwnImage): void {
  if (image.locations !== null && !image.locations.includes(location)) {
    const there = image.locations.join(", ") || "no location";
    throw refuse("image", `The snapshot is not in ${location} at ${label}, but in ${there}.`);
  }
  if (image.architecture !== null && image.architecture !== type.architecture) {
    throw refuse(
      "server_type",
      `The snapshot is of ${image.architecture}, and ${type.name} is of ${type.architecture}.`,
    );
  }
  const diskGb = volume?.sizeGb ?? type.diskGb;
  if (image.minDiskGb === null || diskGb === null || diskGb >= image.minDiskGb) return;
  const field = volume === null ? "server_type" : "volume_size";
  const what = volume === null ? type.name : "the volume";
  throw refuse(field, `The snapshot needs a disk of ${image.minDiskGb} GB, and ${what} has ${diskGb} GB.`);
}

function checkNetwork({ label, networkIsSubnet }: Rules, request: OrderRequest, { networks }: CloudCatalogue): void {
  const { network, location } = request;
  if (network === null) {
    if (networkIsSubnet) throw refuse("network", `A server at ${label} needs a subnet.`);
    return;
  }
  const ids = networkIsSubnet
    ? networks.flatMap(({ subnets }) => subnets.map(({ id }) => id))
    : networks.map((n) => n.id);
  if (!ids.includes(network)) throw refuse("network", `There is no network ${network} in ${location}.`);
}

function checkVolume({ label, volumeRules }: Rules, { volume }: OrderRequest): void {
  if (volumeRules === null) {
    if (volume !== null) throw refuse("volume_size", `A server type at ${label} includes the disk.`);
    return;
  }
  if (volume === null) throw refuse("volume_size", `A server at ${label} needs a volume.`);
  const type = volumeRules.types.find(({ name }) => name === volume.type);
  if (!type) {
    const names = volumeRules.types.map(({ name }) => name).join(", ");
    throw refuse("volume_type", `There is no volume type ${volume.type}: choose one of ${names}.`);
  }
  if (!Number.isInteger(volume.sizeGb) || volume.sizeGb < type.minGb || volume.sizeGb > type.maxGb) {
    throw refuse("volume_size", `A ${type.name} volume has ${type.minGb} to ${type.maxGb} GB.`);
  }
}
