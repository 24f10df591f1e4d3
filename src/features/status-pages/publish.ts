import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { installationUrl } from "../../config.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../lib/errors.ts";
import { Cache } from "./cache.ts";
import { readContent } from "./content.ts";
import { listDomains } from "./queries.ts";
import { pagePolicy, renderBadge, renderFeed, renderPage } from "./render.ts";
import { addressOf } from "./schema.ts";

// The pages for visitors. A page is rendered when it is read and then sent from memory, so that many visitors during an outage
// cost each process only a few database queries.

const zipped = promisify(gzip);

const pageAges = { freshMs: 5_000, staleMs: 600_000, size: 1_000 };
const domainAges = { freshMs: 5_000, staleMs: 600_000, size: 1 };

interface Document {
  type: string;
  policy: string;
  tag: string;
  plain: Buffer;
  gzip: Buffer;
}

type View = "page" | "feed" | "badge";
type Published = Record<View, Document>;

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const nothingPolicy = "default-src 'none'; frame-ancestors 'none'";

async function documentOf(type: string, policy: string, text: string): Promise<Document> {
  const plain = Buffer.from(text);
  const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, policy, tag, plain, gzip: await zipped(plain) };
}

async function publish(
  { pool, config }: Pick<Context, "pool" | "config">,
  slug: string,
): Promise<Published | undefined> {
  const content = await readContent(pool, slug, new Date());
  if (!content) return undefined;
  const base = addressOf(installationUrl(config), { slug, domain: content.page.domain });
  return {
    page: await documentOf("text/html; charset=utf-8", pagePolicy, renderPage(content, base)),
    feed: await documentOf("application/rss+xml; charset=utf-8", nothingPolicy, renderFeed(content, base)),
    badge: await documentOf("image/svg+xml; charset=utf-8", svgPolicy, renderBadge(content)),
  };
}

/** `/status/{slug}` and what is below it, and the same at the domains of pages. */
export function mountStatusPages(app: FastifyInstance, ctx: Context): void {
  const pages = new Cache<Published | undefined>((slug) => publish(ctx, slug), pageAges);
  const domains = new Cache<ReadonlyMap<string, string>>(
    async () => new Map((await listDomains(ctx.pool)).map(({ domain, slug }) => [domain, slug])),
    domainAges,
  );
  const views: Record<string, View> = { "": "page", "/feed.xml": "feed", "/badge.svg": "badge" };
  for (const [path, view] of Object.entries(views)) {
    app.get(`/status/:slug${path}`, async (request, reply) => {
      const { slug } = request.params as { slug: string };
      return send(request, reply, await published(pages, slug, view));
    });
  }
  app.addHook("onRequest", async (request, reply) => {
    const view = views[request.url.split("?", 1)[0]?.replace(/\/$/, "") ?? ""];
    if (view === undefined || (request.method !== "GET" && request.method !== "HEAD")) return;
    const host = (request.headers.host ?? "").toLowerCase().replace(/\.?(:\d+)?$/, "");
    const slug = (await domains.get("")).get(host);
    if (slug !== undefined) return send(request, reply, await published(pages, slug, view));
  });
}

async function published(pages: Cache<Published | undefined>, slug: string, view: View): Promise<Document> {
  const known = slug.length <= 60 && /^[a-z0-9-]+$/.test(slug) ? await pages.get(slug) : undefined;
  if (!known) throw notFound("This address");
  return known[view];
}

function send(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  reply
    .type(document.type)
    .header("Content-Security-Policy", document.policy)
    .header("Referrer-Policy", "no-referrer")
    .header("Cache-Control", "public, max-age=5")
    .header("Vary", "Accept-Encoding")
    .header("ETag", document.tag);
  if (request.headers["if-none-match"] === document.tag) return reply.code(304).send();
  if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) return reply.send(document.plain);
  return reply.header("Content-Encoding", "gzip").send(document.gzip);
}
