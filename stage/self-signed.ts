import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A self-signed certificate with its key (ECDSA P-256), both PEM. It is valid from now on for `days`; -1: it is expired. */
export async function selfSigned(
  names: readonly string[],
  days = 30,
): Promise<{ certificate: string; private_key: string }> {
  const directory = await mkdtemp(join(tmpdir(), "longshore-signed-"));
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  try {
    await run("openssl", [
      ...[
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        String(Math.abs(days)),
      ],
      ...["-subj", "/CN=own", "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`],
      ...["-keyout", key, "-out", certificate],
    ]);
    if (days < 0)
      await run("openssl", ["x509", "-in", certificate, "-signkey", key, "-days", "-1", "-out", certificate]);
    return { certificate: await readFile(certificate, "utf8"), private_key: await readFile(key, "utf8") };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
