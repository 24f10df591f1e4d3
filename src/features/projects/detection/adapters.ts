import type { Found } from "./found.ts";
import { directoryIn, type Kind, npmPackage, setting } from "./kind.ts";

// Frameworks that make a server or files, by what their settings choose.

// Nitro ------------------------------------------------------------------------------------------------------------------------------

// Names of hosts and runtimes for which Nitro builds; other settings are called preset, too.
const presets =
  /^(?:static|github[-_]pages|gitlab[-_]pages|node(?:[-_](?:server|cluster|listener|middleware))?|(?:aws|azure|bun|cleavr|cloudflare|deno|digital|edgio|firebase|flight|genezio|heroku|iis|koyeb|netlify|platform|render|stormkit|vercel|winterjs|zeabur|zerops)(?:[-_].*)?)$/;

export function presetOf(found: Found): string | undefined {
  const named = ["nitro.config", "app.config", "nuxt.config", "vite.config"].map((name) =>
    [...found.text(name).matchAll(/\bpreset\s*:\s*["'`]([\w-]+)["'`]/g)].map(([, value = ""]) => value),
  );
  const [, inScript = ""] = /\b(?:NITRO|SERVER)_PRESET=([\w-]+)|--preset[= ]([\w-]+)/.exec(found.script("build")) ?? [];
  return [inScript, ...named.flat()].find((each) => presets.test(each));
}

export const isStatic = (preset: string | undefined): boolean =>
  /^(?:static|.*[-_](?:pages|static))$/.test(preset ?? "");
const isForNode = (preset: string | undefined): boolean =>
  preset === undefined || /^node(?:[-_](?:server|cluster))?$/.test(preset);

const nitroServer = "node .output/server/index.mjs";

/** An application that Nitro builds. */
export const nitro = (name: string, label: string): Kind => ({
  fits: npmPackage(name),
  is: (found) => {
    const preset = presetOf(found);
    if (isStatic(preset)) {
      return {
        frameworkId: 9,
        reason: `${label} with the preset ${preset} makes a site of files.`,
        outputDirectory: ".output/public",
      };
    }
    const start = found.script("start");
    return {
      frameworkId: 8,
      reason: `package.json has ${name}: ${label} is a server.`,
      ...(start !== "" &&
        !start.includes(".output/server") && {
          startCommand: nitroServer,
          startReason: "Nitro builds this server.",
        }),
      notes: otherPreset(preset),
    };
  },
});

export const otherPreset = (preset: string | undefined): string[] =>
  isForNode(preset)
    ? []
    : [
        `The build is for another host (preset ${preset}). Set the preset node-server for a server, and static for a site of files.`,
      ];

// Adapters ---------------------------------------------------------------------------------------------------------------------------

/** The adapter that SvelteKit's settings import, else the one that is installed. */
function svelteAdapter(found: Found): string {
  const [, named] = /from\s+["']@sveltejs\/adapter-([\w-]+)["']/.exec(found.text("svelte.config")) ?? [];
  const all = ["node", "static", "auto", "vercel", "netlify", "cloudflare", "cloudflare-workers"];
  return named ?? all.find((each) => found.depends(`@sveltejs/adapter-${each}`)) ?? "";
}

export const svelteKit: Kind = {
  fits: npmPackage("@sveltejs/kit"),
  is: (found) => {
    const adapter = svelteAdapter(found);
    if (adapter === "static") {
      const outputDirectory = directoryIn(found.text("svelte.config"), "pages") ?? "build";
      return {
        frameworkId: 9,
        reason: "package.json has SvelteKit's adapter-static, which makes files.",
        outputDirectory,
      };
    }
    if (adapter === "node") return { frameworkId: 7, reason: "package.json has SvelteKit and its adapter-node." };
    const its = adapter === "" ? "no adapter" : `adapter-${adapter}, which makes neither of the two that can be served`;
    return {
      frameworkId: 7,
      reason: "package.json has SvelteKit.",
      notes: [
        `SvelteKit has ${its}: install @sveltejs/adapter-node for a server, and @sveltejs/adapter-static for a site of files.`,
      ],
    };
  },
};

const otherAstroAdapters = ["@astrojs/vercel", "@astrojs/netlify", "@astrojs/cloudflare", "@deno/astro-adapter"];

export const astro: Kind = {
  fits: npmPackage("astro"),
  is: (found) => {
    const config = found.text("astro.config");
    if (found.depends("@astrojs/node")) {
      const reason = "package.json has Astro and its adapter @astrojs/node.";
      return setting("mode", "middleware").test(config)
        ? {
            frameworkId: 7,
            reason,
            notes: [
              "The adapter @astrojs/node has the mode middleware, which starts nothing: set the mode standalone.",
            ],
          }
        : { frameworkId: 7, reason };
    }
    const other = otherAstroAdapters.find((name) => found.depends(name));
    if (setting("output", "(?:server|hybrid)").test(config)) {
      const note = `Astro's output is a server, and ${other ? `its adapter ${other} builds it for another host` : "it has no adapter"}: install @astrojs/node.`;
      return { frameworkId: 7, reason: "astro.config chooses a server as output.", notes: [note] };
    }
    const reason = other
      ? `package.json has Astro, whose pages are files; ${other} is for another host.`
      : "package.json has Astro without an adapter for a server: it makes files.";
    return { frameworkId: 9, reason, outputDirectory: directoryIn(config, "outDir") ?? "dist" };
  },
};

export const qwik = (name: string): Kind => ({
  fits: npmPackage(name),
  is: (found) => {
    const adapter = ["express", "fastify", "node-server"].find((each) => found.any(new RegExp(`^adapters/${each}/`)));
    if (adapter !== undefined) {
      const startCommand = found.script("serve") === "" ? `node server/entry.${adapter}` : "npm run serve";
      return {
        frameworkId: 8,
        reason: `The Qwik application has the adapter ${adapter}, which makes a server.`,
        startCommand,
      };
    }
    if (found.any(/^adapters\/(?:static|ssg)\//)) {
      return {
        frameworkId: 9,
        reason: "The Qwik application has the adapter static, which makes files.",
        outputDirectory: "dist",
      };
    }
    return {
      notes: [
        "This Qwik application has no adapter for a server of Node.js: add one with npm run qwik add express, and for a site of files npm run qwik add static.",
      ],
    };
  },
});
