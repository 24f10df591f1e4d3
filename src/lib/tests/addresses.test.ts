import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { describe, it, type TestContext } from "node:test";
import { mayCheck } from "../../features/monitors/checks/reach.ts";
import { addressError } from "../../features/servers/connections.ts";
import {
  addressIn,
  isNetwork,
  isOpenAddress,
  isPublicAddress,
  isServerAddress,
  ownAddresses,
  readKernelTables,
} from "../addresses.ts";

describe("a public address", () => {
  for (const address of [
    "1.1.1.1",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
  ]) {
    it(`is ${address}`, () => assert.equal(isPublicAddress(address), true));
  }

  const others = [
    "0.0.0.0",
    "10.1.2.3",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::FFFF:169.254.169.254",
    "::ffff:a00:1",
    "0:0:0:0:0:ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "localhost",
    "",
    "1.2.3",
  ];
  for (const address of others)
    it(`is not ${address || "nothing"}`, () => assert.equal(isPublicAddress(address), false));
});

describe("a network", () => {
  for (const text of ["10.0.0.0/8", "10.1.2.3", "0.0.0.0/0", "10.1.2.3/32", "2001:db8::/128", "::1"]) {
    it(`is ${text}`, () => assert.equal(isNetwork(text), true));
  }

  for (const text of [
    "",
    "10.0.0.0/33",
    "2001:db8::/129",
    "10.0.0/8",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "example.com",
  ]) {
    it(`is not ${text || "nothing"}`, () => assert.equal(isNetwork(text), false));
  }
});

describe("a list of networks", () => {
  const isListed = addressIn(["10.1.0.0/16", "192.168.7.7", "fd00::/8"]);

  it("holds what is inside them", () => {
    assert.deepEqual(["10.1.2.3", "192.168.7.7", "fd12::1", "::ffff:10.1.0.1"].map(isListed), [true, true, true, true]);
  });

  it("holds nothing else", () => {
    assert.deepEqual(["10.2.0.1", "192.168.7.8", "fe80::1", "x"].map(isListed), [false, false, false, false]);
    assert.equal(addressIn([])("127.0.0.1"), false);
  });
});

describe("this machine's addresses", () => {
  /** The system answers as in a unit without AF_NETLINK, or without a free file descriptor. */
  function forbid(t: TestContext, object: typeof os | typeof fs, name: "networkInterfaces" | "readFileSync"): void {
    t.mock.method(object as unknown as Record<string, () => never>, name, () => {
      throw new Error("A system error occurred: uv_interface_addresses returned Unknown system error 97");
    });
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
  }

  // Before a call that works: later ones have its answer.
  it("count as unknown when nothing shows them, and then no address that needs to be known is reached", (t) => {
    forbid(t, os, "networkInterfaces");
    forbid(t, fs, "readFileSync");
    assert.equal(ownAddresses(), undefined);
    for (const address of ["8.8.8.8", "10.1.2.3", "127.0.0.1", "169.254.169.254", "2606:4700::1111", "fe80::1"]) {
      assert.equal(isServerAddress(address, []), false, address);
      assert.equal(isOpenAddress(address), false, address);
      assert.equal(mayCheck([], [])(address), false, address);
      assert.equal(isServerAddress(address, [address]), true, address);
      assert.equal(mayCheck([], [address])(address), true, address);
    }
    assert.match(addressError({ serversAllow: [] }, "8.8.8.8") ?? "", /add AF_NETLINK to RestrictAddressFamilies/);
  });

  const interfaces = Object.values(os.networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address));

  it("are the same in the tables of the kernel", () => {
    const isListed = addressIn(readKernelTables());
    assert.ok(interfaces.includes("127.0.0.1"));
    assert.deepEqual(
      interfaces.filter((address) => !isListed(address)),
      [],
    );
    assert.ok(!isListed("8.8.8.8"));
  });

  it("are read from there when the system does not list its interfaces", (t) => {
    forbid(t, os, "networkInterfaces");
    assert.deepEqual(ownAddresses(), readKernelTables());
    for (const address of interfaces) assert.equal(isServerAddress(address, []), false, address);
    assert.equal(isServerAddress("8.8.8.8", []), true);
  });

  it("are those of the last time when they cannot be read for a moment", (t) => {
    const before = ownAddresses();
    forbid(t, os, "networkInterfaces");
    forbid(t, fs, "readFileSync");
    assert.deepEqual(ownAddresses(), before);
  });
});

describe("an address that everyone can try out", () => {
  const open = ["9.9.9.9", "203.0.113.7", "2620:fe::fe"];
  const closed = ["10.0.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.1", "fd00::1", "::ffff:10.0.0.1"];
  const special = ["127.0.0.1", "169.254.169.254", "::1", "fe80::1", "64:ff9b::a00:1", ""];
  for (const address of open) it(`is ${address}`, () => assert.equal(isOpenAddress(address), true));
  for (const address of [...closed, ...special]) {
    it(`is not ${address || "nothing"}`, () => assert.equal(isOpenAddress(address), false));
  }
  it("is none of this machine's", () => assert.deepEqual(ownAddresses()?.filter(isOpenAddress), []));
});
