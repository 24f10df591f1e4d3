import { type CommandSpec, commonFlags } from "../command.ts";
import { usage } from "../failure.ts";
import type { Invocation, Verb } from "../invocation.ts";
import { visible } from "../output/text.ts";

/** A word that may come next, with what it does. */
interface Word {
  word: string;
  about: string;
}

/** For each command, by its words: the commands below it and its flags. */
function wordsByCommand(commands: readonly CommandSpec[]): Map<string, readonly Word[]> {
  const verbs = commands
    .filter(({ words }) => !words.includes(" "))
    .map(({ words, about }) => ({ word: words, about }));
  const byCommand = commands.map(({ words, flags = [] }): [string, readonly Word[]] => {
    const below = commands
      .filter((other) => other.words.startsWith(`${words} `))
      .map((other) => ({ word: other.words.slice(words.length + 1), about: other.about }));
    const options = [...flags, ...commonFlags].flatMap(({ spec, about }) =>
      flagNames(spec).map((word) => ({ word, about })),
    );
    return [words, [...below, ...options, { word: "--help", about: "show what it takes" }]];
  });
  return new Map([["", [...verbs, { word: "--help", about: "list the commands" }]], ...byCommand]);
}

const flagNames = (spec: string): string[] => spec.split(/[ ,]+/).filter((word) => word.startsWith("--"));

/** Prints the script for a shell. */
export function completionOf(commands: readonly CommandSpec[]): Verb {
  const shells = { bash, zsh, fish };
  return async ({ args, terminal }: Invocation) => {
    const [shell = ""] = args;
    const script = Object.entries(shells).find(([name]) => name === shell)?.[1];
    if (!script) {
      throw usage(`There is no completion for ${visible(shell)}. There is one for: ${Object.keys(shells).join(", ")}`);
    }
    terminal.result(script(commands).trimEnd());
    return undefined;
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The longest command that the words before the cursor name decides. */
function bash(commands: readonly CommandSpec[]): string {
  const cases = [...wordsByCommand(commands)].map(
    ([command, words]) => `    ${quoted(command)}) words=${quoted(words.map(({ word }) => word).join(" "))} ;;`,
  );
  return `# Completion of longshore for bash.
_longshore() {
  local current=\${COMP_WORDS[COMP_CWORD]} first=\${COMP_WORDS[1]:-} second=\${COMP_WORDS[2]:-} command='' words=''
  ((COMP_CWORD > 1)) && command=$first
  ((COMP_CWORD > 2)) && [[ $second != -* ]] && _longshore_is "$first $second" && command="$first $second"
  case $command in
${cases.join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi
}
_longshore_is() {
  case $1 in
    ${commands
      .filter(({ words }) => words.includes(" "))
      .map(({ words }) => quoted(words))
      .join(" | ")}) return 0 ;;
  esac
  return 1
}
complete -F _longshore longshore
`;
}

function zsh(commands: readonly CommandSpec[]): string {
  const described = ({ word, about }: Word) => quoted(`${word.replaceAll(":", "\\:")}:${about}`);
  const cases = [...wordsByCommand(commands)].map(
    ([command, words]) => `    ${quoted(command)}) options=(${words.map(described).join(" ")}) ;;`,
  );
  return `#compdef longshore
# Completion of longshore for zsh.
_longshore() {
  local -a options
  local command=''
  ((CURRENT > 2)) && command=$words[2]
  if ((CURRENT > 3)); then
    case "$words[2] $words[3]" in
      ${commands
        .filter(({ words }) => words.includes(" "))
        .map(({ words }) => quoted(words))
        .join(" | ")}) command="$words[2] $words[3]" ;;
    esac
  fi
  case $command in
${cases.join("\n")}
  esac
  _describe 'longshore' options || _files
}
compdef _longshore longshore
`;
}

function fish(commands: readonly CommandSpec[]): string {
  const lines = [...wordsByCommand(commands)].flatMap(([command, words]) =>
    words.map((word) => fishLine(command, word)),
  );
  return `# Completion of longshore for fish.\ncomplete -c longshore -f\n${lines.join("\n")}\n`;
}

function fishLine(command: string, { word, about }: Word): string {
  const [first, second] = command.split(" ");
  const seen = first ? `__fish_seen_subcommand_from ${first}` : "__fish_use_subcommand";
  const condition = second ? `${seen}; and __fish_seen_subcommand_from ${second}` : seen;
  const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
  return `complete -c longshore -n ${quoted(condition)} ${what} -d ${quoted(about)}`;
}
