import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importedFrom } from "../import.ts";

/** Each redirect as a line, and the numbers of the lines that were ignored. */
function read(format: "_redirects" | "htaccess", text: string): [string[], number[]] {
  const { redirects, ignored } = importedFrom(format, text);
  const shown = redirects.map(({ match, from, to, status, keeps_query }) =>
    [match, from, to ?? "-", status, ...(keeps_query ? [] : ["without query"])].join(" "),
  );
  return [shown, ignored.map(({ line }) => line)];
}

describe("a _redirects file", () => {
  test("has redirects with placeholders, splats and a status", () => {
    const text = [
      "# comment",
      "/home              /",
      "/blog/my-post.php  /blog/my-post  302 # for a while",
      "/news/:year/:slug  /blog/:year-:slug 301!",
      "",
      "/docs/*  https://docs.example.com/:splat",
      "/gone /x 410",
    ].join("\r\n");
    assert.deepEqual(read("_redirects", text), [
      [
        "exact /home / 301",
        "exact /blog/my-post.php /blog/my-post 302",
        "pattern /news/:year/:slug /blog/:year-:slug 301",
        "pattern /docs/* https://docs.example.com/:splat 301",
        "exact /gone - 410",
      ],
      [],
    ]);
  });

  test("has other lines, which are reported by their numbers", () => {
    const text = [
      "/api/* https://api.example.com/:splat 200",
      "/store id=:id /blog/:id 301",
      "/ /china 302 Country=cn",
      "https://old.example.com/* /x",
      "/alone",
      "/missing /404.html 404",
      "/*/x /y",
      "/a //evil.example.com",
      '/a /b"; return 200; #',
      "/fine /there",
    ].join("\n");
    assert.deepEqual(read("_redirects", text), [["exact /fine /there 301"], [1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    const { ignored } = importedFrom("_redirects", `\n/${"x".repeat(600)}`);
    assert.deepEqual([ignored[0]?.line, ignored[0]?.text.length], [2, 200]);
    assert.match(ignored[0]?.reason ?? "", /no target/);
  });
});

describe("an .htaccess file", () => {
  test("has Redirect, RedirectMatch and RewriteRule", () => {
    const text = [
      "<IfModule mod_rewrite.c>",
      "RewriteEngine On",
      "RewriteBase /",
      "RewriteRule ^old\\.html$ /new.html [R=301,L]",
      "RewriteRule ^blog/([^/]+)/([^/]+)/?$ /news/$2?year=$1 [L,R=302]",
      "RewriteRule ^docs/(.*)$ https://docs.example.com/$1 [R=permanent,NE,QSA]",
      "RewriteRule ^gone$ - [G]",
      "</IfModule>",
      "Redirect 301 /shop https://shop.example.com",
      'RedirectPermanent "/a b" /ab',
      "Redirect /temporary /there",
      "Redirect gone /removed",
      "RedirectMatch 308 ^/x/(.+)$ /y/$1",
    ].join("\n");
    assert.deepEqual(read("htaccess", text), [
      [
        "exact /old.html /new.html 301",
        "pattern /blog/:part1/:part2 /news/:part2?year=:part1 302 without query",
        "pattern /blog/:part1/:part2/ /news/:part2?year=:part1 302 without query",
        "pattern /docs/* https://docs.example.com/:splat 301",
        "exact /gone - 410",
        "prefix /shop https://shop.example.com 301",
        "prefix /a b /ab 301",
        "prefix /temporary /there 302",
        "prefix /removed - 410",
        "pattern /x/* /y/:splat 308",
      ],
      [],
    ]);
  });

  test("has other lines, which are reported by their numbers", () => {
    const text = [
      "RewriteCond %{HTTPS} off",
      "RewriteRule ^x$ /y [R=301]",
      "RewriteRule . /index.php [L]",
      "RewriteRule ^post/(\\d+)$ /p/$1 [R=301]",
      "RewriteRule ^(a|b)$ /c [R=301]",
      "RewriteRule ^x$ /y [R=301,NC]",
      "RewriteRule x /y [R=301]",
      "RedirectMatch ^/a.*b$ /c",
      "Redirect 404 /x",
      "Header set X-Frame-Options DENY",
      "RewriteRule ^x$ http://%{HTTP_HOST}/y [R=301]",
      "RewriteRule ^(.*)$ $1/$2 [R=301]",
      "RewriteRule ^fine$ /there [R=301]",
    ].join("\n");
    assert.deepEqual(read("htaccess", text), [["exact /fine /there 301"], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]);
  });
});
