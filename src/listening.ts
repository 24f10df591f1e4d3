import { once } from "node:events";
import { createServer } from "node:net";
import { type Config, type SettingName, settings } from "./config.ts";
import { listenOn } from "./http/tls/listen.ts";
import { readCertificateFiles } from "./http/tls/own-files.ts";
import { AppError, messageOf } from "./lib/errors.ts";

/** Where to listen, and the setting of the port. */
interface Place {
  host: string;
  port: number;
  setting: "port" | "httpsPort" | "httpPort";
}

function placesOf({ host, port, domains, httpsHost, httpsPort, httpPort }: Config): Place[] {
  const plain: Place = { host, port, setting: "port" };
  if (domains.length === 0 || httpsPort === "off") return [plain];
  const https: Place = { host: httpsHost, port: httpsPort, setting: "httpsPort" };
  return [
    plain,
    https,
    ...(httpPort === "off" ? [] : [{ host: httpsHost, port: httpPort, setting: "httpPort" as const }]),
  ];
}

/** Throws a sentence when the places are in use, or the certificate is unusable. */
export async function checkServing(config: Config): Promise<void> {
  for (const place of placesOf(config)) await checkPort(place);
  const files = certificateFilesOf(config);
  if (files) await readCertificateFiles(files);
}

/** The files of the operator's own certificate. */
export const certificateFilesOf = ({ tlsCertificateFile: certificate, tlsKeyFile: key }: Config) =>
  certificate === undefined || key === undefined ? undefined : { certificate, key };

/** Listens for a moment. */
async function checkPort(place: Place): Promise<void> {
  const server = createServer();
  try {
    await listenOn(server, place.host, place.port);
  } catch (cause) {
    throw cannotListen(place, cause as NodeJS.ErrnoException);
  }
  server.close();
  await once(server, "close");
}

export function cannotListen({ host, port, setting }: Place, cause: NodeJS.ErrnoException): AppError {
  const isPlain = setting === "port";
  const nameOf = (name: SettingName): string => {
    const { env, flag }: { env: string; flag?: string } = settings[name];
    return flag === undefined ? env : `${flag} or ${env}`;
  };
  const [otherPort, otherHost] = [nameOf(setting), nameOf(isPlain ? "host" : "httpsHost")];
  const nginx = isPlain
    ? ""
    : " If that is the nginx of a server that Longshore manages, set LONGSHORE_HTTPS_PORT=off and let it serve the panel: see docs/operations.md.";
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use by another program. Stop it, or choose another port with ${otherPort}.${nginx}`,
    EACCES: isPlain
      ? `Only root may listen on port ${port}. Choose one above 1023 with ${otherPort}.`
      : `Only root may listen on port ${port}, or a service with AmbientCapabilities=CAP_NET_BIND_SERVICE. Another port can be chosen with ${otherPort}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with ${otherHost}.`,
    ENOTFOUND: `${host} is not the name of an address. Choose another with ${otherHost}.`,
  };
  const message = reasons[cause.code ?? ""] ?? `Cannot listen on port ${port} of ${host}: ${messageOf(cause)}.`;
  return new AppError("configuration", message, { cause });
}
