import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pollUntil } from "../src/lib/clock.ts";
import { freePort } from "../stage/free-port.ts";

const run = promisify(execFile);

/** An authority for one certificate, which answers over OCSP whether the certificate was revoked. */
export interface Responder {
  /** PEM, followed by that of the authority. */
  certificate: string;
  private_key: string;
  close(): void;
}

/** Creates the authority in an empty directory, and answers at an address of this machine: openssl's own responder. */
export async function startResponder(directory: string, host: string, name: string): Promise<Responder> {
  const file = (base: string) => join(directory, base);
  const port = await freePort();
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const openssl = (...args: string[]) => run("openssl", args);
  await openssl(
    ...["req", "-x509", ...key, "-days", "30", "-subj", "/CN=authority"],
    ...["-keyout", file("ca.key"), "-out", file("ca.pem")],
  );
  await openssl("req", ...key, "-subj", "/CN=leaf", "-keyout", file("leaf.key"), "-out", file("leaf.csr"));
  const extensions = `subjectAltName=DNS:${name}\nauthorityInfoAccess=OCSP;URI:http://${host}:${port}\n`;
  await writeFile(file("leaf.ext"), extensions);
  await openssl(
    ...[
      "x509",
      "-req",
      "-in",
      file("leaf.csr"),
      "-CA",
      file("ca.pem"),
      "-CAkey",
      file("ca.key"),
      "-set_serial",
      "4660",
    ],
    ...["-days", "30", "-extfile", file("leaf.ext"), "-out", file("leaf.pem")],
  );
  await writeFile(file("index.txt"), "V\t491231235959Z\t\t1234\tunknown\t/CN=leaf\n");
  const responder = answerAt(port, file);
  await untilAnswering(`http://${host}:${port}`, file);
  const chain = await Promise.all(["leaf.pem", "ca.pem"].map((base) => readFile(file(base), "utf8")));
  const close = (): void => void responder.kill("SIGKILL");
  return { certificate: chain.join(""), private_key: await readFile(file("leaf.key"), "utf8"), close };
}

/** A web server that asks too early waits for minutes until it asks again. */
async function untilAnswering(url: string, file: (base: string) => string): Promise<void> {
  const asking = ["-issuer", file("ca.pem"), "-cert", file("leaf.pem"), "-CAfile", file("ca.pem"), "-timeout", "5"];
  const ask = () =>
    run("openssl", ["ocsp", "-url", url, ...asking]).then(
      () => true,
      () => false,
    );
  if (!(await pollUntil(ask, { timeoutMs: 60_000 }))) throw new Error("The responder of openssl does not answer.");
}

function answerAt(port: number, file: (base: string) => string): ChildProcess {
  const child = spawn(
    "openssl",
    [
      ...["ocsp", "-port", String(port), "-index", file("index.txt"), "-ndays", "1"],
      ...["-CA", file("ca.pem"), "-rsigner", file("ca.pem"), "-rkey", file("ca.key")],
    ],
    { stdio: "ignore" },
  );
  const killIt = (): void => void child.kill("SIGKILL");
  process.once("exit", killIt);
  child.once("exit", () => process.off("exit", killIt));
  return child;
}
