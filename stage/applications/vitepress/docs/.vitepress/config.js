import { defineConfig } from "vitepress";

export default defineConfig({ title: "release-1", cleanUrls: true });
