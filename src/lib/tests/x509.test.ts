import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { describe, test } from "node:test";
import { integer, objectIdentifier, octetString, sequence, time } from "../der.ts";
import { certificateRequest, fingerprintOf, newCertificateKey, selfSignedCertificate } from "../x509.ts";

const openssl = (args: string[], input: string | Buffer): string =>
  execFileSync("openssl", args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });

const notBefore = new Date("2026-01-02T03:04:05Z");
const notAfter = new Date("2051-01-02T03:04:05Z");

describe("DER", () => {
  test("lengths from 128 bytes on have bytes of their own", () => {
    assert.equal(octetString(Buffer.alloc(127)).toString("hex", 0, 2), "047f");
    assert.equal(octetString(Buffer.alloc(128)).toString("hex", 0, 3), "048180");
    assert.equal(octetString(Buffer.alloc(300)).toString("hex", 0, 4), "0482012c");
  });

  test("numbers keep their sign", () => {
    assert.equal(integer(0n).toString("hex"), "020100");
    assert.equal(integer(127n).toString("hex"), "02017f");
    assert.equal(integer(128n).toString("hex"), "02020080");
    assert.equal(integer(65_537n).toString("hex"), "0203010001");
  });

  test("object identifiers and times are as other programs write them", () => {
    assert.equal(objectIdentifier("1.2.840.113549.1.9.14").toString("hex"), "06092a864886f70d01090e");
    assert.equal(time(notBefore).toString("latin1", 2), "260102030405Z");
    assert.equal(time(notAfter).toString("latin1", 2), "20510102030405Z");
    assert.equal(sequence().toString("hex"), "3000");
  });
});

describe("a certificate that signs itself", () => {
  const key = newCertificateKey();
  const made = selfSignedCertificate({ names: ["panel.example.com", "p.example.com"], key, notBefore, notAfter });
  const certificate = new X509Certificate(made);

  test("is valid for its names and its time, and belongs to its key", () => {
    assert.equal(certificate.subjectAltName, "DNS:panel.example.com, DNS:p.example.com");
    assert.deepEqual([certificate.validFromDate, certificate.validToDate], [notBefore, notAfter]);
    assert.ok(certificate.checkPrivateKey(key) && certificate.verify(certificate.publicKey) && !certificate.ca);
    assert.ok(certificate.checkIssued(certificate));
    assert.notEqual(
      certificate.serialNumber,
      new X509Certificate(selfSignedCertificate({ names: ["a.test"], key, notBefore, notAfter })).serialNumber,
    );
  });

  test("is one that openssl reads without complaint", () => {
    const text = openssl(["x509", "-noout", "-text"], made);
    assert.match(text, /Version: 3 /);
    assert.match(text, /Basic Constraints: critical\s+CA:FALSE/);
    assert.match(text, /TLS Web Server Authentication/);
  });

  test("has the fingerprint that others show", () => {
    assert.equal(fingerprintOf(certificate.raw), certificate.fingerprint256);
  });
});

test("the certificate of a challenge has the digest of its key authorization, as a critical extension", () => {
  const key = newCertificateKey();
  const keyAuthorization = "token.thumbprint";
  const made = selfSignedCertificate({ names: ["a.test"], key, notBefore, notAfter, keyAuthorization });
  const digest = createHash("sha256").update(keyAuthorization).digest("hex");
  // The OID 1.3.6.1.5.5.7.1.31, TRUE, and the digest as an OCTET STRING in the one of the extension.
  const expected = `06082b0601050507011f0101ff04220420${digest}`;
  assert.ok(new X509Certificate(made).raw.toString("hex").includes(expected));
});

test("a request has its names and the signature of its key", () => {
  const request = certificateRequest(["panel.example.com", "p.example.com"], newCertificateKey());
  const text = openssl(["req", "-inform", "DER", "-noout", "-text", "-verify"], request);
  assert.match(text, /DNS:panel\.example\.com, DNS:p\.example\.com/);
});
