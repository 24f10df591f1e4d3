import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import {
  createSecureContext,
  createServer as createTlsServer,
  type TLSSocket,
  type Server as TlsServer,
} from "node:tls";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../config.ts";
import type { Logger } from "../../lib/log.ts";
import { limitConnections, singleClient } from "../clients.ts";
import {
  type CertificateSource,
  type Challenges,
  mayBeTrusted,
  type ServerCertificate,
  tlsOptions,
} from "./certificate.ts";
import { protocolsOffered } from "./client-hello.ts";
import { type Http2, http2For } from "./http2.ts";
import { listenOn } from "./listen.ts";
import { plainServer } from "./plain.ts";

// HTTPS of the control plane itself, in front of the application that listens without TLS on loopback. A connection is looked at
// before its handshake, and passed to one of three servers: that of the authority's challenges, HTTP/2, or the application's own.

/** A client has so long to begin its handshake, and then to end it. */
const handshakeMs = 10_000;
const challengeProtocol = "acme-tls/1";
const yearSeconds = 365 * 86_400;

export interface Edge {
  /** Listens on both ports. Rejects with the error of the port that cannot be listened on. */
  listen(): Promise<void>;
  /** SHA-256 of the certificate that is served first, if it signs itself. */
  fingerprint: string | undefined;
}

interface EdgeOptions {
  config: Config;
  log: Logger;
  source: CertificateSource;
  challenges: Challenges;
}

/** Prepares HTTPS for the application; it ends with it. */
export async function openEdge(app: FastifyInstance, { config, log, source, challenges }: EdgeOptions): Promise<Edge> {
  const applicationServer = app.server as HttpServer;
  const http2 = http2For((request, response) => app.routing(request, response));
  const certificate = await source.open((changed) => present(changed));
  const main = createTlsServer({
    ...tlsOptions(certificate),
    ALPNProtocols: ["h2", "http/1.1"],
    handshakeTimeout: handshakeMs,
  });
  main.on("secureConnection", (socket) => {
    (socket.alpnProtocol === "h2" ? http2.server : applicationServer).emit("connection", socket);
  });
  let insists = mayBeTrusted(certificate);
  /** For connections from now on; those that are open keep theirs. */
  function present(changed: ServerCertificate): void {
    main.setSecureContext(tlsOptions(changed));
    insists = mayBeTrusted(changed);
  }
  app.addHook("onRequest", (request, reply, done) => {
    const isOurs = (request.raw.socket as TLSSocket).encrypted === true;
    if (insists && isOurs) reply.header("Strict-Transport-Security", `max-age=${yearSeconds}`);
    done();
  });
  const front = frontServer(main, challengeServer(challenges), config);
  const plain = config.httpPort === "off" ? undefined : plainServer(originsOf(config), challenges, log);
  if (plain) limitConnections(plain, config.connectionsPerAddress, singleClient(config));
  app.addHook("preClose", () => closeAll({ front, plain, http2, source }));
  return {
    fingerprint: insists ? undefined : new X509Certificate(certificate.chain).fingerprint256,
    listen: async () => {
      await listenOn(front.server, config.httpsHost, config.httpsPort);
      if (plain) await listenOn(plain, config.httpsHost, config.httpPort as number);
    },
  };
}

/** The address of each name over HTTPS: at the port of the public address, which may be another one than is listened on. */
export function originsOf({ domains, publicUrl }: Pick<Config, "domains" | "publicUrl">): Map<string, string> {
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isOurs = address?.protocol === "https:" && domains.includes(address.hostname);
  const port = isOurs && address.port !== "" ? `:${address.port}` : "";
  return new Map(domains.map((name) => [name, `https://${name}${port}`]));
}

// Connections --------------------------------------------------------------------------------------------------------------

interface Front {
  server: Server;
  /** Refuses connections from now on, and resolves when the last one has ended. */
  close(): Promise<void>;
}

function frontServer(main: TlsServer, ofChallenges: TlsServer, config: Config): Front {
  const silent = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
    // Until TLS has it, nothing else would handle its error.
    socket.on("error", () => socket.destroy());
    readOffer(socket, (protocols) => {
      silent.delete(socket);
      (protocols.includes(challengeProtocol) ? ofChallenges : main).emit("connection", socket);
    });
  });
  limitConnections(server, config.connectionsPerAddress, singleClient(config));
  return {
    server,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of silent) socket.destroy();
      await closed;
    },
  };
}

/** Reads the first message, and puts it back for the handshake. */
function readOffer(socket: Socket, onOffer: (protocols: readonly string[]) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const late = setTimeout(() => socket.destroy(), handshakeMs).unref();
  const onReadable = (): void => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) bytes = Buffer.concat([bytes, chunk]);
    const protocols = protocolsOffered(bytes);
    if (protocols === undefined) return;
    stop();
    if (bytes.length > 0) socket.unshift(bytes);
    onOffer(protocols);
  };
  const onEnd = (): void => {
    stop();
    socket.destroy();
  };
  const stop = (): void => {
    clearTimeout(late);
    socket.off("readable", onReadable).off("end", onEnd).off("close", stop);
  };
  socket.on("readable", onReadable).on("end", onEnd).on("close", stop);
}

/** Shows an authority the certificate that proves a name (RFC 8737); nothing is sent after the handshake. */
function challengeServer({ findCertificate }: Challenges): TlsServer {
  const server = createTlsServer({
    ALPNProtocols: [challengeProtocol],
    handshakeTimeout: handshakeMs,
    SNICallback: (name, done) => {
      findCertificate(name.toLowerCase()).then(
        (found) =>
          found
            ? done(null, createSecureContext(tlsOptions(found)))
            : done(new Error(`No proof of ${name} is asked for`)),
        (error: Error) => done(error),
      );
    },
  });
  return server.on("secureConnection", (socket) => socket.on("error", () => undefined).end());
}

interface Parts {
  front: Front;
  plain: HttpServer | undefined;
  http2: Http2;
  source: CertificateSource;
}

/** Runs after the application has let its clients leave: connections of HTTP/1.1 end with it, as those without TLS do. */
async function closeAll({ front, plain, http2, source }: Parts): Promise<void> {
  await source.close();
  http2.close();
  plain?.close();
  plain?.closeIdleConnections();
  await front.close();
}
