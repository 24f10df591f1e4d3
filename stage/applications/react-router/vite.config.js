import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

// The build asks its own preview for the pages that it prerenders; on a server without IPv6 "localhost" must not become ::1.
export default defineConfig({ plugins: [reactRouter()], preview: { host: "127.0.0.1" } });
