import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// While developing: the pages by vite, everything else by a running `./longshore up`.
const api = process.env.LONGSHORE_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2022",
    // Small assets stay files: the content security policy allows no fonts from data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(["/api", "/docs", "/status", "/ping", "/mcp", "/oauth"].map((path) => [path, api])),
    fs: { allow: [".."] },
  },
});
