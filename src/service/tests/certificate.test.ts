import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ensureCertificate, isRenewalDue } from "../certificate.ts";
import { type ServiceLayout, serviceLayout } from "../layout.ts";
import { certificateFile } from "../nginx-site.ts";

describe("the certificate of the site", () => {
  let root: string;
  let layout: ServiceLayout;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "longshore-certificate-"));
    layout = serviceLayout(root);
  });

  after(() => rm(root, { recursive: true }));

  const read = () => readFile(certificateFile(layout), "utf8");

  it("is made here until the authority has issued one", async () => {
    await ensureCertificate(layout, ["a.example.com", "b.example.com"]);
    const first = await read();
    assert.equal(new X509Certificate(first).subjectAltName, "DNS:a.example.com, DNS:b.example.com");
    assert.match(first, /END CERTIFICATE-----\n-----BEGIN PRIVATE KEY/);
    assert.equal((await stat(certificateFile(layout))).mode & 0o777, 0o600);
    await ensureCertificate(layout, ["b.example.com"]);
    assert.equal(await read(), first);
    await ensureCertificate(layout, ["c.example.com"]);
    assert.equal(new X509Certificate(await read()).subjectAltName, "DNS:c.example.com");
    assert.deepEqual(await readdir(layout.tls), ["certificate.pem"]);
  });

  /** A certificate of a.example.com for 90 days that another one has signed. */
  function issued(): string {
    const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: root, stdio: "pipe" });
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    openssl("req", "-x509", ...key, "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem");
    openssl("req", "-new", ...key, "-subj", "/CN=a.example.com", "-keyout", "a.key", "-out", "a.csr");
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    return openssl("x509", "-req", "-in", "a.csr", ...by, "-days", "90").toString();
  }

  it("is ordered when there is none of these names, and in the last third of its time", async () => {
    const chain = issued();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    assert.equal(isRenewalDue(undefined, ["a.example.com"]), true);
    assert.equal(isRenewalDue(await read(), ["c.example.com"]), true, "made here");
    assert.equal(isRenewalDue(chain, ["a.example.com"], inDays(59)), false);
    assert.equal(isRenewalDue(chain, ["a.example.com"], inDays(61)), true);
    assert.equal(isRenewalDue(chain, ["a.example.com", "b.example.com"], inDays(1)), true);
  });
});
