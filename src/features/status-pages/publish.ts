import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { installationUrl } from "../../config.ts";
import type { Context } from "../../context.ts";
import { makePage, type Page, sendPage } from "../../http/documents.ts";
import { notFound } from "../../lib/errors.ts";
import { Cache } from "./cache.ts";
import { readContent } from "./content.ts";
import { listDomains } from "./queries.ts";
import { pagePolicy, renderBadge, renderFeed, renderPage } from "./render.ts";
import { addressOf } from "./schema.ts";

// The pages for visitors. A page is rendered when it is read and then sent from memory, so that many visitors during an outage
// cost each process only a few database queries.

const ages = { freshMs: 5_000, recentMs: 10_000, staleMs: 600_000, waitMs: 1_000 };
const pageAges = { ...ages, size: 1_000 };
const domainAges = { ...ages, size: 1 };

type View = "page" | "feed" | "badge";
type Published = Record<View, Page>;

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const nothingPolicy = "default-src 'none'; frame-ancestors 'none'";

async function publish(
  { pool, config }: Pick<Context, "pool" | "config">,
  slug: string,
): Promise<Published | undefined> {
  const content = await readContent(pool, slug, new Date());
  if (!content) return undefined;
  const base = addressOf(installationUrl(config), { slug, domain: content.page.domain });
  return {
    page: await makePage(renderPage(content, base), { type: "text/html; charset=utf-8", policy: pagePolicy }),
    feed: await makePage(renderFeed(content, base), {
      type: "application/rss+xml; charset=utf-8",
      policy: nothingPolicy,
    }),
    badge: await makePage(renderBadge(content), { type: "image/svg+xml; charset=utf-8", policy: svgPolicy }),
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

async function published(pages: Cache<Published | undefined>, slug: string, view: View): Promise<Page> {
  const known = slug.length <= 60 && /^[a-z0-9-]+$/.test(slug) ? await pages.get(slug) : undefined;
  if (!known) throw notFound("This address");
  return known[view];
}

const send = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply =>
  sendPage(request, reply, page, "public, max-age=5");
