import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { keyToPem, newCertificateKey } from "../../lib/x509.ts";
import { serviceLayout } from "../layout.ts";
import { planCertificate, servableText } from "../site-certificate.ts";

const names = ["a.example.com", "b.example.com"];

describe("the certificate of the site of nginx", () => {
  it("is made here until the service has one, and stays as long as it has the site's names", async (t) => {
    const root = await mkdtemp(join(tmpdir(), "longshore-site-"));
    t.after(() => rm(root, { recursive: true }));
    const layout = serviceLayout(root);
    await mkdir(layout.settingsDirectory, { recursive: true });
    const { path, text, mode } = await planCertificate(layout, names);
    assert.deepEqual([path, mode], [layout.siteCertificate, 0o600]);
    assert.equal(new X509Certificate(text).subjectAltName, "DNS:a.example.com, DNS:b.example.com");
    assert.equal(servableText(text, names), text);
    await writeFile(path, text);
    assert.equal((await planCertificate(layout, ["b.example.com"])).text, text);
    const other = (await planCertificate(layout, ["c.example.com"])).text;
    assert.equal(new X509Certificate(other).subjectAltName, "DNS:c.example.com");
  });

  it("is none of other names, none without its key, and nothing but both", async () => {
    const { text } = await planCertificate(serviceLayout("/none"), names);
    const [chain = "", key = ""] = text.split(/(?=-----BEGIN PRIVATE)/);
    assert.equal(servableText(`before\n${key}between\n${chain}after`, names), text);
    for (const wrong of ["", chain, key, `${chain}${keyToPem(newCertificateKey())}`, chain.replace("M", "A") + key]) {
      assert.equal(servableText(wrong, names), undefined);
    }
    assert.equal(servableText(text, ["c.example.com"]), undefined);
  });
});
