import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { FastifyInstance } from "fastify";
import { certificateFile } from "../../config.ts";
import type { Context } from "../../context.ts";
import type { ServerCertificate } from "../../http/tls/certificate.ts";
import { messageOf, notFound } from "../../lib/errors.ts";
import { replaceFile } from "../../lib/replace-file.ts";
import { isOrdered } from "./schema.ts";
import { challengesOf, sharedCertificate } from "./served.ts";

/**
 * For a web server in front, which serves HTTPS in place of this process: keeps the certificate with its key in a file, and answers
 * the authority at the port without TLS.
 */
export function mountForWebServer(app: FastifyInstance, ctx: Context): void {
  const { config, log } = ctx;
  if (!isOrdered(config) || config.httpsPort !== "off") return;
  const { findFile } = challengesOf(ctx);
  app.get("/.well-known/acme-challenge/:token", async (request, reply) => {
    const { token } = request.params as { token: string };
    const content = await findFile(token);
    if (content === undefined) throw notFound("This address");
    return reply.type("text/plain; charset=utf-8").header("Cache-Control", "no-store").send(content);
  });
  const source = sharedCertificate(ctx);
  const file = certificateFile(config);
  let kept = Promise.resolve();
  const keepLater = (changed: ServerCertificate): void => {
    kept = kept
      .then(() => keep(file, changed))
      .catch((error: unknown) => log.error(`The certificate could not be stored: ${messageOf(error)}`));
  };
  app.addHook("onReady", async () => {
    keepLater(await source.open(keepLater));
    await kept;
  });
  app.addHook("preClose", async () => {
    await source.close();
    await kept;
  });
}

/** In one file, so that its reader never finds a key of another certificate. */
async function keep(file: string, { chain, key }: ServerCertificate): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, `${chain.trim()}\n${key.trim()}\n`, 0o600);
}
