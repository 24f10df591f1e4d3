import {
  type CloudCatalogue,
  type CloudDriver,
  CloudError,
  type OrderField,
  type OrderQuote,
  type OrderRequest,
} from "./driver.ts";

type Rules = Pick<CloudDriver, "label" | "volumeRules" | "networkIsSubnet">;

export const refuse = (field: OrderField, sentence: string): CloudError =>
  new CloudError("refused", sentence, { field, permanent: true });

/**
 * Compares an order with a catalogue of its location; the price is that of the server alone. Throws CloudError with the
 * field.
 */
export function checkAgainst(rules: Rules, request: OrderRequest, catalogue: CloudCatalogue): OrderQuote {
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
  const { architecture, monthlyPrice } = type;
  const offered = catalogue.images.find((each) => each.serverOs === serverOs && each.architecture === architecture);
  const image = request.image ?? offered?.id;
  if (image === undefined) {
    throw refuse("image", `${label} has no image of ${serverOs} for ${serverType} in ${location}.`);
  }
  return { image, architecture, monthlyPrice };
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
