import { credentials, startClouds } from "../../../../test/clouds/all.ts";
import type { CloudOptions } from "../../../../test/clouds/cloud.ts";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import { paperMachines } from "../../../../test/clouds/machines.ts";
import { call } from "../../../http/tests/support.ts";
import type { TaggedResource } from "../../../providers/cloud/driver.ts";
import { driverFor } from "../../../providers/cloud/drivers.ts";
import { type CloudType, cloudTypes } from "../../servers/schema.ts";
import type { Stage } from "../../servers/tests/support.ts";
import { getOwner } from "../providers/queries.ts";

/** The fakes of all providers, behind the real drivers, on a stage. */
export async function withFakes(stage: Stage, options: Omit<CloudOptions, "machines"> = {}) {
  const machines = paperMachines();
  const clouds = await startClouds({ machines, ...options });
  // Calls to an unresponsive provider time out soon, but not those to one on a busy machine.
  const driver = (type: CloudType) => driverFor(type, { baseUrls: clouds.settings, timeoutMs: 5_000, pauseMs: 20 });
  Object.assign(stage.ctx, { clouds: driver });
  /** Everything of this installation that is billed at the providers. */
  const listTagged = async (): Promise<TaggedResource[]> => {
    const owner = await getOwner(stage.pool);
    // With the usual timeout: a busy machine is not an error.
    const patient = (type: CloudType) => driverFor(type, { baseUrls: clouds.settings });
    const found = cloudTypes.map((type) => patient(type).listTagged({ credentials: credentials[type] }, { owner }));
    return (await Promise.all(found)).flat();
  };
  return { clouds, machines, listTagged, fakes: [clouds.a, clouds.b, clouds.c] as const };
}

/** Connects an account; the connection's id. */
export async function connectTo({ app, cast }: Stage, type: CloudType): Promise<number> {
  const body = { name: `Our ${type}`, provider_type: type, credentials: credentials[type] };
  const reply = await call(app, "POST /api/v1/server-providers", { token: cast.alice, body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.id;
}

/** An order that each provider accepts. */
export const bodies: Record<CloudType, object> = {
  cloud_a: { cloud_a_location: "fsn1", cloud_a_server_type: "cx23" },
  cloud_b: {
    cloud_b_region: "eu-central-1",
    cloud_b_instance_type: "t3.micro",
    cloud_b_subnet_id: subnetB("eu-central-1", "a"),
    cloud_b_volume_size: 20,
  },
  cloud_c: { cloud_c_region: "fra1", cloud_c_size: "s-1vcpu-1gb" },
};

export const bodyOf = (type: CloudType, providerId: number, more: object = {}) => ({
  provider_type: type,
  provider_id: providerId,
  server_os: "ubuntu_24_04",
  ...bodies[type],
  ...more,
});
