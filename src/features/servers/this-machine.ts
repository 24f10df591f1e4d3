import { readFile } from "node:fs/promises";
import type { Static } from "typebox";
import { thisMachineKeyFile } from "../../config.ts";
import { rehearse, transaction } from "../../db/transaction.ts";
import { publicKeyOf } from "../../host/ssh/key-pair.ts";
import { parseProbe } from "../../host/system/distribution.ts";
import { planned, planOf } from "../../http/dry-run.ts";
import type { RequestContext } from "../../http/route.ts";
import { ownServerAddresses } from "../../lib/addresses.ts";
import { AppError, invalid } from "../../lib/errors.ts";
import { addServer, refuseOverLimit, settingsOf } from "./actions.ts";
import { addressUsed, keyMissing, newAddressError, notManaged } from "./connections.ts";
import { emitServer } from "./events.ts";
import { findThisMachine, isFirstOrganization, lockThisMachine, startConnecting } from "./queries.ts";
import { customSystems, type ThisMachine, type ThisMachineServer } from "./schema.ts";
import { scheduleLook } from "./setup/connect.ts";

// The machine that Longshore runs on as a server of it. Root on it can read everything of all organizations: its operator
// allows that on the machine itself, and the first organization's Owners, for whom the installation was made, add it.

export async function showThisMachine(ctx: RequestContext): Promise<Static<typeof ThisMachine>> {
  const refusal = await whyNotOffered(ctx);
  if (refusal) return { is_offered: false, reason: refusal.message, public_ip: null, server_os: null };
  return { is_offered: true, reason: null, public_ip: ownServerAddresses()[0] ?? null, server_os: await systemHere() };
}

async function whyNotOffered({ config, pool, actor }: RequestContext): Promise<AppError | undefined> {
  if (config.thisMachine === undefined) return notThisMachine(notManaged);
  const isOwner = actor.role === "Owner" && !actor.restriction;
  if (!isOwner || !(await isFirstOrganization(pool, actor.organizationId)))
    return new AppError("forbidden", ownersOnly);
  const found = await findThisMachine(pool);
  return found && alreadyAdded(found.name);
}

const ownersOnly =
  "Only an Owner of the installation's first organization, whose membership is not restricted, can add the machine that Longshore runs on.";

const alreadyAdded = (name: string): AppError =>
  notThisMachine(`The machine that Longshore runs on is the server ${name} already.`);

const notThisMachine = (sentence: string): AppError => invalid({ this_machine: sentence });

/** As `server_os` names it; null if it is not supported. */
async function systemHere(): Promise<(typeof customSystems)[number] | null> {
  const { id, version } = parseProbe(await readFile("/etc/os-release", "utf8")).distribution;
  return customSystems.find((system) => system === `${id}_${version.replace(".", "_")}`) ?? null;
}

/** Registers the machine of Longshore itself, and starts to connect to it. */
export async function addThisMachine(ctx: RequestContext, body: ThisMachineServer, isDryRun: boolean) {
  const refusal = await whyNotOffered(ctx);
  if (refusal) throw refusal;
  const settings = settingsOf(await whole(ctx, body));
  const publicKey = await ownPublicKey(ctx);
  const carryOut = isDryRun ? rehearse : transaction;
  const serverId = await carryOut(ctx.pool, async (tx) => {
    await lockThisMachine(tx);
    const found = await findThisMachine(tx);
    if (found) throw alreadyAdded(found.name);
    await refuseOverLimit(tx, ctx.actor.organizationId);
    const id = await addServer(tx, ctx, {
      ...settings,
      providerType: "custom",
      providerId: null,
      price: null,
      sshPublicKey: publicKey,
      // The private half stays in its file, which the operator can replace.
      sshPrivateKey: ctx.secrets.encrypt(""),
      isThisMachine: true,
    });
    if (id === undefined) throw invalid({ public_ip: addressUsed });
    await startConnecting(tx, id);
    await scheduleLook(tx, ctx.queue, id);
    await emitServer(tx, { id, organization_id: ctx.actor.organizationId });
    return id;
  });
  if (isDryRun) return planned({ message: `This machine would be added as ${settings.name}.`, plan: planOf({}) });
  return {
    status: "provisioning" as const,
    message: "The machine that Longshore runs on was added. Its setup begins at once, and Longshore stays reachable.",
    server_id: serverId,
  };
}

/** With what was left out. */
async function whole(ctx: RequestContext, body: ThisMachineServer) {
  const address = body.public_ip ?? ownServerAddresses()[0];
  const system = body.server_os ?? (await systemHere());
  const addressError = address
    ? await newAddressError(ctx, address, { isThisMachine: true })
    : "The addresses of this machine cannot be read: give the one that its domains point to.";
  const systemError = system
    ? undefined
    : `This machine runs none of the supported systems: ${customSystems.join(", ")}.`;
  if (!address || !system || addressError || systemError) {
    throw invalid({
      ...(addressError && { public_ip: addressError }),
      ...(systemError && { server_os: systemError }),
    });
  }
  return {
    ...body,
    server_type: 0 as const,
    public_ip: address,
    server_os: system,
    ssh_port: ctx.config.thisMachine ?? 22,
  };
}

async function ownPublicKey({ config }: RequestContext): Promise<string> {
  const publicKey = publicKeyOf(await readFile(thisMachineKeyFile(config), "utf8").catch(() => ""));
  if (publicKey === undefined) throw notThisMachine(keyMissing);
  return publicKey;
}
