import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { runCommand } from "../../../../../sandbox/command.ts";
import { distributionNames } from "../../../../../sandbox/distributions.ts";
import { ensurePackages } from "../../../../../sandbox/packages.ts";
import { step } from "../../../../engine/runs/plan.ts";
import { projectLayout } from "../../../../host/layout.ts";
import { putNginx, removeNginxHttp3, writeNginxHttp3 } from "../../../../host/nginx/setup.ts";
import { sharedByAllSites } from "../../../../host/nginx/shared.ts";
import { nginxSite } from "../../../../host/nginx/site.ts";
import { installNode, installPackageManagers } from "../../../../host/node/node-runtime.ts";
import { withPrelude } from "../../../../host/runner/prelude.ts";
import { lines, sh, userCommand } from "../../../../host/sh.ts";
import { FreshServer } from "./fresh-server.ts";

// The plan of an App server on real ones. On Debian 12 always; on others, two minutes each, if LONGSHORE_TEST_DISTRIBUTIONS lists
// their code names (`trixie,noble`) or is `all`:
//   LONGSHORE_TEST_DISTRIBUTIONS=all ./longshore test src/features/servers/tests/plans.e2e.test.ts

/** For a whole setup, and another one. */
const lengthy = { timeout: 1_800_000 };

/** Files that the setup writes or will write: all belong to root alone. */
const settingsOfTheServer = [
  "/etc/nginx/nginx.conf",
  "/etc/nginx/conf.d/longshore-tls.conf",
  "/etc/nginx/sites-available/longshore-*",
  "/etc/fail2ban/jail.d/longshore.local",
  "/etc/nftables.conf",
  "/etc/ssh/sshd_config.d/10-longshore.conf",
];

/** PHP of each distribution's own archive. */
const phpVersions: Record<string, string> = {
  bookworm: "8.2",
  trixie: "8.4",
  jammy: "8.1",
  noble: "8.3",
  resolute: "8.5",
};

function chosenDistributions(): string[] {
  const asked = process.env.LONGSHORE_TEST_DISTRIBUTIONS ?? "";
  const others = asked === "all" ? distributionNames : asked.split(",").filter(Boolean);
  return [...new Set(["bookworm", ...others])];
}

/** Connects to a port on which nothing listens any more, from the port of a connection that the listener has just closed. */
const connectAgain = `
  use Socket;
  sub at { sockaddr_in($_[0], INADDR_LOOPBACK) }
  sub tcp { socket(my $tcp, PF_INET, SOCK_STREAM, 0) or die; setsockopt($tcp, SOL_SOCKET, SO_REUSEADDR, 1); $tcp }
  my ($door, $visitor, $again) = (tcp(), tcp(), tcp());
  bind($door, at(19_998)) && listen($door, 1) && bind($visitor, at(19_999)) && connect($visitor, at(19_998)) or die $!;
  $SIG{ALRM} = sub { print "no answer"; exit };
  alarm 10;
  accept(my $taken, $door) or die $!;
  close $taken;
  sysread $visitor, my $end, 1;
  close $_ for $visitor, $door;
  bind($again, at(19_999)) or die $!;
  print connect($again, at(19_998)) ? "connected" : $!;
`;

for (const codeName of chosenDistributions()) {
  describe(`setting up a fresh App server on ${codeName}`, () => {
    let server: FreshServer;

    before(async () => {
      server = await FreshServer.boot("app", codeName);
    });

    after(() => server?.down());

    it("succeeds with every step; run again, it changes nothing and fetches no package lists", lengthy, async () => {
      const steps = server.steps();
      assert.deepEqual(await server.failuresOf(steps), []);
      const afterSetup = new Set((await server.state()).split("\n"));
      await server.bash("mv /var/lib/apt/lists /var/lib/apt/lists.first");
      assert.deepEqual(await server.failuresOf(steps), []);
      assert.equal(await server.bash("find /var/lib/apt/lists -name '*_Packages*' 2> /dev/null || true"), "");
      await server.bash("rm -rf /var/lib/apt/lists && mv /var/lib/apt/lists.first /var/lib/apt/lists");
      const again = new Set((await server.state()).split("\n"));
      assert.deepEqual([...afterSetup.symmetricDifference(again)], []);
    });

    it("reports what was installed", async () => {
      const facts = await server.facts();
      const name = { debian: "Debian GNU/Linux", ubuntu: "Ubuntu" }[server.distribution.id];
      assert.ok(facts.get("operating_system")?.startsWith(`${name} ${server.distribution.version}`));
      assert.match(facts.get("nginx_version") ?? "", /^\d+\.\d+/);
      assert.ok(facts.get("php_version")?.startsWith(`${phpVersions[codeName]}.`));
      assert.equal(facts.get("node_version"), server.mirror.versions[0]);
      assert.match(facts.get("database_version") ?? "", /^MariaDB \d+\.\d+\.\d+$/);
    });

    it("refuses at once what asks for a process that is gone", async () => {
      assert.equal(await server.bash(`perl -e '${connectAgain}'`), "Connection refused");
    });

    it("gives the database's user the database and no other, whatever is in the password", async () => {
      const shown = await server.bash(
        "MYSQL_PWD=$(< /run/longshore-test/database_password) mariadb -h 127.0.0.1 -u app_user --batch -N -e 'SHOW DATABASES'",
      );
      assert.equal(shown, "app\ninformation_schema");
    });

    it("serves 404 for unknown names, and no site over TLS", async () => {
      assert.equal(await server.bash("curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1/"), "404");
      // nginx before 1.19.4 cannot reject the handshake, and closes the connection after it.
      assert.match(
        await server.bash("curl -sSk https://127.0.0.1/ 2>&1 || true"),
        /unrecognized name|Empty reply|unexpected eof/,
      );
    });

    it("serves sites over HTTP/3 when that is wanted and its nginx has it, and not otherwise", async () => {
      const site = nginxSite({
        layout: projectLayout(9),
        kind: { family: "static", spa: false },
        domains: [{ name: "nine.localhost" }],
        wwwRedirect: 0,
        redirectStatus: 301,
        tls: { certificate: "/etc/longshore/nine.crt", key: "/etc/longshore/nine.key", names: ["nine.localhost"] },
      });
      const ask = (option: string) =>
        server.bash(
          `curl -sk --max-time 5 ${option} -o /dev/null -w '%{http_version} %{http_code}' --resolve nine.localhost:443:127.0.0.1 https://nine.localhost/ || true`,
        );
      const wants = (isWanted: boolean) =>
        server.run(withPrelude("?", lines(isWanted ? writeNginxHttp3 : removeNginxHttp3, sh`systemctl restart nginx`)));
      await server.bash(`
        mkdir -p /etc/longshore /srv/longshore/projects/9/logs
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=nine.localhost \
          -keyout /etc/longshore/nine.key -out /etc/longshore/nine.crt 2> /dev/null
        base64 -d > /etc/nginx/conf.d/longshore-sites.conf <<< ${Buffer.from(sharedByAllSites).toString("base64")}
        base64 -d > /etc/nginx/sites-enabled/nine.conf <<< ${Buffer.from(site).toString("base64")}
        systemctl restart nginx`);
      assert.equal(await ask("--http2"), "2 503");
      const isBuiltIn = (await server.bash("nginx -V 2>&1")).includes("--with-http_v3_module");
      assert.equal((await wants(true)).exitCode, 0);
      assert.equal(await ask("--http2"), "2 503");
      if (isBuiltIn) assert.equal(await ask("--http3-only"), "3 503");
      assert.equal((await wants(false)).exitCode, 0);
      assert.equal(await server.bash("ls /etc/nginx/longshore-https.d 2> /dev/null || true"), "");
      assert.equal(await ask("--http2"), "2 503");
      await server.bash("rm /etc/nginx/sites-enabled/nine.conf && systemctl reload nginx");
    });

    it("drops what comes from outside to ports that are not open", async () => {
      const ruleset = await server.bash("nft list chain inet longshore input");
      assert.match(ruleset, /policy drop/);
      assert.match(ruleset, /tcp dport \{ 80, 443 \} accept/);
      assert.match(ruleset, /tcp dport 22 accept/);
    });

    it("takes no passwords over SSH", async () => {
      assert.match(await server.bash("sshd -T"), /^passwordauthentication no$/m);
    });

    it("offers no SSH algorithm that ssh-audit finds fault with", async () => {
      await ensurePackages(["ssh-audit"], "it looks at what a server's SSH offers");
      const { stdout } = await runCommand(["ssh-audit", "--no-colors", server.address]);
      // An ssh-audit that could not connect finds nothing.
      assert.match(stdout, /^\(kex\) curve25519-sha256 /m);
      assert.doesNotMatch(stdout, /\[fail\]/);
    });

    it("lets the control plane in, with the host key that it pinned", async () => {
      const first = await server.connect();
      first.close();
      assert.match(first.hostKey, /^ssh-ed25519 /);
      const connection = await server.connect(first.hostKey);
      assert.equal((await connection.exec(sh`id -un`)).stdout, "root\n");
      connection.close();
    });

    it("keeps the ECDSA host key in use when that is the one that was pinned", async () => {
      const key = await server.bash("cut -d ' ' -f 1,2 /etc/ssh/ssh_host_ecdsa_key.pub");
      const again = (hostKey?: string) =>
        server.failuresOf(server.steps(hostKey ? { hostKey } : {}).filter((step) => step.key === "ssh"));
      await assert.rejects(server.connect(key));
      assert.deepEqual(await again(key), []);
      const connection = await server.connect(key);
      assert.equal(connection.hostKey, key);
      connection.close();
      assert.deepEqual(await again(), []);
    });

    it("accepts no redirected routes, and sends none", async () => {
      const values = await server.bash(
        "cd /proc/sys/net/ipv4/conf && cat {all,default,host0}/{accept_redirects,send_redirects,accept_source_route}",
      );
      assert.equal(values, Array(9).fill("0").join("\n"));
    });

    describe("to a project's user", () => {
      const asProject = (command: string) =>
        server.run(userCommand(`cd /tmp; setpriv --reuid=project-77 --regid=project-77 --clear-groups ${command}`));

      before(() => server.bash("useradd --system --user-group --shell /usr/sbin/nologin project-77"));

      it("gives neither crontab nor at nor processes that linger, also when the list has it", async () => {
        await server.bash(`
          apt-get install -qqy --no-install-recommends at > /dev/null 2>&1
          useradd --create-home alice
          rm /etc/cron.allow
          crontab -u project-77 - <<< '* * * * * touch /tmp/left'
          printf 'alice\nproject-77\n' | tee /etc/cron.allow > /etc/at.allow`);
        assert.deepEqual(await server.failuresOf(server.steps().filter((step) => step.key === "cron")), []);
        assert.equal(await server.bash("cat /etc/cron.allow /etc/at.allow"), "root\nalice\nroot\nalice");
        assert.equal(await server.bash("ls /var/spool/cron/crontabs"), "");
        const line = "<<< '* * * * * touch /tmp/scheduled'";
        assert.match((await asProject(`crontab - ${line}`)).stderr, /not allowed to use this program/);
        assert.match((await asProject("at now <<< 'touch /tmp/scheduled'")).stderr, /do not have permission to use at/);
        assert.notEqual((await asProject("loginctl enable-linger")).exitCode, 0);
        assert.equal(await server.bash("ls /var/lib/systemd/linger 2> /dev/null || true"), "");
        await server.bash(`setpriv --reuid=alice --regid=alice --clear-groups crontab - ${line}; crontab -u alice -r`);
      });

      it("shows no settings that name other projects, servers or the control plane", async () => {
        const find = `find ${settingsOfTheServer.join(" ")} -type f`;
        assert.equal((await asProject(`${find} -readable || true`)).stdout, "");
        assert.match(await server.bash(find), /longshore-default\.conf/);
        for (const directory of ["/run/longshore", "/var/lib/longshore/runs"]) {
          assert.notEqual((await asProject(`test -x ${directory}`)).exitCode, 0, directory);
        }
        await server.bash("install -d /var/lib/longshore/acme && echo answer > /var/lib/longshore/acme/token");
        assert.equal(await server.bash("runuser -u www-data cat /var/lib/longshore/acme/token"), "answer");
      });
    });

    it("keeps what projects print in a journal of its own, with its own limits", async () => {
      await server.bash(
        "systemd-run --quiet --wait -p LogNamespace=longshore -p DynamicUser=yes echo 'from a project'; journalctl --namespace=longshore --sync",
      );
      const read = "--identifier=echo --output=cat --no-pager --quiet";
      assert.equal(await server.bash(`journalctl --namespace=longshore ${read}`), "from a project");
      assert.equal(await server.bash(`journalctl ${read} || true`), "");
      assert.match(await server.bash("cat /etc/systemd/journald@longshore.conf"), /^SystemMaxUse=1G$/m);
      const journals = await server.bash("journalctl --namespace=longshore --header | grep '^File path'");
      assert.match(journals, /\/var\/log\/journal\/\w+\.longshore\/system\.journal/);
    });

    it("gives every account npm, pnpm and yarn", async () => {
      const versions = await server.bash(
        "cd /tmp; for name in npm pnpm yarn; do setpriv --reuid=nobody --clear-groups env HOME=/tmp $name --version; done",
      );
      assert.match(versions, /^\d+\.\d+\.\d+\n10\.\d+\.\d+\n1\.\d+\.\d+$/);
    });

    it("rotates the logs of projects, and nginx continues in the new ones", async () => {
      await server.bash(`
        install -d -g www-data -m 750 /srv/longshore/projects/1 /srv/longshore/projects/1/logs
        printf 'server { listen 80; server_name one.localhost; return 204;
          access_log /srv/longshore/projects/1/logs/access.log; }' > /etc/nginx/sites-enabled/one.conf
        install -m 640 -o nobody -g www-data /dev/null /srv/longshore/projects/1/logs/php.log
        echo before > /srv/longshore/projects/1/logs/php.log
        systemctl reload nginx
        ask() { curl -s -o /dev/null --retry 20 --retry-all-errors -H 'Host: one.localhost' "http://127.0.0.1/$1"; }
        until ask before && grep -q before /srv/longshore/projects/1/logs/access.log; do sleep 0.05; done
        reloaded=$(systemctl show nginx -p StateChangeTimestampMonotonic)
        logrotate --force /etc/logrotate.d/longshore
        until ask after && grep -q after /srv/longshore/projects/1/logs/access.log; do sleep 0.05; done
        test "$reloaded" = "$(systemctl show nginx -p StateChangeTimestampMonotonic)"`);
      const logs = await server.bash("cd /srv/longshore/projects/1/logs && stat -c '%n %a %U' *.log && cat php.log.1");
      assert.equal(logs, "access.log 644 www-data\nphp.log 640 nobody\nbefore");
      assert.doesNotMatch(await server.bash("cat /srv/longshore/projects/1/logs/access.log"), /before/);
    });

    it("puts back a setting that nginx rejects, and reports it", async () => {
      const before = await server.bash("cat /etc/nginx/conf.d/longshore-tls.conf");
      const put = sh`${putNginx} /etc/nginx/conf.d/longshore-tls.conf 'no_such_directive on;'`;
      const { exitCode, stderr } = await server.run(withPrelude("?", put));
      assert.equal(exitCode, 1);
      assert.match(stderr, /the former state was put back\.\s*$/);
      assert.equal(await server.bash("cat /etc/nginx/conf.d/longshore-tls.conf"), before);
    });

    it("throws a Node away that is not what its checksum says", async () => {
      // A mirror whose list of checksums belongs to another file.
      await server.bash(`
        mkdir -p /tmp/mirror/v1.2.3 && cd /tmp/mirror/v1.2.3
        echo tampered > node-v1.2.3-linux-x64.tar.gz && cp node-v1.2.3-linux-x64.tar.gz node-v1.2.3-linux-arm64.tar.gz
        printf '%064d  node-v1.2.3-linux-x64.tar.gz\\n%064d  node-v1.2.3-linux-arm64.tar.gz\\n' 0 0 > SHASUMS256.txt
        systemd-run --quiet --collect --unit=test-mirror python3 -m http.server -d /tmp/mirror 8099
        curl -fs --retry 50 --retry-connrefused --retry-delay 1 -o /dev/null http://127.0.0.1:8099/v1.2.3/SHASUMS256.txt`);
      const script = withPrelude("?", installNode({ mirror: "http://127.0.0.1:8099", version: "1.2.3" }));
      const { exitCode, stderr } = await server.run(script);
      assert.equal(exitCode, 1);
      assert.match(stderr, /is not what its checksum says and was thrown away\.\s*$/);
      assert.equal(await server.bash("ls -A /opt/longshore/node | grep -c fetch || true"), "0");
    });

    it("does not install a pnpm or yarn that is not what its checksum says", async () => {
      const version = server.mirror.versions[0] as string;
      const { script } = withPrelude("?", installPackageManagers(version));
      await server.bash(`rm /opt/longshore/node/${version}/bin/pnpm`);
      const other = step("managers", "pnpm and yarn", { script: script.replaceAll(/[0-9a-f]{128}/g, "0".repeat(128)) });
      const [failure] = await server.failuresOf([other]);
      assert.match(
        failure?.output ?? "",
        /pnpm@\S+ from \S+ is not what its checksum says and was not installed\.\s*$/,
      );
      assert.deepEqual(await server.failuresOf([step("managers", "pnpm and yarn", { script })]), []);
    });

    it("reports from where pnpm and yarn could not be had", async () => {
      const version = server.mirror.versions[0] as string;
      await server.bash(`rm /opt/longshore/node/${version}/bin/pnpm`);
      const install = withPrelude("?", installPackageManagers(version)).script;
      const nowhere = "export npm_config_registry=http://127.0.0.1:1/ npm_config_fetch_retries=0";
      const { exitCode, stderr } = await server.run({ script: `${nowhere}\n${install}` });
      assert.equal(exitCode, 1);
      assert.match(
        stderr,
        /npm could not install pnpm@\S+ from http:\/\/127\.0\.0\.1:1\/; its own words are above\.\s*$/,
      );
    });
  });
}
