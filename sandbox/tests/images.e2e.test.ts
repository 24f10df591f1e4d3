import assert from "node:assert/strict";
import { after, test } from "node:test";
import { downServer, ensureImage, execOn, hasImage, removeImage, saveImage, upServer } from "../sandbox.ts";
import { overSsh, tracesOf, uniqueName } from "./cast.ts";

const image = uniqueName("image");
const shared = uniqueName("shared");
const [source = "", one = "", two = ""] = ["source", "one", "two"].map(uniqueName);

after(async () => {
  for (const name of [source, one, two]) await downServer(name);
  for (const each of [image, shared, `${image}-2`]) await removeImage(each);
});

test("a saved server boots again under another name, with its files and without what was removed", async () => {
  await upServer({ name: source });
  await execOn(source, [
    "sh",
    "-c",
    "echo provisioned >/root/state; rm -r /usr/share/doc/curl; systemctl mask getty.target",
  ]);
  assert.equal(await hasImage(image), false);
  await saveImage(source, image);
  assert.equal(await hasImage(image), true);
  assert.deepEqual(await tracesOf(source), []);

  const started = performance.now();
  const server = await upServer({ name: one, image });
  assert.ok(performance.now() - started < 180_000);
  const { stdout } = await overSsh(
    server,
    "hostname; cat /root/state; ls /usr/share/doc/curl 2>&1 | grep -c 'No such'",
  );
  assert.equal(stdout, `${one}\nprovisioned\n1\n`);
});

test("servers of one image do not see each other's changes", async () => {
  await Promise.all([upServer({ name: one, image }), upServer({ name: two, image })]);
  await execOn(one, ["sh", "-c", "echo changed >/root/state"]);
  assert.equal((await execOn(two, ["cat", "/root/state"])).stdout, "provisioned\n");
});

test("an image can be made from a server of an image", async () => {
  await upServer({ name: one, image });
  await execOn(one, ["sh", "-c", "echo more >/root/more"]);
  await saveImage(one, `${image}-2`);
  const server = await upServer({ name: one, image: `${image}-2` });
  assert.equal((await overSsh(server, "cat /root/more; test -e /root/state && echo both")).stdout, "more\nboth\n");
});

test("of several that ask for an image at once, one makes it", async () => {
  let made = 0;
  const prepare = async () => {
    made += 1;
  };
  await Promise.all([1, 2, 3].map(() => ensureImage(shared, prepare)));
  assert.equal(made, 1);
  assert.equal(await hasImage(shared), true);
});

test("an image that does not exist is named, and nothing is left behind", async () => {
  const name = uniqueName("none");
  await assert.rejects(upServer({ name, image: "no-such-image" }), /There is no image no-such-image/);
  assert.deepEqual(await tracesOf(name), []);
});
