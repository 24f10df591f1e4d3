import { join } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { phpPackages } from "../../src/host/system/distribution.ts";

/** Where the server itself serves the stand-in, as a mirror of the archives of PHP versions. */
const port = 8931;
const directory = "/var/lib/php-archive";

/**
 * A stand-in for an archive of PHP versions, with its own keys. Its packages are the server's own PHP under the name of another
 * version: the same programs, which report that version and have its settings.
 */
export interface PhpArchive {
  settings: Record<string, string>;
  /** Builds and serves it on a server whose own PHP is one minor version older; run by bash. */
  build(version: string): string;
  /** Publishes the key that signs it, or a foreign one. */
  publish(key: "own" | "foreign"): string;
}

export async function makePhpArchive(home: string): Promise<PhpArchive> {
  const gnupg = join(home, "gnupg");
  const gpg = ["gpg", "--homedir", gnupg, "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""];
  await mustRun(["mkdir", "-m", "700", gnupg]);
  const make = (name: string) => mustRun([...gpg, "--quick-generate-key", name, "ed25519", "sign", "never"]);
  await make("own@example.test");
  await make("foreign@example.test");
  const listed = await mustRun([...gpg, "--list-keys", "--with-colons", "own@example.test"]);
  const [, fingerprint = ""] = /^fpr:+([0-9A-F]{40}):/m.exec(listed) ?? [];
  const secret = await mustRun([...gpg, "--armor", "--export-secret-keys", "own@example.test"]);
  const own = await mustRun([...gpg, "--armor", "--export", "own@example.test"]);
  const foreign = await mustRun([...gpg, "--armor", "--export", "foreign@example.test"]);
  await mustRun(["gpgconf", "--homedir", gnupg, "--kill", "all"]);
  const keys = { own, foreign };
  return {
    settings: {
      LONGSHORE_PHP_PACKAGES: `http://127.0.0.1:${port}`,
      LONGSHORE_PHP_PACKAGES_KEY: fingerprint,
    },
    build: (version) =>
      `secret='${secret}' version=${version} packages='${phpPackages(version).join(" ")}'\n${building}`,
    publish: (key) => `cat > ${directory}/debian/apt.gpg <<'END'\n${keys[key]}\nEND`,
  };
}

const building = `
own=$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;') full=$(php -r 'echo PHP_VERSION;')
archive=${directory}/debian pool=${directory}/debian/pool
rm -rf ${directory}
mkdir -p "$pool" "$archive/dists/bookworm/main/binary-amd64"
cd "$(mktemp -d)"
# Texts of the same length: the program stays as it is otherwise.
as_other() { LC_ALL=C sed "s#/etc/php/$own#/etc/php/$version#g; s#$full#$version\${full#"$own"}#g" "$1"; }
package() { # NAME VERSION DEPENDS
  mkdir -p "$1/DEBIAN"
  printf 'Package: %s\\nVersion: %s\\nArchitecture: amd64\\nMaintainer: Stand-in <stand-in@example.test>\\nDescription: stand-in\\n' "$1" "$2" > "$1/DEBIAN/control"
  [ -z "\${3-}" ] || echo "Depends: $3" >> "$1/DEBIAN/control"
  dpkg-deb --root-owner-group --build "$1" "$pool/" > /dev/null
}
cli=php$version-cli fpm=php$version-fpm
mkdir -p "$cli"/{DEBIAN,usr/bin,etc/php/"$version"} "$fpm"/{DEBIAN,usr/sbin,etc/php/"$version",lib/systemd/system}
as_other "/usr/bin/php$own" > "$cli/usr/bin/php$version"
cp -rL "/etc/php/$own/cli" "$cli/etc/php/$version/"
printf '#!/bin/sh\\nupdate-alternatives --install /usr/bin/php php /usr/bin/php%s 99\\n' "$version" > "$cli/DEBIAN/postinst"
as_other "/usr/sbin/php-fpm$own" > "$fpm/usr/sbin/php-fpm$version"
cp -rL "/etc/php/$own/fpm" "$fpm/etc/php/$version/"
rm "$fpm/etc/php/$version/fpm/conf.d/60-longshore.ini"
printf '[Service]\\nExecStart=/usr/bin/sleep infinity\\n[Install]\\nWantedBy=multi-user.target\\n' > "$fpm/lib/systemd/system/php$version-fpm.service"
printf '#!/bin/sh\\nsystemctl daemon-reload\\nsystemctl enable --now php%s-fpm.service\\n' "$version" > "$fpm/DEBIAN/postinst"
chmod 755 "$cli/usr/bin/php$version" "$fpm/usr/sbin/php-fpm$version" {"$cli","$fpm"}/DEBIAN/postinst
for name in $packages; do package "$name" "\${full/$own/$version}" "$([ "$name" != "$fpm" ] || echo "$cli, php-common")"; done
# Newer than what the server has: nothing of it may come.
for name in php-common "php$own-cli" libsodium23; do package "$name" 9:99; done
cd "$archive"
dpkg-scanpackages --multiversion pool > dists/bookworm/main/binary-amd64/Packages 2> /dev/null
cd dists/bookworm
{
  printf 'Origin: deb.sury.org\\nSuite: bookworm\\nCodename: bookworm\\nArchitectures: amd64\\nComponents: main\\n'
  echo "Date: $(date -Ru)"
  echo SHA256:
  echo " $(sha256sum main/binary-amd64/Packages | cut -d ' ' -f 1) $(stat -c %s main/binary-amd64/Packages) main/binary-amd64/Packages"
} > Release
export GNUPGHOME=$(mktemp -d)
gpg --batch --quiet --import <<< "$secret" 2> /dev/null
gpg --batch --quiet --pinentry-mode loopback --passphrase '' --clearsign --output InRelease Release
gpgconf --kill all
systemd-run --quiet --unit=php-archive python3 -m http.server ${port} --bind 127.0.0.1 --directory ${directory}`;
