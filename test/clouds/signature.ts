import { createHash, createHmac } from "node:crypto";
import type { Asked } from "./cloud.ts";

// Signature version 4 as the receiver computes it, independent of the library that the driver signs with.

export interface Signed {
  accessKeyId: string;
  region: string;
  service: string;
}

/** The signer and the scope of the request; undefined when the signature is missing or wrong. */
export function verifySignature(
  asked: Asked,
  secretOf: (accessKeyId: string) => string | undefined,
): Signed | undefined {
  const { authorization = "" } = asked.headers;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/;
  const [, accessKeyId = "", day = "", region = "", service = "", names = "", signature] =
    pattern.exec(authorization) ?? [];
  const secret = secretOf(accessKeyId);
  const time = String(asked.headers["x-amz-date"]);
  if (secret === undefined || !time.startsWith(day)) return undefined;
  const headers = names.split(";").map((name) => `${name}:${String(asked.headers[name]).trim()}\n`);
  const canonical = [asked.method, asked.path, "", headers.join(""), names, hash(asked.body)].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, hash(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    (by, word) => hmac(by, word),
    `AWS4${secret}`,
  );
  const expected = hmac(key, text).toString("hex");
  return signature === expected ? { accessKeyId, region, service } : undefined;
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
