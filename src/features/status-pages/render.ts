import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { html, type Markup } from "../../lib/html.ts";
import { type Content, type Day, overallOf, overallWords, type ShownMonitor } from "./content.ts";
import { type IncidentRow, type IncidentState, shownDays } from "./schema.ts";

const style = readFileSync(new URL("page.css", import.meta.url), "utf8");
const styleHash = createHash("sha256").update(style).digest("base64");

/** The page uses only its own style. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `base` is the address of the page, which the feed is below. */
export const renderPage = (content: Content, base: string): string => {
  const { page, monitors, incidents, at } = content;
  const overall = overallOf(content);
  const isEmpty = overall === "none" && monitors.length === 0;
  const open = incidents.filter(({ resolved_at: resolvedAt }) => resolvedAt === null);
  const resolved = incidents.filter(({ resolved_at: resolvedAt }) => resolvedAt !== null);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${!isEmpty && `${overallWords[overall]} · `}${page.name}</title>
<link rel="alternate" type="application/rss+xml" title="${page.name}" href="${base}/feed.xml">
<style>${{ markup: style }}</style>
</head>
<body>
<header>
<h1 dir="auto">${page.name}</h1>
${paragraphs(page.description, "soft")}
${!isEmpty && html`<p class="overall ${overall}" role="status">${overallWords[overall]}</p>`}
</header>
<main>
${open.length > 0 && html`<h2 id="open">Open incidents</h2><section aria-labelledby="open">${open.map(incidentCard)}</section>`}
<h2 id="monitors">Systems</h2>
<ul aria-labelledby="monitors">${monitors.map(monitorCard)}</ul>
${monitors.length === 0 && html`<p class="soft">No system is shown here yet.</p>`}
${resolved.length > 0 && html`<h2 id="past">Past incidents</h2><section aria-labelledby="past">${resolved.map(incidentCard)}</section>`}
</main>
<footer class="soft">
<p>As of ${moment(at.toISOString())}. <a href="${base}/feed.xml">RSS feed</a></p>
</footer>
</body>
</html>
`.markup;
};

const stateWords = { up: "Working", down: "Down", pending: "Not known yet", unobserved: "Maintenance" } as const;
const stateClasses = { up: "up", down: "down", pending: "none", unobserved: "part" } as const;

const monitorCard = (monitor: ShownMonitor): Markup => html`<li class="card">
<div class="monitor"><h3><bdi>${monitor.name}</bdi></h3><span class="state ${stateClasses[monitor.state]}">${stateWords[monitor.state]}</span></div>
${dayBars(monitor)}
<div class="scale soft" aria-hidden="true"><span>${shownDays} days ago</span><span>${monitor.uptime === undefined ? "" : `${monitor.uptime} %`}</span><span>Today</span></div>
</li>
`;

const barWidth = 10;
const gap = 2;

function dayBars({ days, uptime, name }: ShownMonitor): Markup {
  const bad = days.filter(({ up }) => up !== undefined && up < 1).length;
  const known =
    uptime === undefined ? "nothing was observed" : `${uptime} % up, outages on ${bad} ${bad === 1 ? "day" : "days"}`;
  const width = days.length * barWidth - gap;
  // Days without incidents are one shape for each kind: a page has thousands of days.
  const quiet = ["u", "n"].map((kind) => {
    const shape = days.map((day, at) =>
      classOf(day) === kind ? `M${at * barWidth} 0h${barWidth - gap}v32h-${barWidth - gap}z` : "",
    );
    return html`<path class="${kind}" d="${shape.join("")}"/>`;
  });
  return html`<svg class="days" viewBox="0 0 ${width} 32" preserveAspectRatio="none" role="img" aria-label="${name}, the last ${shownDays} days: ${known}">${quiet}${days.map(badDay)}</svg>`;
}

const badDay = (day: Day, at: number): Markup =>
  day.up === undefined || day.up === 1
    ? html``
    : html`<rect class="${classOf(day)}" x="${at * barWidth}" width="${barWidth - gap}" height="32"><title>${day.day}: down for ${lengthOf(day.downSeconds)}</title></rect>`;

// Less than a hundredth of a day is a short problem, not a lost day.
const badShare = 0.99;

const classOf = ({ up }: Day): string => (up === undefined ? "n" : up === 1 ? "u" : up >= badShare ? "p" : "d");

function lengthOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const incidentWords: Record<IncidentState, string> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};

const incidentCard = ({
  title,
  resolved_at: resolvedAt,
  updates,
}: IncidentRow): Markup => html`<article class="card incident${resolvedAt === null && " open"}">
<h3 dir="auto">${title}</h3>
${updates.map((update) => html`<div class="update"><p><b>${incidentWords[update.state]}</b>${moment(update.created_at)}</p>${paragraphs(update.text)}</div>`)}
</article>
`;

const momentFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

const moment = (iso: string): Markup => html`<time datetime="${iso}">${momentFormat.format(new Date(iso))} UTC</time>`;

const paragraphs = (text: string, style = ""): Markup[] =>
  text
    .split(/\n+/)
    .filter((line) => line.trim() !== "")
    .map((line) => (style === "" ? html`<p dir="auto">${line}</p>` : html`<p class="${style}" dir="auto">${line}</p>`));

// Feed and badge -----------------------------------------------------------------------------------------------------------

export function renderFeed({ page, incidents, at }: Content, base: string): string {
  const items = incidents.flatMap((incident) => incident.updates.map((update) => ({ incident, update })));
  items.sort((one, other) => other.update.created_at.localeCompare(one.update.created_at));
  return html`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${page.name}</title>
<link>${base}/</link>
<description>${page.description || `Incidents of ${page.name}`}</description>
<atom:link href="${base}/feed.xml" rel="self" type="application/rss+xml"/>
<lastBuildDate>${at.toUTCString()}</lastBuildDate>
${items.map(
  ({ incident, update }) => html`<item>
<title>${incidentWords[update.state]}: ${incident.title}</title>
<link>${base}/</link>
<guid isPermaLink="false">${base}/updates/${update.id}</guid>
<pubDate>${new Date(update.created_at).toUTCString()}</pubDate>
<description>${update.text}</description>
</item>
`,
)}</channel>
</rss>
`.markup;
}

const badgeWords = {
  up: "operational",
  part: "problems",
  down: "down",
  maintenance: "maintenance",
  none: "unknown",
} as const;
const badgeColors = {
  up: "#18794e",
  part: "#8a5a00",
  down: "#b4232a",
  maintenance: "#8a5a00",
  none: "#5b6470",
} as const;

export function renderBadge(content: Content): string {
  const overall = overallOf(content);
  const words = badgeWords[overall];
  const [left, right] = [52, words.length * 7 + 16];
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="status: ${words}"><title>status: ${words}</title><rect width="${left + right}" height="20" rx="4" fill="#3a4048"/><path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${right - 4}z" fill="${badgeColors[overall]}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">status</text><text x="${left + right / 2}" y="14" textLength="${right - 14}">${words}</text></g></svg>
`.markup;
}
