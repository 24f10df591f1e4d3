import type { Static } from "typebox";
import type { Certificate, CertificateAnswer } from "./schema.ts";

// Examples for the API documentation.

export const certificateExample: Static<typeof Certificate> = {
  id: 5,
  project_id: 7,
  domain_id: 12,
  cert_name: "shop.example.com",
  cert_path: "/etc/longshore/tls/project-7/41/fullchain.pem",
  cert_key_path: "/etc/longshore/tls/project-7/41/privkey.pem",
  status: 1,
  expires_at: "2026-05-30",
  renews_at: "2026-04-30",
  source: "acme",
  names: ["shop.example.com"],
  left_out: [],
  error: null,
};

const done = { ok: true, system_output: [] };

export const certificateAnswerExample: Static<typeof CertificateAnswer> = {
  status: "success",
  message: "The certificate is served for shop.example.com.",
  data: { ssl_response: done, nginx_response: done },
};

export const removalExample: Static<typeof CertificateAnswer> = {
  status: "success",
  message: "The certificate was removed. The site is served over HTTP.",
  data: {
    ssl_response: { ok: true, system_output: ["The certificate is not renewed any more."] },
    nginx_response: done,
  },
};
