import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { planInstallation, type Wanted } from "../installation.ts";
import { serviceLayout } from "../layout.ts";
import { parseSettings } from "../settings-file.ts";

const layout = serviceLayout();
const plan = (wanted: Wanted = {}, former = "") => planInstallation(layout, former, wanted);
const fileOf = (planned: ReturnType<typeof plan>, path: string): string =>
  planned.files.find((file) => file.path === path)?.text ?? "";

describe("an installation", () => {
  it("needs no option", () => {
    const planned = plan();
    assert.deepEqual(
      planned.files.map(({ path, mode }) => [path, mode]),
      [
        ["/etc/longshore-control/longshore.env", 0o600],
        ["/etc/systemd/system/longshore.service", 0o644],
      ],
    );
    assert.deepEqual(planned.settings, { LONGSHORE_DATA: "/var/lib/longshore-control" });
    assert.deepEqual([planned.address, planned.ports], ["http://127.0.0.1:8080", [8080]]);
  });

  it("keeps what is not given, such as the address of a database", () => {
    const former = "# Ours\nDATABASE_URL=postgresql://u:p@db/x\nLONGSHORE_PORT=9000\nLONGSHORE_DATA=/srv/panel\n";
    const planned = plan({ role: "api" }, former);
    assert.equal(fileOf(planned, layout.settings), `${former}LONGSHORE_ROLE=api\n`);
    assert.match(fileOf(planned, layout.unit), /^ReadWritePaths="\/srv\/panel"$/m);
  });

  it("of a worker listens on no port", () => {
    assert.deepEqual(plan({ role: "worker", databaseUrl: "postgresql://db/x" }).ports, []);
  });

  it("refuses settings that Longshore would refuse, and data where the service cannot read it", () => {
    assert.throws(() => plan({ port: "99999" }), /LONGSHORE_PORT .*must be/);
    assert.throws(() => plan({ role: "api" }), /DATABASE_URL/);
    assert.throws(() => plan({}, "LONGSHORE_PROT=1\n"), /Did you mean LONGSHORE_PORT/);
    for (const data of ["/home/panel", "/root/x", "/tmp/x", "/"]) assert.throws(() => plan({ data }), /cannot be/);
  });

  it("with names serves HTTPS on the usual ports", () => {
    const planned = plan({ domains: ["panel.example.com", "p.example.com"], email: "a@example.com" });
    assert.equal(planned.settings.LONGSHORE_DOMAIN, "panel.example.com,p.example.com");
    assert.deepEqual([planned.address, planned.ports], ["https://panel.example.com", [8080, 443, 80]]);
    assert.match(fileOf(planned, layout.unit), /^AmbientCapabilities=CAP_NET_BIND_SERVICE$/m);
  });

  it("with a site of nginx leaves these ports and the certificate to it", () => {
    const former = "LONGSHORE_DOMAIN=panel.example.com\nLONGSHORE_TRUSTED_PROXIES=10.0.0.1\n";
    const planned = plan({ domains: ["panel.example.com"], nginx: true }, former);
    assert.deepEqual(parseSettings(fileOf(planned, layout.settings)), {
      LONGSHORE_TRUSTED_PROXIES: "10.0.0.1,127.0.0.1",
      LONGSHORE_DATA: "/var/lib/longshore-control",
      LONGSHORE_PUBLIC_URL: "https://panel.example.com",
    });
    assert.deepEqual(planned.ports, [8080]);
    assert.match(
      fileOf(planned, layout.nginxSite),
      /server_name panel\.example\.com;[\s\S]*proxy_pass http:\/\/127\.0\.0\.1:8080;/,
    );
    assert.match(fileOf(planned, layout.certificateService), /service certificate --domain panel\.example\.com$/m);
  });
});

describe("the site of nginx", () => {
  const listens = (nginxVersion: string, ipv6: boolean) =>
    fileOf(
      planInstallation(layout, "", { domains: ["a.example.com"], nginx: true }, { nginxVersion, ipv6 }),
      layout.nginxSite,
    )
      .split("\n")
      .filter((line) => /listen|http2/.test(line))
      .map((line) => line.trim());

  it("speaks HTTP/2 in the words of each nginx", () => {
    assert.deepEqual(listens("1.25.0", true).slice(2), ["listen 443 ssl http2;", "listen [::]:443 ssl http2;"]);
    assert.deepEqual(listens("1.25.1", true).slice(2), ["listen 443 ssl;", "listen [::]:443 ssl;", "http2 on;"]);
  });

  it("does without IPv6 where there is none", () => {
    assert.deepEqual(listens("1.22.1", false), ["listen 80;", "listen 443 ssl http2;"]);
  });
});
