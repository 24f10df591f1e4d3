import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressIn, isNetwork, isPublicAddress } from "../addresses.ts";

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
