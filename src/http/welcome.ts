import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { html } from "../lib/html.ts";
import type { WebConsole } from "./console.ts";
import { json } from "./errors.ts";
import { prefersHtml } from "./header-lists.ts";

const about = "Longshore turns servers and git repositories into running web applications.";

const places = {
  docs: { path: "/docs", label: "Reference of the API", text: "every endpoint, with examples" },
  openapi: { path: "/api/v1/openapi.json", label: "OpenAPI document", text: "the same for programs" },
  health: { path: "/api/v1/health", label: "Health", text: "whether this service works" },
};

/** The address itself shows the console to people; without one, and to programs, it says what runs here and where to continue. */
export function addWelcome(app: FastifyInstance, webConsole: WebConsole): void {
  app.get("/", async (request, reply) => {
    reply.header("Vary", "Accept");
    if (!prefersHtml(request.headers.accept)) return reply.type(json).send(body);
    if (await webConsole.sendPage(request, reply)) return reply;
    return reply.type("text/html; charset=utf-8").header("Content-Security-Policy", policy).send(page);
  });
}

const addresses = Object.fromEntries(Object.entries(places).map(([name, { path }]) => [name, path]));

const body = JSON.stringify({ status: "success", message: about, ...addresses });

const style = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #565f6b; --back: #fff; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --text: #eceef1; --soft: #a9b2bd; --back: #101317; --link: #7cb8ff } }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
main { max-width: 34rem; margin: 16vh auto 0; padding: 0 1.5rem 3rem }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2 }
ul { margin: 1.5rem 0; padding: 0; list-style: none }
li { margin: .5rem 0 }
a { color: var(--link) }
.soft { color: var(--soft) }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Longshore</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
<h1>Longshore runs here</h1>
<p>${about} Its web console is not built here: <code>./longshore console build</code> makes it. The API works without it.</p>
<ul>${Object.values(places).map(
  ({ path, label, text }) => html`<li><a href="${path}">${label}</a><span class="soft">: ${text}</span></li>`,
)}</ul>
</main>
</body>
</html>
`.markup;
