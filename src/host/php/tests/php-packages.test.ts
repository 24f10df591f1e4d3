import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withPrelude } from "../../runner/prelude.ts";
import { scriptFile, setBefore } from "../../script-file.ts";
import { lines, quote, sh } from "../../sh.ts";
import { packageSets, phpPackages } from "../../system/distribution.ts";
import { runBash } from "../../tests/bash.ts";
import { installPhp, phpPreferences, phpSource } from "../php-packages.ts";
import { ownPhpVersion, phpArchives, phpVersions } from "../php-versions.ts";

const { debian, ubuntu } = phpArchives();

test("the archives are the maintainer's own, with his keys", () => {
  assert.match(phpSource(debian), /^URIs: https:\/\/packages\.sury\.org\/php$/m);
  assert.match(phpSource(ubuntu), /^URIs: https:\/\/ppa\.launchpadcontent\.net\/ondrej\/php\/ubuntu$/m);
  for (const archive of [debian, ubuntu]) {
    assert.ok(archive.keyAddress.startsWith("https://"));
    assert.match(archive.fingerprints.join(), /^[0-9A-F]{40}$/);
    assert.match(phpSource(archive), /^Signed-By: \/etc\/apt\/keyrings\/longshore-php\.asc$/m, "for nothing else");
  }
});

test("a mirror has both, and their keys unless it names its own", () => {
  const mirror = phpArchives({ base: "https://mirror.test/php/" });
  assert.deepEqual(mirror.debian, {
    ...debian,
    base: "https://mirror.test/php/debian",
    keyAddress: "https://mirror.test/php/debian/apt.gpg",
  });
  assert.equal(mirror.ubuntu.base, "https://mirror.test/php/ubuntu");
  const fingerprints = ["A".repeat(40)];
  assert.deepEqual(phpArchives({ fingerprints }).ubuntu, { ...ubuntu, fingerprints });
});

test("only versions besides the distribution's own are preferred; the rest takes no place of what is installed", () => {
  const records = phpPreferences(debian, "8.2")
    .split("\n\n")
    .map((record) => /Package: (.*)\nPin: (.*)\nPin-Priority: (\d+)/.exec(record)?.slice(1));
  assert.deepEqual(records, [
    ["*", "release o=deb.sury.org", "50"],
    ["php8.1-* php8.3-* php8.4-* php8.5-*", "release o=deb.sury.org", "500"],
  ]);
});

test("a version has the packages of the distribution's PHP", () => {
  const own = packageSets(0, "none").find(({ component }) => component === "php")?.packages ?? [];
  assert.deepEqual(
    phpPackages("8.4").map((name) => name.replace("php8.4-", "php-")),
    own,
  );
});

test("each distribution that is supported has one of the versions itself", () => {
  const names = ["debian 12", "debian 13", "ubuntu 22.04", "ubuntu 24.04", "ubuntu 26.04"];
  for (const name of names)
    assert.ok(
      phpVersions.some((version) => version === ownPhpVersion(name)),
      name,
    );
});

test("what the installation sets is data in the script", () => {
  const { script } = installPhp({ base: "https://mirror.test/$(reboot)" });
  assert.ok(script.includes(`base=${quote("https://mirror.test/$(reboot)/debian")} `));
});

test("a key is not trusted when gpg cannot show what it has exported", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "longshore-php-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const keyFile = join(directory, "key.asc");
  const trust = (lastFile: string) =>
    runBash(
      withPrelude(
        "PHP could not be set up.",
        lines(
          scriptFile(new URL("../install-php.sh", import.meta.url), {
            key_file: keyFile,
            source_file: "",
            updates_file: "",
            preferences_file: "",
            version: setBefore,
            base: setBefore,
            codename: setBefore,
            fingerprints: setBefore,
            key_address: setBefore,
            origin: setBefore,
            packages: setBefore,
            preferences: setBefore,
            source: setBefore,
            updates: setBefore,
          }),
          sh`
            key_address=https://keys.test fingerprints=(AAAA)
            need_packages() { :; }
            curl() { :; }
            mkdir() { [ "$*" = "-p /etc/apt/keyrings" ] || command mkdir "$@"; }
            gpg() {
              case "$*" in
                *--show-keys*) case "\${*: -1}" in */key | */${lastFile}) printf 'pub:\nfpr:::::::::AAAA:\n' ;; *) return 2 ;; esac ;;
                *--export*) echo key ;;
              esac
            }
            trust_key`,
        ),
      ),
      directory,
    );
  const { code, stderr } = await trust("key");
  assert.equal(code, 1);
  assert.match(stderr, /could not be read/);
  assert.ok(!existsSync(keyFile));
  assert.equal((await trust("trusted")).code, 0);
  assert.ok(existsSync(keyFile));
});
