import { domainToASCII } from "node:url";

/** A hostname in the form it is stored and compared (IDNs as punycode); undefined when it is not a hostname. */
export function domainName(text: string): string | undefined {
  const trimmed = text.trim();
  // domainToASCII parses the host of a URL: it would decode %2e and cut at a slash.
  if (!/^[^\s/:?#@\\%[\]<>|^"'`{};$&()*!,~=+]+$/u.test(trimmed)) return undefined;
  const name = domainToASCII(trimmed).toLowerCase();
  const labels = name.split(".");
  const isName = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  if (!isName || labels.length < 2 || name.length > 253 || /^\d+$/.test(labels.at(-1) as string)) return undefined;
  return name;
}

/** A hostname or an http(s) URL as the target of a redirect; undefined when it is neither. */
export function redirectTarget(text: string): string | undefined {
  const value = text.trim();
  if (domainName(value)) return `https://${domainName(value)}`;
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.username || url.password || !domainName(url.hostname)) return undefined;
  const isHostOnly = url.pathname === "/" && !url.search && !url.hash;
  // nginx cannot escape a dollar sign.
  const target = (isHostOnly ? url.origin : url.href).replaceAll("$", "%24").replaceAll("\\", "%5C");
  // As it is written: each character may have become nine, and nginx takes no word of 4 KB.
  return target.length > 2000 ? undefined : target;
}

/** 0: no redirect, 1: www to non-www, 2: non-www to www. */
export type WwwRedirect = 0 | 1 | 2;

/**
 * The form of a name that serves the site, and the other form, which redirects to it; without a redirect there is no
 * other form.
 */
export function wwwForms(name: string, wwwRedirect: WwwRedirect): { served: string; other?: string } {
  if (wwwRedirect === 0) return { served: name };
  // `www.com` is a separate name: there is no site at `com`.
  const bare = name.replace(/^www\.(?=[^.]+\.)/, "");
  return wwwRedirect === 1 ? { served: bare, other: `www.${bare}` } : { served: `www.${bare}`, other: bare };
}

/** A sentence about why a text is not a domain; undefined when it is one. */
export function domainError(text: string): string | undefined {
  if (domainName(text)) return undefined;
  if (text.includes("*")) return "The domain must be one host name: wildcards are not possible.";
  return "The domain must be a host name such as www.example.com, without scheme, port or path.";
}
