import { createRequire } from "node:module";
import express from "express";
import { greeting } from "greeting";

const { version } = createRequire(import.meta.url)("express/package.json");

const app = express();
app.get("/", (_, answer) => answer.send(`<html><body>release-1 ${greeting}, express ${version}</body></html>`));
app.listen(process.env.PORT, process.env.HOST);
