import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The stories alone: `npx vite --config stories/vite.config.ts` in console/ shows them while one works on them.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: resolve(import.meta.dirname, "../public"),
  plugins: [react(), tailwindcss()],
  worker: { format: "es" },
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { fs: { allow: ["../.."] } },
});
