import { createHash } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { lazy } from "../lib/lazy.ts";

/**
 * Serves the reference of the API at /docs, with a form that sends requests. It is a library that runs in the browser and loads
 * everything from this service. The first request loads it: until then the process saves 21 MB.
 */
export function addDocs(app: FastifyInstance): void {
  const open = lazy(openReference);
  app.get("/docs", async (_request, reply) => {
    const { page, policy } = await open();
    return reply
      .type("text/html; charset=utf-8")
      .header("Content-Security-Policy", policy)
      .header("Referrer-Policy", "no-referrer")
      .send(page);
  });
  app.get(scriptPath, async (_request, reply) => {
    const { script } = await open();
    // Five megabytes: too much for each visit.
    return reply.type("text/javascript; charset=utf-8").header("Cache-Control", "private, max-age=86400").send(script);
  });
}

const scriptPath = "/docs/js/scalar.js";

interface Reference {
  page: string;
  policy: string;
  script: Buffer;
}

async function openReference(): Promise<Reference> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const library = Fastify();
  await library.register(scalar, {
    routePrefix: "/docs",
    configuration: {
      url: "/api/v1/openapi.json",
      pageTitle: "Longshore API",
      cdn: scriptPath,
      // Each of these would send requests to the vendor's servers.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: "never",
    },
  });
  const { body: page } = await library.inject("/docs/");
  const { rawPayload: script } = await library.inject(scriptPath);
  await library.close();
  return { page, policy: policyFor(page), script };
}

/** The page may run its own scripts, and connect only to the API. The library writes styles into the page as it builds it. */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text = ""]) => text);
  const hashes = inline
    .filter((text) => text !== "")
    .map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
