const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)((?:[/?#].*)?)$/;

/**
 * The addresses of the hosts of a PostgreSQL URL, in its order: libpq's `host1:5432,host2:5432`, or `?host=a,b&port=1,2`. A URL with
 * one host is its only element, unchanged.
 */
export function urlsOfHosts(url: string): string[] {
  const [, before = "", hosts = "", after = ""] = severalHosts.exec(url) ?? [];
  if (hosts) return hosts.split(",").map((host) => `${before}${host}${after}`);
  const parsed = URL.parse(url);
  const named = parsed?.searchParams.get("host")?.split(",") ?? [];
  if (!parsed || named.length < 2) return [url];
  const ports = parsed.searchParams.get("port")?.split(",") ?? [];
  return named.map((host, index) => {
    const own = new URL(parsed);
    own.searchParams.set("host", host);
    // One port is that of all hosts.
    const port = ports.length === 1 ? ports[0] : ports[index];
    if (port) own.searchParams.set("port", port);
    return own.href;
  });
}
