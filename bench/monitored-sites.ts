import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

// A separate process: many sites on loopback, in several networks, one of which is closed when the parent asks for it. Arguments:
// the files of certificate and key. Sends its ports when all listen.

export interface SitesReady {
  httpPort: number;
  httpsPort: number;
  doomedPort: number;
}

const siteNetworks = Array.from({ length: 10 }, (_, at) => `127.${at + 1}.0.1`);
export const secureName = "secure.bench.test";
export const doomedCount = 10;
const doomedAddress = "127.99.0.1";

/** URLs of sites, those of the doomed site first; half of the others with TLS, the rest on addresses of several networks. */
export function siteUrls(
  { httpPort, httpsPort, doomedPort }: SitesReady,
  { count, secureHost = secureName }: { count: number; secureHost?: string },
): string[] {
  return Array.from({ length: count }, (_, at) => {
    const n = at + 1;
    if (n <= doomedCount) return `http://${doomedAddress}:${doomedPort}/${n}`;
    if (n % 2 === 0) return `https://${secureHost}:${httpsPort}/${n}`;
    return `http://${siteNetworks[Math.floor(n / 2) % siteNetworks.length]}:${httpPort}/${n}`;
  });
}

if (import.meta.main) await serve(process.argv[2] as string, process.argv[3] as string);

async function serve(certificateFile: string, keyFile: string): Promise<void> {
  const page = "<h1>A site</h1>".repeat(200);
  const answer: Parameters<typeof createServer>[1] = (_request, response) => response.end(page);
  const httpPort = await listen(createServer(answer), 0, siteNetworks[0] as string);
  for (const address of siteNetworks.slice(1)) await listen(createServer(answer), httpPort, address);
  const tls = createTlsServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) }, answer);
  const httpsPort = await listen(tls, 0, "127.0.0.1");
  const doomed = createServer(answer);
  const doomedPort = await listen(doomed, 0, doomedAddress);
  process.on("message", () => doomed.close(() => process.send?.("closed")));
  process.send?.({ httpPort, httpsPort, doomedPort } satisfies SitesReady);
}

async function listen(server: Server, port: number, address: string): Promise<number> {
  server.listen({ port, host: address, backlog: 2_048 });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
