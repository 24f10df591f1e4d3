/**
 * Lines of a command's output that do not state why it failed: text that package managers and Node print around the reason, and
 * stack frames. For grep -E as well as for JavaScript.
 */
export const noise: string = [
  "^ *$",
  "^npm notice",
  "^npm (error|ERR!)( (code|errno|path|signal|command|workspace|location) .*| 404| )?$",
  '^npm (error|ERR!) (A complete log|Run "npm help|To see a list of|  npm run|Usage:|npm |Options:|\\[-|aliases:|Clean install)',
  "^npm (error|ERR!) (404 Note that|404 tarball|(notarget )?(In most cases you|a package version that)|Lifecycle script)",
  "^(error Command failed|info Visit )",
  "ELIFECYCLE",
  "^Node\\.js v[0-9]",
  "^(Require stack:|- /)",
  "^ +at ",
  // The rest of an error that Node prints with its properties.
  "^  +[a-z][A-Za-z]*: ",
  "^  +'[^']*',?$",
  "^( |\\{|\\}|\\[|\\]|\\(|\\)|;|,|\\^|~|\\||-)*$",
  // The sentence about the step already has it.
  "^The [a-z ]+ ended with exit code [0-9]+\\.$",
  "^The build began with the cache of earlier builds,",
].join("|");

const isNoise = new RegExp(noise);

// Colours, and text that a program overwrites in its line.
const control = /\p{Cc}\[[0-9;?]*[A-Za-z]|.*\r(?=.)/gu;

/** The last line of a failed command's output that states a reason; undefined when there is none. */
export const reasonIn = (output: string): string | undefined =>
  output
    .replaceAll("\r\n", "\n")
    .replace(control, "")
    .split("\n")
    .findLast((line) => !isNoise.test(line))
    ?.trim();
