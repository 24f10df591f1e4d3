import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { failure, openBench, prepareOrder, serversAt, withEach } from "./support.ts";

const megabytes = (count: number) => "x".repeat(count * 1024 * 1024);
const deepJson = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const deepXml = `${"<a>".repeat(50_000)}${"</a>".repeat(50_000)}`;
const expansion = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>
<DescribeRegionsResponse><regionInfo><item><regionName>&lol2;</regionName></item></regionInfo></DescribeRegionsResponse>`;
const external = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><DescribeRegionsResponse><regionInfo>&x;</regionInfo></DescribeRegionsResponse>`;

const bodies: Record<string, unknown> = {
  "ten megabytes": megabytes(10),
  "ten megabytes of JSON": JSON.stringify({ locations: [megabytes(10)] }),
  "deep JSON": deepJson,
  "deep XML": deepXml,
  "entities that expand": expansion,
  "an external entity": external,
  nothing: "",
  "no JSON": "<html>hello</html>",
  null: "null",
  "other types": { locations: "x", regions: 7, regionInfo: [] },
  "items of other types": { locations: [{ name: 1 }], regions: [null] },
  "a prototype": '{"__proto__":{"locations":[]},"constructor":{"prototype":{}}}',
  "an endless string": '{"locations":["',
};

describe("A hostile answer", () => {
  for (const [name, body] of Object.entries(bodies)) {
    it(`is refused: ${name}`, () =>
      withEach(async ({ driver, access, cloud }) => {
        cloud.override(/./, { status: 200, body }, 10);
        const error = await failure(driver.listLocations(access));
        assert.deepEqual([error.code, error.permanent], ["unavailable", false]);
        assert.ok(error.message.length < 400);
        assert.doesNotMatch(error.message, /xxxxx|passwd|lollol/);
      }));
  }

  it("is refused although all that is read of it is right: too large, or too deep", () =>
    withEach(async ({ driver, access, cloud }) => {
      const answer = cloud.answer.bind(cloud);
      const spoilt: [RegExp, (body: string) => string][] = [
        [/too large/, (body) => body + " ".repeat(10 * 1024 * 1024)],
        [
          /too deeply|other form|not XML/,
          (body) =>
            body.startsWith("<")
              ? body.replace("<requestId>", `${"<a>".repeat(100)}${"</a>".repeat(100)}<requestId>`)
              : body.replace("{", `{"deep":${"[".repeat(100)}${"]".repeat(100)},`),
        ],
      ];
      for (const [reason, spoil] of spoilt) {
        cloud.answer = async (asked) => {
          const given = await answer(asked);
          const body = typeof given.body === "string" ? given.body : JSON.stringify(given.body);
          return { ...given, body: spoil(body) };
        };
        assert.match((await failure(driver.listLocations(access))).message, reason);
      }
    }));

  it("is refused as an error, too, without its content", () =>
    withEach(async ({ driver, access, cloud }) => {
      for (const body of [megabytes(10), deepJson, deepXml, expansion]) {
        cloud.override(/./, { status: 400, body }, 4);

        const error = await failure(driver.listLocations(access));
        assert.ok(error.message.length < 400);
        assert.doesNotMatch(error.message, /xxxxx|lollol/);
        cloud.overrides.length = 0;
      }
    }));

  it("with a list that never ends is refused", async () => {
    const { driver, access, cloud, clouds } = await openBench("cloud_a");
    const pagination = {
      page: 1,
      per_page: 50,
      previous_page: null,
      next_page: 2,
      last_page: null,
      total_entries: null,
    };
    cloud.override(/locations/, { status: 200, body: { locations: [], meta: { pagination } } }, 1_000);
    assert.match((await failure(driver.listLocations(access))).message, /no end/);
    assert.ok(cloud.requests.length <= 100);
    await clouds.close();
  });

  it("with a redirect sends the credentials nowhere", () =>
    withEach(async ({ driver, access, cloud, clouds }) => {
      const other = cloud === clouds.a ? clouds.c : clouds.a;
      cloud.override(/./, { status: 302, headers: { location: other.url }, body: "" }, 10);
      await failure(driver.listLocations(access));
      assert.equal(other.requests.length, 0);
    }));

  it("to an order leaves its outcome open: the server is looked for, not ordered again", () =>
    withEach(async (bench) => {
      const order = await prepareOrder(bench);
      const ordered = await bench.driver.ensureServer(bench.access, order);
      for (const body of [deepJson, '{"server":{"id":"x"},"droplet":7}', "<RunInstancesResponse/>"]) {
        const next = await prepareOrder(bench);
        bench.cloud.override(bench.case.orderCall, { status: 200, body });
        const error = await failure(bench.driver.ensureServer(bench.access, next));
        assert.deepEqual([error.permanent, error.isUncertain], [false, true]);
      }
      assert.deepEqual(serversAt(bench), [ordered.id]);
    }));
});
