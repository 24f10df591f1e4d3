import type { FastifyInstance } from "fastify";
import { lazy } from "../lib/lazy.ts";
import { makePage, sendPage } from "./documents.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

/** The reference of the API for people at /docs, made and compressed for the first reader: it is the same until the next start. */
export function addDocs(app: FastifyInstance, document: () => OpenApiDocument): void {
  const page = lazy(async () => {
    const { referencePage, referencePolicy } = await import("./reference/page.ts");
    return makePage(referencePage(document()), {
      type: "text/html; charset=utf-8",
      policy: referencePolicy,
      quality: 9,
    });
  });
  // Browsers keep it, and ask each time whether it is still the same: another version of Longshore has another page.
  app.get("/docs", async (request, reply) => sendPage(request, reply, await page(), "public, no-cache"));
}
