import assert from "node:assert/strict";
import { chownSync, lchownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import type { Site } from "../model.ts";
import { Nginx } from "./nginx.ts";

// How browsers get and cache files while releases come and go.

describe("the files of a site", () => {
  const nginx = new Nginx();
  /** Stands for the project's user, which does not exist on this machine. */
  const owner = 200_014;
  const forever = "public, max-age=31536000, immutable";

  const site = (id: number, kind: Site["kind"]): Site => {
    const layout = projectLayout(id, nginx.directory);
    for (const path of [layout.logs, layout.state, layout.releases, layout.former])
      mkdirSync(path, { recursive: true });
    return { layout, kind, domains: [{ name: `p${id}.test` }], wwwRedirect: 0, redirectStatus: 301 };
  };
  const own = (path: string): void => lchownSync(path, owner, owner);
  const put = ({ layout }: Site, release: number, files: Record<string, string>, served = "dist"): void => {
    const root = `${layout.releases}/${release}`;
    for (const [path, content] of Object.entries({ ".longshore/x": "", [`${served}/x`]: "", ...files })) {
      const file = join(root, path);
      const made = mkdirSync(dirname(file), { recursive: true });
      for (let each = dirname(file); made && each.length >= made.length; each = dirname(each))
        chownSync(each, owner, owner);
      writeFileSync(file, content);
      own(file);
    }
    symlinkSync(`../${served}`, `${root}/.longshore/public`);
    own(`${root}/.longshore/public`);
  };
  const activate = ({ layout }: Site, release: number): void => {
    symlinkSync(`releases/${release}`, `${layout.current}.new`);
    renameSync(`${layout.current}.new`, layout.current);
  };
  /** Gives a release its place, as a deployment does. */
  const keep = ({ layout }: Site, place: number, release: number): void => {
    rmSync(`${layout.former}/${place}`, { force: true });
    symlinkSync(`../releases/${release}/.longshore/public`, `${layout.former}/${place}`);
    own(`${layout.former}/${place}`);
  };

  const app = site(1, { family: "static", spa: "detected", assets: "build" });
  const always = site(2, { family: "static", spa: true });
  const never = site(3, { family: "static", spa: false });
  const shop = site(4, { family: "php", assets: "laravel" });
  const blog = site(5, { family: "php" });

  const get = ({ domains: [domain] }: Site, path: string) => nginx.get(domain?.name ?? "", path);
  const cachingOf = async (of: Site, path: string) => {
    const { status, headers } = await get(of, path);
    assert.equal(status, 200, path);
    return headers["cache-control"];
  };

  const hashed = [
    "assets/AboutView-CXtZgaLf.js",
    "assets/logo-BKJ2lq9x.svg",
    "assets/js/main.3f9a2b1c.js",
    "static/css/main.e6c13ad2.css",
    "_astro/page.B1d.css",
    "_next/static/build-1/_buildManifest.js",
    "_nuxt/entry.js",
    "_app/immutable/start.js",
    "main-5ZBVBJBM.js",
    "index.a1b2c3d4.js",
  ];
  const changing = [
    "photo-1024x768.png",
    "report-20241122.png",
    "assets/photo-1024x768.png",
    "assets/report-20241122.png",
    "assets/IMG-DSC01234.jpg",
    "assets/photo-Portrait.jpg",
    "_nuxt/builds/latest.json",
    "uploads/a-CXtZgaLf.js",
    "service-worker.js",
  ];
  const files = (directory: string, paths: readonly string[]) =>
    Object.fromEntries(paths.map((path) => [`${directory}/${path}`, path]));

  before(async () => {
    put(app, 1, {
      "dist/index.html": "app 1",
      "dist/notes.txt": "ü",
      "dist/style.css": "",
      "dist/app.js": "",
      "dist/data.json": "{}",
      "dist/logo.png": "",
      ...files("dist", [...hashed, ...changing]),
    });
    put(app, 2, { "dist/index.html": "app 2", "dist/sub/page.html": "page" });
    put(app, 3, { "dist/index.html": "home", "dist/about/index.html": "about", ".longshore/pages": "" });
    put(always, 1, { "dist/index.html": "app", "dist/404.html": "own 404" });
    put(never, 1, { "dist/index.html": "home", "dist/a-CXtZgaLf.js": "" });
    put(
      shop,
      1,
      { "public/build/assets/app-CXtZgaLf.css": "1", "public/uploads/a-CXtZgaLf.png": "", "public/a.html": "" },
      "public",
    );
    put(shop, 2, { "public/index.php": "" }, "public");
    put(blog, 1, { "public/a-3f9a2b1c.png": "" }, "public");
    activate(app, 1);
    for (const each of [always, never, blog, shop]) activate(each, 1);
    await nginx.start([app, always, never, shop, blog]);
  });
  after(() => nginx.stop());

  test("are asked for again when they are pages, so that these name assets that exist", async () => {
    activate(app, 2);
    for (const path of ["/", "/index.html", "/sub/page", "/sub/page.html", "/anything"]) {
      assert.equal(await cachingOf(app, path), "no-cache", path);
    }
    assert.equal(await cachingOf(never, "/"), "no-cache");
    assert.equal(await cachingOf(shop, "/a.html"), "no-cache");
    activate(app, 1);
  });

  test("are kept for ever where the framework's build gives them a hash as a name, and nowhere else", async () => {
    for (const path of hashed) assert.equal(await cachingOf(app, `/${path}`), forever, path);
    for (const path of changing) assert.equal(await cachingOf(app, `/${path}`), undefined, path);
    assert.equal(await cachingOf(never, "/a-CXtZgaLf.js"), undefined);
    assert.equal(await cachingOf(shop, "/build/assets/app-CXtZgaLf.css"), forever);
    assert.equal(await cachingOf(shop, "/uploads/a-CXtZgaLf.png"), undefined);
    assert.equal(await cachingOf(blog, "/a-3f9a2b1c.png"), undefined);
  });

  test("are found in the releases that are kept when they are assets, and no other file is", async () => {
    activate(app, 2);
    for (const path of hashed) assert.equal((await get(app, `/${path}`)).status, 404, path);
    keep(app, 1, 2);
    keep(app, 2, 1);
    for (const path of hashed) {
      const { status, body, headers } = await get(app, `/${path}`);
      assert.deepEqual([status, body, headers["cache-control"]], [200, path, forever]);
    }
    assert.match(
      (await get(app, "/assets/AboutView-CXtZgaLf.js")).headers["content-type"] ?? "",
      /javascript; charset=utf-8$/,
    );
    for (const path of [
      "/uploads/a-CXtZgaLf.js",
      "/notes.txt",
      "/photo-1024x768.png",
      "/assets/none-CXtZgaLf.js",
      "/1/notes.txt",
    ]) {
      assert.equal((await get(app, path)).status, 404, path);
    }
    activate(app, 1);
    activate(shop, 2);
    keep(shop, 1, 1);
    assert.equal((await get(shop, "/build/assets/app-CXtZgaLf.css")).body, "1");
    assert.equal((await get(shop, "/build/assets/none-CXtZgaLf.css")).status, 502, "the application is asked");
  });

  test("of an earlier release are not followed out of the project", async () => {
    const secret = `${nginx.directory}/secret`;
    mkdirSync(`${secret}/assets`, { recursive: true });
    writeFileSync(`${secret}/assets/key-CXtZgaLf.js`, "SECRET");
    put(app, 7, { "dist/assets/.hidden/x-CXtZgaLf.js": "HIDDEN" });
    const { releases } = app.layout;
    symlinkSync(`${secret}/assets/key-CXtZgaLf.js`, `${releases}/7/dist/assets/key-CXtZgaLf.js`);
    symlinkSync(`${secret}/assets`, `${releases}/7/dist/static`);
    own(`${releases}/7/dist/assets/key-CXtZgaLf.js`);
    own(`${releases}/7/dist/static`);
    keep(app, 3, 7);
    for (const path of ["/assets/key-CXtZgaLf.js", "/static/key-CXtZgaLf.js", "/assets/.hidden/x-CXtZgaLf.js"]) {
      assert.equal((await get(app, path)).status, 404, path);
    }
    rmSync(`${releases}/7/.longshore/public`);
    symlinkSync(secret, `${releases}/7/.longshore/public`);
    own(`${releases}/7/.longshore/public`);
    assert.equal((await get(app, "/assets/key-CXtZgaLf.js")).status, 404);
  });

  test("have a character set when they are text", async () => {
    for (const path of ["/", "/notes.txt", "/style.css", "/app.js"]) {
      assert.match((await get(app, path)).headers["content-type"] ?? "", /; charset=utf-8$/, path);
    }
    for (const path of ["/data.json", "/logo.png"]) {
      assert.doesNotMatch((await get(app, path)).headers["content-type"] ?? "", /charset/, path);
    }
  });

  const addresses = ["/users/7", "/user/jane.doe", "/v1.2", "/sites/example.com"];
  const missing = ["/gone.js", "/gone.PNG", "/robots.txt", "/wp-login.php", "/.env", "/users/.git/config", "/old.html"];

  test("are the index page for addresses of an application, with dots too, but not for missing files", async () => {
    for (const path of addresses) assert.equal((await get(app, path)).body, "app 1", path);
    for (const path of missing) assert.equal((await get(app, path)).status, 404, path);
  });

  test("are 404 for unknown addresses of a site of several pages", async () => {
    activate(app, 3);
    assert.equal((await get(app, "/about/")).body, "about");
    for (const path of [...addresses, ...missing]) assert.equal((await get(app, path)).status, 404, path);
    activate(app, 1);
  });

  test("are what the project's setting says, whatever the release has", async () => {
    for (const path of addresses) assert.equal((await get(always, path)).body, "app", path);
    for (const path of missing) {
      const { status, body } = await get(always, path);
      assert.deepEqual([status, body], [404, "own 404"], path);
    }
    for (const path of [...addresses, ...missing]) assert.equal((await get(never, path)).status, 404, path);
  });
});
