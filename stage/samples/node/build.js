// Makes dist/ from the Markdown in content/: what server.js serves.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { marked } from "marked";

const template = readFileSync("template.html", "utf8");
const version = readFileSync("version.txt", "utf8").trim();
const content = await marked.parse(readFileSync("content/index.md", "utf8"));

mkdirSync("dist", { recursive: true });
writeFileSync("dist/index.html", template.replace("{{content}}", () => content).replace("{{version}}", version));
cpSync("style.css", "dist/style.css");
console.log(`Built version ${version}.`);
