import { readHtaccess, sentencesAbout } from "../../../host/nginx/htaccess.ts";
import type { RepositoryFiles } from "./files.ts";

// Those of the directories that are served: their front controller is that of the site.
const top = /^(?:(?:public|public_html|web|htdocs)\/)?\.htaccess$/;

/** Notes about rules of .htaccess files that have no effect here: the same sentences as the warnings of a deployment. */
export function htaccessNotes({ contents }: RepositoryFiles): string[] {
  const files = Object.entries(contents).filter(([path]) => /(?:^|\/)\.htaccess$/.test(path));
  return sentencesAbout(new Map(files.map(([path, text]) => [path, readHtaccess(text, top.test(path))])));
}
