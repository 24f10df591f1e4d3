import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readHtaccess, type Scope, sentencesAbout, verdictOf, verdictOfDirectory } from "../htaccess.ts";

const nothing = (): boolean => false;
const scope = (text: string, address = ""): Scope => ({ address, rules: readHtaccess(text, address === "") });

/** What a directory's only file means for what it holds, and for a file in it. */
const of = (text: string, name = "a.txt") => {
  const scopes = [scope(text, "/notes")];
  return `${verdictOfDirectory(scopes, "/notes", nothing)} ${verdictOf(scopes, `/notes/${name}`, nothing)}`;
};

const denied: [name: string, text: string][] = [
  ["2.4", "Require all denied"],
  ["2.4 in any case", "\tREQUIRE  All  Denied  \r\n"],
  ["2.4, several lines", "Require all \\\n denied"],
  ["this server alone", "Require local"],
  ["this server's address", "Require ip 127.0.0.1 ::1"],
  ["2.2", "Deny from all"],
  ["2.2 in any case", "deny FROM ALL"],
  ["2.2 in order", "Order deny,allow\nDeny from all"],
  ["2.2 in the other order", "Order Allow,Deny\nDeny from all"],
  ["2.2, refusing wins", "order allow, deny\nallow from all\ndeny from all"],
  ["2.2, no visitor is allowed", "Order allow,deny"],
  ["2.2 with this server", "Order deny,allow\nDeny from all\nAllow from 127.0.0.1 localhost"],
  [
    "both, where modules are asked for",
    "<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder allow,deny\nAllow from all\n</IfModule>",
  ],
  ["versions", "<IfVersion < 2.4>\nAllow from all\n</IfVersion>\n<IfVersion >= 2.4>\nRequire all denied\n</IfVersion>"],
  ["all files", '<Files "*">\nRequire all denied\n</Files>'],
  ["all files, as a pattern", "<FilesMatch ^.*$>\nDeny from all\n</FilesMatch>"],
  ["modules inside of files", "<Files ~ .>\n<IfModule mod_authz_core.c>\nRequire all denied\n</IfModule>\n</Files>"],
  ["reading", "<Limit GET POST>\nDeny from all\n</Limit>"],
  ["groups", "<RequireAll>\nRequire all granted\nRequire all denied\n</RequireAll>"],
  ["one of the two kinds", "Allow from all\nRequire all denied"],
  ["some visitors, who are not checked", "Require ip 192.0.2.7"],
  ["passwords, which are not checked", "AuthType Basic\nAuthUserFile /x\nRequire valid-user"],
  ["addresses of 2.2, which are not checked", "Order deny,allow\nDeny from all\nAllow from 192.0.2.0/24"],
  ["rewriting", "RewriteEngine On\nRewriteRule .* - [F,L]"],
  [
    "rewriting of files",
    "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME} -f [OR]\nRewriteCond %{REQUEST_FILENAME} -d\nRewriteRule ^ - [R=404]",
  ],
  ["an error", "RedirectMatch 404 ^/notes/"],
  ["an error for a directory", "Redirect gone /notes"],
];

const open: [name: string, text: string][] = [
  ["nothing", ""],
  ["a comment", "# Require all denied\n#Deny from all"],
  ["2.4", "Require all granted"],
  ["2.2", "Order deny,allow\nAllow from all"],
  ["2.2, allowing wins", "Order deny,allow\nDeny from all\nAllow from all"],
  ["2.2, all but some", "Order allow,deny\nAllow from all\nDeny from 192.0.2.7"],
  ["2.4, all but some", "<RequireAll>\nRequire all granted\nRequire not ip 192.0.2.7\n</RequireAll>"],
  [
    "2.4, none of some",
    "<RequireAll>\nRequire all granted\n<RequireNone>\nRequire ip 192.0.2.7\n</RequireNone>\n</RequireAll>",
  ],
  ["either", "Satisfy Any\nAllow from all\nRequire valid-user"],
  ["where a module is missing", "<IfModule !mod_rewrite.c>\nDeny from all\n</IfModule>"],
  ["an older Apache", "<IfVersion < 2.4>\nDeny from all\n</IfVersion>"],
  ["writing", "<Limit PUT DELETE>\nDeny from all\n</Limit>\n<LimitExcept GET POST>\nDeny from all\n</LimitExcept>"],
  ["robots", "RewriteEngine On\nRewriteCond %{HTTP_USER_AGENT} bot\nRewriteRule .* - [F]"],
  ["rewriting that is off", "RewriteEngine Off\nRewriteRule .* - [F]"],
  ["what is no directive", "</Files>\n<Files\n<>\n\u0000\n<IfVersion>\n</IfVersion>"],
];

describe("a .htaccess file", () => {
  for (const [name, text] of denied) test(`denies: ${name}`, () => assert.equal(of(text), "denied denied"));
  for (const [name, text] of open) test(`leaves open: ${name}`, () => assert.equal(of(text), "open open"));

  test("denies files by their names", () => {
    const names =
      '<FilesMatch "\\.(ini|LOG)$|^secret">\nRequire all denied\n</FilesMatch>\n<Files x.php>\nDeny from all\n</Files>';
    for (const name of ["a.ini", "a.LOG", "secret", "x.php"]) assert.equal(of(names, name), "open denied", name);
    for (const name of ["a.log", "ini", "xx.php", "x.php.txt"]) assert.equal(of(names, name), "open open", name);
    assert.equal(of('<FilesMatch "(?i)\\.ini$">\nRequire all denied\n</FilesMatch>', "a.INI"), "open denied");
  });

  test("opens some files of a directory that it denies", () => {
    const text = '<Files "*">\nRequire all denied\n</Files>\n<Files ~ "\\.(css|js)$">\nRequire all granted\n</Files>';
    assert.equal(of(text, "a.css"), "denied open");
    assert.equal(of(text, "a.db"), "denied denied");
  });

  test("is followed further down, unless another one there says more", () => {
    const above = [scope("Require all denied\nDeny from all"), scope("AddDefaultCharset utf-8", "/a")];
    const address = "/a/b/c.txt";
    assert.equal(verdictOf(above, address, nothing), "denied");
    assert.equal(verdictOf([...above, scope("Require all granted", "/a/b")], address, nothing), "denied", "2.2 denies");
    assert.equal(verdictOf([...above, scope("Require all granted\nAllow from all", "/a/b")], address, nothing), "open");
    const files = [scope('<Files "*.ini">\nRequire all denied\n</Files>'), scope("Require all granted", "/a")];
    assert.equal(verdictOf(files, "/a/x.ini", nothing), "denied", "files come after directories");
    const rewrites = [scope("RewriteEngine On\nRewriteRule ^a/ - [F]"), scope("RewriteEngine On", "/a")];
    assert.deepEqual(
      [verdictOf(rewrites.slice(0, 1), "/a/x", nothing), verdictOf(rewrites, "/a/x", nothing)],
      ["denied", "open"],
    );
  });

  test("gives the front controller directories, and hides others behind what is not there", () => {
    const text =
      "RewriteEngine on\nRewriteRule ^content/(.*) index.php [L]\nRewriteRule ^(themes|layouts)/ error [L]\nRewriteRule ^api/ api.php [L]\nRewriteRule ^(.*) index.php [L]";
    const at = (address: string) => verdictOfDirectory([scope(text)], address, (path) => path === "/api.php");
    assert.deepEqual(["/content", "/content/a", "/themes", "/layouts/x", "/media", "/api", ""].map(at), [
      "routed",
      "routed",
      "denied",
      "denied",
      "open",
      "open",
      "open",
    ]);
  });

  test("is evaluated soon, whatever it holds", () => {
    const rules = readHtaccess(`${"<Files *>\n".repeat(2_000)}${"Require all denied\n".repeat(2_000)}`, true);
    assert.equal(verdictOf([{ address: "", rules }], "/a", nothing), "denied");
  });
});

describe("rules that nginx does not follow", () => {
  const about = (text: string, path = ".htaccess") =>
    sentencesAbout(new Map([[path, readHtaccess(text, path === ".htaccess")]]));

  const frontControllers: [name: string, text: string][] = [
    [
      "WordPress",
      "<IfModule mod_rewrite.c>\nRewriteEngine On\nRewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]\nRewriteBase /\nRewriteRule ^index\\.php$ - [L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteRule . /index.php [L]\n</IfModule>",
    ],
    [
      "Laravel",
      "Options -MultiViews -Indexes\nRewriteEngine On\nRewriteCond %{REQUEST_FILENAME} !-d\nRewriteCond %{REQUEST_URI} (.+)/$\nRewriteRule ^ %1 [L,R=301]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ index.php [L]",
    ],
    [
      "Symfony",
      'DirectoryIndex index.php\nRewriteEngine On\nRewriteCond %{ENV:REDIRECT_STATUS} =""\nRewriteRule ^index\\.php(?:/(.*)|$) %{ENV:BASE}/$1 [R=301,L]\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule ^ %{ENV:BASE}/index.php [L]\n<IfModule !mod_rewrite.c>\nRedirectMatch 307 ^/$ /index.php/\n</IfModule>',
    ],
    ["a query", "RewriteEngine On\nRewriteRule ^(.*)$ index.php?page=$1 [QSA,L]"],
    ["HTTPS", "RewriteEngine On\nRewriteCond %{HTTPS} off\nRewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]"],
    ["what is followed", "Require all denied\n<Files *.ini>\nDeny from all\n</Files>\nRedirectMatch 404 /\\.git"],
    [
      "details",
      "AddDefaultCharset UTF-8\nFileETag None\nServerSignature Off\nAddType font/woff2 .woff2\nErrorDocument 404 /index.php\nDirectoryIndex index.php index.html",
    ],
  ];
  for (const [name, text] of frontControllers) test(`are not: ${name}`, () => assert.deepEqual(about(text), []));

  const unread: [kinds: string, text: string][] = [
    ["rewrites", "RewriteEngine On\nRewriteRule ^old/(.*)$ new/$1 [L]"],
    ["rewrites", "RewriteEngine On\nRewriteCond %{HTTP_REFERER} spam\nRewriteRule ^ - [F]"],
    ["rewrites", "RewriteEngine On\nRewriteRule ( index.php"],
    ["redirects", "Redirect 301 /old /new\nRedirectPermanent /a /b"],
    ["headers", "Header set X-Frame-Options DENY\nExpiresActive On"],
    ["PHP settings", "php_value memory_limit 1G\nphp_flag engine off"],
    ["handlers", "AddType application/x-httpd-php .html"],
    ["handlers", "RemoveHandler .php"],
    ["error pages", "ErrorDocument 404 /missing.html"],
    ["index pages", "DirectoryIndex start.php"],
    ["variables", "SetEnv APP_ENV prod"],
    ["addresses", "Order allow,deny\nAllow from all\nDeny from 192.0.2.7"],
    ["conditions", '<If "%{REQUEST_URI} =~ /x/">\nRequire all denied\n</If>'],
    ["headers, redirects", "Header unset ETag\nRedirect /a /b"],
  ];
  for (const [kinds, text] of unread) {
    test(`are: ${kinds}`, () =>
      assert.deepEqual(about(text), [`nginx does not follow all rules of .htaccess (${kinds}).`]));
  }

  test("are those that let only some visitors in, too: none gets in", () => {
    assert.deepEqual(about("AuthType Basic\nRequire valid-user", "admin/.htaccess"), [
      "No visitor gets what admin/.htaccess (passwords) opens to some: nginx does not check that.",
    ]);
    assert.match(about("Require ip 192.0.2.7")[0] ?? "", /^No visitor gets what \.htaccess \(addresses\)/);
  });

  test("are named once, and not in any number", () => {
    const rules = { unread: ["headers"], closedBy: [] };
    const files = new Map(["a", "b", "c", "d", "e", "f"].map((path) => [`${path}/.htaccess`, rules]));
    assert.match(sentencesAbout(files).join(), /^nginx .* d\/\.htaccess \(headers\) and 2 more\.$/);
  });
});
