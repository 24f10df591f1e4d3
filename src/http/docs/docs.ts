import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { OpenApiDocument } from "../openapi.ts";
import { docsPage } from "./page.ts";

const asset = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

/** Serves the document for people at /docs; the page is made when first asked for. */
export function addDocs(app: FastifyInstance, document: () => OpenApiDocument): void {
  let made: { page: string; policy: string } | undefined;
  app.get("/docs", (_request, reply) => {
    made ??= makePage(document());
    return reply
      .type("text/html; charset=utf-8")
      .header("Content-Security-Policy", made.policy)
      .header("Referrer-Policy", "no-referrer")
      .send(made.page);
  });
}

function makePage(document: OpenApiDocument): { page: string; policy: string } {
  const assets = { style: asset("style.css"), script: asset("script.js") };
  return { page: docsPage(document, assets), policy: policyFor(assets) };
}

/** The page may run its own script and use its own style, and reach nothing else. */
const policyFor = ({ style, script }: { style: string; script: string }): string =>
  [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;
