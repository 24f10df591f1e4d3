import { type Area, endpoint, everyRequest, everyRoute, rule, testsIn } from "./rule.ts";

const create = testsIn("src/features/servers/tests/create.test.ts");
const read = testsIn("src/features/servers/tests/read.test.ts");
const update = testsIn("src/features/servers/tests/update.test.ts");
const remove = testsIn("src/features/servers/tests/delete.test.ts");
const reboot = testsIn("src/features/servers/tests/reboot.test.ts");
const transfer = testsIn("src/features/servers/tests/transfer.test.ts");
const setup = testsIn("src/features/servers/tests/setup-retry.test.ts");
const realSetup = testsIn("test/e2e/setup.e2e.test.ts");
const again = testsIn("src/features/servers/tests/setup-run.test.ts");
const realReboot = testsIn("test/e2e/reboot.e2e.test.ts");
const plans = testsIn("src/features/servers/tests/plans.test.ts");

export const servers: Area = {
  title: "Servers",
  rules: [
    endpoint(
      "POST /api/v1/servers answers status provisioning, server_id, public_key and connect_command",
      create("is added with a key of its own and waits for its first connection"),
    ),
    endpoint(
      "GET /api/v1/servers answers pages of 10",
      read("has 10 on a page, and the envelope"),
      read("is empty for a stranger"),
    ),
    endpoint(
      "GET /api/v1/servers/{id} answers the server record",
      read("is read with its projects counted"),
      read("does not exist for strangers and for ids that are none"),
    ),
    endpoint(
      "GET /api/v1/servers/{id}/setup-steps answers the setup record; include_steps adds steps",
      setup("has its steps only when they are asked for"),
      setup("is not recorded before the setup began, and says why the server is not connected"),
    ),
    endpoint(
      "PUT /api/v1/servers/{id} changes what is sent",
      update("takes every field, and says which server"),
      update("leaves what it does not name"),
      update("empties what may be empty"),
    ),
    endpoint(
      "DELETE /api/v1/servers/{id} deletes every project on it",
      remove("deletes its projects, deployments, domains and databases with it"),
    ),
    endpoint(
      "POST /api/v1/servers/{id}/reboot is queued",
      reboot("is queued as a run, and the server counts as disconnected until it is back"),
      realReboot("really boots, is seen to be away, and comes back connected"),
    ),
    endpoint(
      "POST /api/v1/servers/{id}/pin answers is_pinned true, idempotently and per user",
      read("is the user's own, and can be set and taken twice"),
    ),
    endpoint(
      "DELETE /api/v1/servers/{id}/pin answers is_pinned false",
      read("is the user's own, and can be set and taken twice"),
      read("is for viewers too, and not for strangers"),
    ),
    endpoint(
      "POST /api/v1/servers/{id}/transfer-organization moves server and projects in one transaction",
      transfer("moves the server with projects, deployments, domains and databases, and leaves the groups"),
      transfer("of one server to two places at once ends in one"),
    ),
    endpoint(
      "POST /api/v1/servers/{id}/setup/retry runs a setup again that gave up or left failed steps",
      setup("runs the setup again that gave up or left failed steps"),
      setup("is refused while it runs, and once all of it has succeeded"),
    ),
    endpoint(
      "POST /api/v1/servers/{id}/setup/run brings a server to what this version sets up",
      again("is for a server whose setup has completed, and plans it by the settings of today"),
      again("is refused while a setup runs, also when it is asked for twice at once"),
      again("is refused for a server that was never connected to, and while it reboots"),
      realSetup("is brought back to what a setup makes of it, and its failed steps can be retried"),
    ),
    endpoint(
      "GET /api/v1/servers/{id}/setup-runs lists the server's setups",
      again("stay readable, each with its outcome, steps and log"),
      again("are found below their own server only"),
    ),
    endpoint(
      "GET /api/v1/servers/{id}/setup-log answers pages of what a setup printed",
      again("print a log, which is read in pages while it grows and afterwards"),
      realSetup("has the log of each of its setups"),
    ),
    rule(
      "Servers: setup_version is that of the last setup that reached its end, setup_is_outdated compares it with today's",
      again("is that of the last setup that reached its end"),
      again("is outdated when the steps of today are other ones, in the list as well"),
      again("is outdated when what it carries changes, and not when its own settings do"),
    ),
    rule(
      "Create 1: server_os, provider_type, provider_id, name, server_type, public_ip",
      create("is refused with every bad field at once"),
      create("needs an operating system and an address"),
      create("takes IPv6, but no zone and no second spelling of an IPv4 address"),
    ),
    rule(
      "Create 1: public_ip of another server answers 422",
      create("may not have an address of another organization's server, which is said with the other bad fields"),
      create("is one record when 50 ask for the same address at once"),
    ),
    rule(
      "Create 2 to 4: attributes of cloud_a, cloud_b and cloud_c",
      create("names every bad attribute of its provider type at once"),
      create("has a volume of 20 GB at least, of a known type"),
    ),
    rule(
      "Create 1: provider_id is a connection of the organization of that type",
      create("goes through a connection of the organization and of its type"),
    ),
    rule(
      "Create 5, 6: provider orders are checked with the provider and answer 202; without a driver 422 naming it",
      create("is refused in the provider's name while there is no driver for it"),
    ),
    rule(
      "Create 7: Starter allows one server, whichever provider",
      create("has room for one server, also when several are added at once"),
      create("refuses a second one whichever the provider, and says to upgrade"),
    ),
    rule(
      "Create 8: a custom server answers 201",
      create("is added with a key of its own and waits for its first connection"),
    ),
    rule("A setup records about fifty steps", plans("makes about fifty steps for an App server on … …")),
    rule(
      "queue_limit: empty means no limit",
      update("empties what may be empty"),
      update("wakes the deployments when it is raised, and only then"),
    ),
    rule(
      "Transfer needs server:transfer and Owner of the destination",
      transfer("to who is no Owner of the destination, whether it exists or not"),
      transfer("without server:transfer, which roles below Owner do not have"),
    ),
    rule(
      "Transfer: the destination's plan limit refuses it with 403",
      transfer("when the destination's plan has no room"),
    ),
    rule(
      "A custom server keeps running when it is deleted; our key is removed",
      remove("keeps what is needed to end its work and take the key out"),
      testsIn("test/e2e/deleted.e2e.test.ts")(
        "while it is away and at work: its projects serve on, what was under way is put back, and our key is taken out",
      ),
    ),
    rule(
      "connection_status follows a check every minute",
      reboot("take each connected server once a minute, and no server twice at once"),
      reboot("tell of a server that does not answer, once"),
    ),
    rule("Connecting is tried for 24 hours", reboot("is given up in time, with a word on what to do")),
    rule(
      "A changed host key is refused and reported",
      testsIn("test/e2e/faults.e2e.test.ts")("one that shows another host key"),
    ),
    rule(
      "The time zone is applied on the server",
      update("is set on the server by a run, unless its setup is still to do that"),
      realReboot("changes on the server with the record"),
    ),
    rule(
      "A restricted membership sees reachable servers, and a listed project's server by id and name",
      read("has the reachable servers of a restricted member, and a listed project's server by id and name only"),
      read("of which only the name is visible can neither be changed nor looked into"),
    ),
    rule(
      "Server read needs server:read, update and reboot server:update, delete server:delete",
      everyRoute("refuses a token without the permission"),
    ),
    rule("Timestamps of servers are YYYY-MM-DD HH:MM:SS", everyRequest("is answered as documented: … of them")),
  ],
};
