import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// While developing: the pages by vite, everything else by a running `./longshore up`.
const api = process.env.LONGSHORE_URL ?? "http://127.0.0.1:8080";

/**
 * The texts of react-aria in English alone, as those of the console: its other languages were a tenth of what the first page loads, and
 * browsers in these would mix both.
 */
const english: Plugin = {
  name: "english",
  enforce: "pre",
  resolveId: {
    filter: { id: /\/intl\/([\w-]+\/)?[a-z]{2}-[A-Z]{2}\.mjs$/ },
    handler(source, importer) {
      return this.resolve(source.replace(/[\w-]+\.mjs$/, "en-US.mjs"), importer, { skipSelf: true });
    },
  },
};

export default defineConfig({
  plugins: [english, react(), tailwindcss()],
  build: {
    target: "es2022",
    // Small assets stay files: the content security policy allows no fonts from data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Which file needs which: the sizes of the pages are checked by it.
    manifest: true,
    // What half of the pages need is one file: it compresses better than thirty, and asks for fewer requests.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 32 }] } } },
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(["/api", "/docs", "/status", "/ping", "/mcp", "/oauth"].map((path) => [path, api])),
    fs: { allow: [".."] },
  },
});
