// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of .env files
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { masker } from "../../../lib/mask.ts";
import { quote } from "../../sh.ts";
import { isMasked, secretsIn } from "../secret-values.ts";

/** Settings as the usual frameworks have them; a text in «» is secret, the rest has to stay readable. */
const marked = `
APP_NAME="Acme Shop"
APP_ENV=production
APP_KEY=«base64:3fJ8aRk0kVnU0b1xQmC9s8aY7u2gQe5oK1lZ0hT4vWc=»
APP_TIMEZONE=Europe/Berlin
APP_URL=https://shop.example.com
APP_MAINTENANCE_DRIVER=database
# OLD_KEY=«base64:KkQ0u9aZ2xR7pV1nB6mC3tL8sW5yE4hG0fJ2dS9aQ1o=»
LOG_CHANNEL=database
LOG_DEPRECATIONS_CHANNEL=emergency
DB_CONNECTION=postgresql
DB_HOST=db-1.internal.example.com
DB_DATABASE=shop_production
DB_USERNAME=shop_owner
DB_PASSWORD=«correct-horse»
DB_SOCKET=/var/run/mysqld/mysqld.sock
DB_CHARSET=utf8mb4
DB_COLLATION=utf8mb4_unicode_ci
SESSION_DRIVER=database
SESSION_DOMAIN=.shop.example.com
FILESYSTEM_DISK=localdisk
CACHE_PREFIX=laravel_cache_
REDIS_CLIENT=phpredis
MAIL_HOST=smtp.eu.mailgun.org
MAIL_USERNAME=postmaster@mg.example.com
MAIL_PASSWORD="«Winter 2025!»"
MAIL_FROM_ADDRESS="hello@example.com"
AWS_ACCESS_KEY_ID=«AKIAIOSFODNN7EXAMPLE»
AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»
AWS_DEFAULT_REGION=eu-central-1
AWS_BUCKET=shop-uploads
SANCTUM_STATEFUL_DOMAINS=shop.example.com,localhost:3000,127.0.0.1:8000
TRUSTED_PROXIES=10.0.0.0/8,172.16.0.0/12
SENTRY_DSN=https://«4f1d6f1c0b7e4e0f9a3b2c1d0e9f8a7b»@o450712.ingest.sentry.io/4507123
STRIPE_WEBHOOK=«whsec_abcdEFGH1234»
SLACK_HOOK_URL=https://hooks.slack.com/services/«T024BE7LD»/«B01ABCDEF»/«XyZ123abcDEF456ghiJKL789»
AUTH_PASSWORD_BROKER=customers
PASSWORD_RESET_URL=https://shop.example.com/password/reset
NEXT_PUBLIC_API_URL=https://api.example.com/v1
NEXTAUTH_SECRET=«aVeryLongPhraseForSigning»
NODE_ENV=production
NODE_OPTIONS=--max-old-space-size=512
CORS_ORIGIN=https://a.example.com,https://b.example.com
DATABASE_URL="postgres://shop_owner:«s3cr3t%2FValue»@db.example.com:5432/shop_production?sslmode=require"
RAILS_ENV=production
RAILS_MASTER_KEY=«0123456789abcdef0123456789abcdef»
SECRET_KEY_BASE=«9d2f0b6e0a55»
REDIS_URL=redis://:«r3d1sPassw0rd»@cache.example.com:6379/0
RAW_URL=mysql://app:«pass/word»@db.example.com/shop
GO_DSN=app:«pa55wordx»@tcp(db.example.com:3306)/shop
LIBPQ="host=db.example.com user=application password=«topSecret1» dbname=shop"
ADO="Server=db.example.com;Password=«topSecret2»;Database=shop"
SITEMAP=https://shop.example.com/sitemap.xml?utm_source=newsletter&token=«abcdefgh»
GOOGLE_APPLICATION_CREDENTIALS=/srv/app/shared/google.json
SOMETHING=«f3Kd92LsPq0Z»
apiToken=«abcdefghi»
PGPASSWORD=«abcdefghj»
KEYS=«first-key-of-ours,Zx81kd92mKq01LpQ77ab»
CRON="*/30 * * * *"
GREETING="It's a wonderful day"
SIZE=1024MB
`;

const text = marked.replaceAll(/[«»]/g, "");
const secretTexts = [...marked.matchAll(/«([^»]*)»/g)].map(([, secret]) => secret as string);

describe("a log that prints the whole environment", () => {
  const shown = masker(secretsIn(text))(text);

  test("shows all that is no secret", () => {
    assert.equal(shown, marked.replaceAll(/«[^»]*»/g, "********"));
  });

  test("shows no secret, wherever it stands", () => {
    for (const secret of secretTexts) {
      assert.equal(masker(secretsIn(text))(`Failed (${secret}).`), "Failed (********).", secret);
    }
    assert.equal(masker(secretsIn(text))("s3cr3t/Value"), "********", "as programs decode it");
  });

  test("stays readable in the sentences of a framework", () => {
    const line = "production.ERROR: the database server at https://shop.example.com/cart failed for shop_owner";
    assert.equal(masker(secretsIn(text))(line), line);
  });
});

describe("secrets", () => {
  test("with random texts are masked under any name", () => {
    const random = (bytes: number) => [
      randomBytes(bytes).toString("base64"),
      randomBytes(bytes).toString("base64url"),
      randomBytes(bytes).toString("hex"),
      Array.from(randomBytes(bytes * 2), (byte) => String.fromCharCode(97 + (byte % 26))).join(""),
    ];
    const values = Array.from({ length: 500 }, () => random(16)).flat();
    const shown = values.filter((value) => !isMasked({ name: "THING", value }));
    // Chance may make a text that could be a word.
    assert.ok(shown.length < values.length / 200, shown.join(" "));
  });

  test("are masked as the file quotes them, and as bash does", () => {
    const file = 'APP_SECRET="a \\"b\\" \\$c d"\nOTHER_SECRET="it\'s our own"\n';
    const mask = masker(secretsIn(file));
    assert.equal(mask(file), 'APP_SECRET="********"\nOTHER_SECRET="********"\n');
    assert.equal(mask('a "b" $c d'), "********");
    assert.equal(mask(`export OTHER_SECRET=${quote("it's our own")}`), "export OTHER_SECRET=********");
  });

  test("that are short are masked beside their name, and in addresses", () => {
    const mask = masker(secretsIn("DB_PASSWORD='abc'\nURL=mysql://app:hunter2@db/shop"));
    assert.equal(mask("DB_PASSWORD='abc'"), "********");
    assert.equal(mask("DB_PASSWORD=abc"), "********");
    assert.doesNotMatch(mask("connect mysql://app:hunter2@db/shop"), /hunter2/);
  });

  test("of several lines are masked line by line", () => {
    const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----";
    for (const name of ["JWT_PRIVATE_KEY", "THING"]) {
      assert.doesNotMatch(masker(secretsIn(`${name}="${key}"`))(`> MIIEvQIBADANBgkqhkiG9w0`), /MIIE/);
    }
  });

  test("are what the user chose", () => {
    const choices = { APP_ENV: true, APP_KEY: false };
    assert.deepEqual(secretsIn("APP_ENV=production\nAPP_KEY=base64:3fJ8aRk0kVnU", choices), ["production"]);
    assert.ok(!isMasked({ name: "REDIS_PASSWORD", value: "null" }));
  });

  test("are found in long hostile values in a moment", () => {
    for (const part of ["a", ":", "=", "@", "a=", "//", "'", "a:b@", "%", "-", ".", "key=;"]) {
      const began = process.cpuUsage();
      secretsIn(`A=x${part.repeat(200_000 / part.length)}`);
      secretsIn(`A=https://x${part.repeat(200_000 / part.length)}`);
      assert.ok(process.cpuUsage(began).user < 2_000_000, part);
    }
  });
});
