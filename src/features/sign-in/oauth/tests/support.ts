import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { keyToPem, newCertificateKey, selfSignedCertificate } from "../../../../lib/x509.ts";

/** A site of programs, with their documents. This process trusts its certificate. */
export interface ProgramSite {
  /** The document that is there from the start. */
  clientId: string;
  callback: string;
  /** The id of a program whose document is answered this way. */
  add(name: string, answer: (response: ServerResponse, id: string) => void): string;
  /** The paths that were requested. */
  requests: string[];
  close(): void;
}

export async function openProgramSite(): Promise<ProgramSite> {
  const key = newCertificateKey();
  const [notBefore, notAfter] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
  const cert = selfSignedCertificate({ names: ["localhost"], key, notBefore, notAfter });
  setDefaultCACertificates([...getCACertificates(), cert]);
  const answers = new Map<string, (response: ServerResponse) => void>();
  const requests: string[] = [];
  const server = createServer({ cert, key: keyToPem(key) }, ({ url = "" }: IncomingMessage, response) => {
    requests.push(url);
    answers.get(url)?.(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const add: ProgramSite["add"] = (name, answer) => {
    const id = `${origin}/${name}`;
    answers.set(`/${name}`, (response) => answer(response, id));
    return id;
  };
  const callback = `${origin}/callback`;
  const clientId = add("client.json", (response, id) => {
    sendDocument(response, {
      client_id: id,
      client_name: "Assistant",
      redirect_uris: [callback, "http://127.0.0.1/callback", "http://localhost:8000/callback?a=b"],
    });
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { clientId, callback, add, requests, close };
}

export const sendDocument = (response: ServerResponse, document: object): void => {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(document));
};
