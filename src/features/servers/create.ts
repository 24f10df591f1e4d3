import { rehearse, transaction } from "../../db/transaction.ts";
import { makeKeyPair } from "../../host/ssh/key-pair.ts";
import { planned, planOf } from "../../http/dry-run.ts";
import type { RequestContext } from "../../http/route.ts";
import { type FieldErrors, invalid } from "../../lib/errors.ts";
import { connectCommand } from "./access.ts";
import { addServer, refuseOverLimit, settingsOf } from "./actions.ts";
import { addressUsed, newAddressError } from "./connections.ts";
import { emitServer } from "./events.ts";
import { orderingOf } from "./hooks.ts";
import { startConnecting } from "./queries.ts";
import type { CustomServer } from "./schema.ts";
import { scheduleLook } from "./setup/connect.ts";
import { addThisMachine } from "./this-machine.ts";
import { readOrder, type ServerOrder } from "./validation.ts";

/** Registers a custom server, or orders one from a provider. */
export async function createServer(ctx: RequestContext, given: unknown, isDryRun: boolean) {
  const order = readOrder(given);
  // Errors that only the database can detect are reported together with those of the schema.
  const errors: FieldErrors = { ...order.errors, ...(await recordErrors(ctx, order)) };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  if (order.providerType === undefined) throw new Error("Validation let an unknown provider type through.");
  if (order.providerType === "this_machine") return addThisMachine(ctx, order.body, isDryRun);
  return order.providerType === "custom"
    ? registerServer(ctx, order.body, isDryRun)
    : orderingOf(ctx).order(ctx, order.body, isDryRun);
}

async function recordErrors(ctx: RequestContext, { providerType, body, errors }: ServerOrder): Promise<FieldErrors> {
  if (providerType === undefined || errors.body) return {};
  if (providerType === "this_machine") return {};
  if (providerType === "custom") {
    if (errors.public_ip) return {};
    const error = await newAddressError(ctx, body.public_ip);
    return error ? { public_ip: error } : {};
  }
  if (errors.provider_id) return {};
  const error = await orderingOf(ctx).connectionError(ctx, { id: body.provider_id, type: providerType });
  return error ? { provider_id: error } : {};
}

/**
 * Registers a custom server and starts to connect to it, which succeeds once its owner has run the response's `connect_command`
 * on it.
 */
async function registerServer(ctx: RequestContext, body: CustomServer, isDryRun: boolean) {
  const keys = makeKeyPair("longshore");
  const settings = settingsOf(body);
  const carryOut = isDryRun ? rehearse : transaction;
  const serverId = await carryOut(ctx.pool, async (tx) => {
    await refuseOverLimit(tx, ctx.actor.organizationId);
    const id = await addServer(tx, ctx, {
      ...settings,
      providerType: "custom",
      providerId: null,
      price: null,
      sshPublicKey: keys.publicKey,
      sshPrivateKey: ctx.secrets.encrypt(keys.privateKey),
    });
    if (id === undefined) throw invalid({ public_ip: addressUsed });
    await startConnecting(tx, id);
    await scheduleLook(tx, ctx.queue, id);
    await emitServer(tx, { id, organization_id: ctx.actor.organizationId });
    return id;
  });
  if (isDryRun) return planned({ message: `The server ${settings.name} would be added.`, plan: planOf({}) });
  return {
    status: "provisioning" as const,
    message:
      "The server was added. Run the connect command on it as root; its setup begins as soon as Longshore can sign in.",
    server_id: serverId,
    public_key: keys.publicKey,
    connect_command: connectCommand(keys.publicKey),
  };
}
