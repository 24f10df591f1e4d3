/** A line of a Procfile. */
export interface Process {
  name: string;
  command: string;
}

const mostProcesses = 20;

export const processesIn = (text = ""): Process[] =>
  text
    .split("\n")
    .flatMap((line) => {
      const [, name, command] = /^([A-Za-z0-9_-]{1,60}):\s*(\S.{0,1999})$/.exec(line.trim()) ?? [];
      return name && command ? [{ name, command }] : [];
    })
    .slice(0, mostProcesses);

// After variables of its own: programs of other languages, of the repository, and of their package managers.
const otherLanguages =
  /^(?:\w+=\S*\s+)*(?:exec\s+)?(?:\.{0,2}\/|(?:vendor|bin|target|build|dist)\/|heroku-|(?:python|pypy|ruby|php)[\d.]*\b|(?:gunicorn|uvicorn|hypercorn|daphne|waitress-serve|flask|streamlit|poetry|pipenv|uv|bundle|rails|rackup|puma|unicorn|java|mvn|gradle|sbt|go|cargo|deno|mix|elixir|dotnet|perl|hugo|nginx|caddy)\b)/;

/** The command of the web process, if Node.js runs it: programs of packages are found by npx. */
export function webProcess(text = ""): string | undefined {
  const web = processesIn(text).find(({ name, command }) => name === "web" && !otherLanguages.test(command));
  return web?.command.replace(ofPackage, "$1npx ");
}

// Before a program that neither a shell nor a server with Node.js has by itself.
const ofPackage =
  /^((?:\w+=\S*\s+)*(?:exec\s+)?)(?=[\w@-])(?!\w+=|(?:exec|node|bun|npm|npx|yarn|pnpm|sh|bash|env|cd|if|test|export|source)\b)/;
