import acme from "acme-client";
import { mustRun } from "../sandbox/command.ts";
import { enterCommand } from "../sandbox/sandbox.ts";

export interface BareOrder {
  directoryUrl: string;
  trusted: string;
  /** The server that proves the name. */
  server: string;
  name: string;
}

/**
 * The same certificate with a few lines around acme-client, too little for a product: no checks before or after, its key is made
 * here and stays in memory, and no web server uses it.
 */
export async function bareClient({ directoryUrl, trusted, server, name }: BareOrder): Promise<() => Promise<void>> {
  const { Agent } = await import("node:https");
  acme.axios.defaults.httpsAgent = new Agent({ ca: trusted, keepAlive: true });
  const accountKey = await acme.crypto.createPrivateEcdsaKey();
  const client = new acme.Client({ directoryUrl, accountKey, backoffMin: 50, backoffMax: 500 });
  await client.createAccount({ termsOfServiceAgreed: true });
  const inside = await enterCommand(server);
  const onServer = (script: string, ...args: string[]) => mustRun([...inside, "bash", "-c", script, "-", ...args]);
  return async () => {
    const [, csr] = await acme.crypto.createCsr({ commonName: name }, await acme.crypto.createPrivateEcdsaKey());
    await client.auto({
      csr,
      termsOfServiceAgreed: true,
      skipChallengeVerification: true,
      challengePriority: ["http-01"],
      challengeCreateFn: async (_, { token }, content) => {
        await onServer('printf %s "$2" > "/var/lib/longshore/acme/$1"', token, content);
      },
      challengeRemoveFn: async (_, { token }) => {
        await onServer('rm "/var/lib/longshore/acme/$1"', token);
      },
    });
  };
}
