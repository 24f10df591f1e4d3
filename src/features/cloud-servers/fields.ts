import { type FieldErrors, invalid } from "../../lib/errors.ts";
import { CloudError, type OrderField, type OrderRequest } from "../../providers/cloud/driver.ts";
import type { CloudServer } from "../servers/requests.ts";
import type { CloudType } from "../servers/schema.ts";

/** Converts a request of the API for the drivers. */
export function orderRequestOf(body: CloudServer, image: string | null): OrderRequest {
  const common = { serverOs: body.server_os, image };
  switch (body.provider_type) {
    case "cloud_a":
      return {
        ...common,
        location: body.cloud_a_location,
        serverType: body.cloud_a_server_type,
        network: body.cloud_a_network == null ? null : String(body.cloud_a_network),
        volume: null,
        useStaticAddress: false,
        // The server has its own firewall; the provider's is not part of the API.
        useFirewall: false,
      };
    case "cloud_b":
      return {
        ...common,
        location: body.cloud_b_region,
        serverType: body.cloud_b_instance_type,
        network: body.cloud_b_subnet_id,
        volume: { sizeGb: body.cloud_b_volume_size, type: body.cloud_b_volume_type ?? "gp3" },
        useStaticAddress: body.cloud_b_use_static_ip ?? true,
        // Without our security group the machine would get the VPC's default, which allows no inbound connections.
        useFirewall: true,
      };
    case "cloud_c":
      return {
        ...common,
        location: body.cloud_c_region,
        serverType: body.cloud_c_size,
        network: body.cloud_c_vpc_uuid ?? null,
        volume: null,
        useStaticAddress: body.cloud_c_use_reserved_ip ?? false,
        useFirewall: body.cloud_c_use_firewall ?? true,
      };
  }
}

// The API fields of a provider's refusal; a part without a field in this type maps to the nearest one.
const fields: Record<CloudType, Record<OrderField, string>> = {
  cloud_a: {
    credentials: "provider_id",
    location: "cloud_a_location",
    server_type: "cloud_a_server_type",
    image: "server_os",
    network: "cloud_a_network",
    volume_size: "cloud_a_server_type",
    volume_type: "cloud_a_server_type",
    static_address: "cloud_a_location",
    firewall: "cloud_a_location",
    name: "name",
  },
  cloud_b: {
    credentials: "provider_id",
    location: "cloud_b_region",
    server_type: "cloud_b_instance_type",
    image: "server_os",
    network: "cloud_b_subnet_id",
    volume_size: "cloud_b_volume_size",
    volume_type: "cloud_b_volume_type",
    static_address: "cloud_b_use_static_ip",
    firewall: "cloud_b_subnet_id",
    name: "name",
  },
  cloud_c: {
    credentials: "provider_id",
    location: "cloud_c_region",
    server_type: "cloud_c_size",
    image: "server_os",
    network: "cloud_c_vpc_uuid",
    volume_size: "cloud_c_size",
    volume_type: "cloud_c_size",
    static_address: "cloud_c_use_reserved_ip",
    firewall: "cloud_c_use_firewall",
    name: "name",
  },
};

/** The field of the API that a part of an order comes from. */
export const fieldOf = (type: CloudType, field: OrderField, hasSnapshot = false): string =>
  field === "image" && hasSnapshot ? "snapshot_id" : fields[type][field];

/** A provider's refusal as 422 on its field; other errors stay unchanged. */
export function asFieldError(type: CloudType, error: unknown, hasSnapshot = false): unknown {
  if (!(error instanceof CloudError) || error.field === undefined) return error;
  const errors: FieldErrors = { [fieldOf(type, error.field, hasSnapshot)]: error.message };
  return invalid(errors);
}
