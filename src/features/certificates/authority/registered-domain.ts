// Second-level domains under which country registries register public names. Authorities limit by registered domain. A wrong
// domain here only makes the count inexact: the authority's refusal decides.
const secondLevels = new Set(
  "ac asso asn biz co com edu firm gen go gob gouv gov govt gv id ind inf info lg ltd me mil muni ne net nhs nic nom or org plc pro sch school tm web".split(
    " ",
  ),
);

/** `example.com` of `www.example.com`, `example.co.uk` of `www.example.co.uk`. */
export function registeredDomain(name: string): string {
  const labels = name.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const isCountry = top.length === 2 && secondLevels.has(second);
  return labels.slice(isCountry ? -3 : -2).join(".");
}
