import { readFileSync } from "node:fs";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const template = read("page.html").trim();

// The text stands in quotes in nginx's file, where a dollar sign would start a variable.
function page(headline: string, explanation: string): string {
  const html = template.replaceAll("HEADLINE", headline).replace("EXPLANATION", explanation);
  if (/['$\\]/.test(html)) throw new Error("A page must not contain a single quote, a dollar sign or a backslash");
  return html;
}

/** Settings shared by the sites of all projects: a file in conf.d, at the level of `http`. */
export const sharedByAllSites = read("shared.conf")
  .replace("NO_RELEASE_PAGE", page("Nothing is here yet", "This site has been set up and waits for its first release."))
  .replace("MAINTENANCE_PAGE", page("Back in a moment", "This site is being worked on. Please try again shortly."))
  .replace(
    "UNREACHABLE_PAGE",
    page("Something went wrong", "This site does not answer right now. Please try again shortly."),
  );
