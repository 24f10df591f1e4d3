/**
 * Whether a text looks like a setting that people write: words, numbers, switches, names of hosts, files and engines. False for
 * random texts, and in doubt.
 */
export function isPlain(text: string): boolean {
  if (text.length > longest || /[{}[\]"`\\!^$~]|(?<!\p{L})'|'(?!\p{L})/u.test(text) || prefixed.test(text))
    return false;
  if (isHost(text) || isDate(text)) return true;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.length <= mostWords && words.every(isWord);
}

/** Tokens of well-known services. */
const prefixed =
  /^(whsec|[spr]k|ghp|gho|ghs|ghu|github_pat|glpat|glptt|xox[a-z]|shp[a-z]{2}|npm|hf|dop_v1|lsh|sq0[a-z]{3}|rzp|sntrys)[_-]|^(AKIA|ASIA|AIza|ya29|eyJ|SG\.)/;

const longest = 300;
const mostWords = 40;

/** Random texts have capitals, or no domain of letters at their end. */
function isHost(text: string): boolean {
  const [host = "", port = ""] = text.split(":");
  if (!/^\d{0,5}$/.test(port) || text.split(":").length > 2) return /^[0-9a-f:]+$/.test(text) && text.includes("::");
  const labels = host.split(".");
  if (labels.length < 2 || !labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,30}[a-z0-9])?$/.test(label))) return false;
  return /^[a-z]{2,20}$/.test(labels.at(-1) as string) || /^[\d.]+$/.test(host);
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(text);

/** Terms that mix letters and digits, or that no language would have. */
const terms =
  /^(utf8mb[34]|utf\d+|x86_?64|i18n|l10n|k8s|ipv[46]|oauth2?|md5|sha\d+|base64|bcrypt|argon2id?|h264|mp[34]|e2e|b2b|tls1|http[123]|s3|ec2|fqdn)$/;
const unpronounceable =
  /postgre(sql|s)?|mysql[id]?|sqlite3?|sqlsrv|pgsql|nosql|mbstring|nginx|jsonb?|x?html|xml|jwt|php|phpredis|tls|ssl|smtps?|https?|amqps?|mqtt|mq|aws|ecs|gcp|rds|npm|pnpm|nodejs|js|ts|css|cdn|dns|ssh|sftp|ftp|tcp|udp|ttl|csv|pdf|gmbh|ltd|llc/g;

/** A number, a word of a language, or a word and a number such as eu1 and 512MB. */
function isWord(word: string): boolean {
  if (/^\d{1,12}$/.test(word)) return true;
  if (/^\p{N}+$/u.test(word)) return false;
  const lower = word.toLowerCase();
  if (terms.test(lower)) return true;
  const [, letters, digits = ""] = /^(\p{L}+)(\d*)$/u.exec(word) ?? [];
  if (letters !== undefined)
    return digits.length <= 4 && camelWords(letters).every(isPronounceable) && hasFewCapitals(letters);
  return /^\d{1,6}\p{L}{1,3}$/u.test(word);
}

const camelWords = (letters: string): string[] => letters.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);

/** Of words in camel case, most have several letters; of a random text, few. */
const hasFewCapitals = (letters: string): boolean => camelWords(letters).length <= Math.max(1, letters.length / 4);

/** Pairs of letters that hardly any word has. */
const rarePairs =
  /bq|bx|cb|cf|cg|cj|cp|cv|cw|cx|dx|fk|fp|fq|fv|fx|fz|gq|gv|gx|hk|hv|hx|hz|iy|j[^aeiou]|kq|kv|kx|kz|lq|lx|mq|mx|mz|pq|pv|px|q[^u]|sx|sz|tq|tx|v[^aeiouyr]|wq|wv|wx|wz|x[bgjknrvxz]|yq|yv|z[bcgjnqrsx]/;

/** Whether vowels and consonants alternate as in words. Texts of other scripts are not judged. */
function isPronounceable(word: string): boolean {
  const letters = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  if (letters.length <= 4 || !/^[a-z]+$/.test(letters)) return letters.length <= 40;
  // Two letters for one sound count as one.
  const rest = letters.replace(unpronounceable, "a").replace(/([cstp])h|c(?=k)/g, "$1");
  return letters.length <= 24 && /[aeiouy]/.test(rest) && !rarePairs.test(rest) && !/[^aeiouy]{5}/.test(rest);
}
