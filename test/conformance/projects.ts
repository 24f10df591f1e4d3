import { type Area, endpoint, everyRequest, everyRoute, rule, testsIn } from "./rule.ts";

const create = testsIn("src/features/projects/tests/create.test.ts");
const read = testsIn("src/features/projects/tests/read.test.ts");
const update = testsIn("src/features/projects/tests/update.test.ts");
const webServer = testsIn("src/features/projects/tests/web-server.test.ts");
const maintenance = testsIn("test/e2e/maintenance.e2e.test.ts");
const settings = testsIn("test/e2e/settings.e2e.test.ts");
const deployments = testsIn("src/features/deployments/tests/verbs.test.ts");
const queue = testsIn("src/features/deployments/tests/queue.test.ts");
const log = testsIn("src/features/deployments/tests/log.test.ts");
const journal = testsIn("src/engine/tests/journal.test.ts");
const mask = testsIn("src/lib/tests/mask.test.ts");
const cancels = testsIn("test/e2e/cancel.e2e.test.ts");
const states = testsIn("src/features/deployments/tests/states.test.ts");
const plans = testsIn("src/features/deployments/tests/plans.test.ts");
const moves = testsIn("src/features/deployments/tests/moves.test.ts");
const realMoves = testsIn("test/e2e/move.e2e.test.ts");
const balancers = testsIn("src/features/load-balancers/tests/load-balancers.test.ts");
const realBalancers = testsIn("test/e2e/balancer.e2e.test.ts");
const balancedProjects = testsIn("test/e2e/balanced-projects.e2e.test.ts");
const kills = testsIn("test/e2e/kill.e2e.test.ts");
const shape = everyRequest("is answered as documented: … of them");

export const projects: Area = {
  title: "Projects",
  rules: [
    endpoint(
      "GET /api/v1/frameworks lists id, name, label, family, defaults, public directory, zero_downtime",
      read("are ten, with the family, the defaults and the public directory of each"),
    ),
    endpoint(
      "GET /api/v1/projects answers pages of 10, filtered by project_group_id and environment",
      update("is filtered by group and environment, in pages of 10"),
    ),
    endpoint(
      "POST /api/v1/projects answers 201 with project_id as a string; the installation starts",
      create("answers 201 with the id as a string, and queues the installation"),
    ),
    endpoint(
      "GET /api/v1/projects/{id} answers one project record",
      read("has the types of the contract, odd ones included"),
      shape,
    ),
    endpoint(
      "PUT /api/v1/projects/{id} answers project_id as an integer",
      update("takes every field, and answers with an integer id"),
    ),
    endpoint(
      "DELETE /api/v1/project/{id} removes the project from the server and deletes its deployments",
      read("deletes its deployments and domains, and orders what clears up the server"),
    ),
    endpoint(
      "PUT /api/v1/projects/{id}/environment-variables replaces the .env file",
      update("are stored encrypted, as they were sent, and are in no answer"),
      update("are refused with the number of the bad line, and without its text"),
    ),
    endpoint(
      "PUT /api/v1/projects/bulk/auto-deploy answers updated_count",
      update("is turned on and off, and says of how many"),
      update("is all or nothing: what is out of reach does not exist"),
      update("needs both fields"),
    ),
    endpoint(
      "POST /api/v1/projects/{id}/maintenance/toggle answers the new state",
      webServer("is toggled on and off, and the record follows the server"),
      maintenance("shows visitors the holding page, with 503 and Retry-After"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/maintenance/status answers maintenance_mode as a boolean",
      webServer("the record changes with the end of the run, not before"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/publish answers nginx_response with ok and system_output",
      webServer("answers with what nginx said"),
      maintenance("answers with nginx's own words"),
    ),
    endpoint(
      "POST /api/v1/projects/{id}/move takes server_id and answers status, message, project_id",
      moves("is accepted, and queues a deployment of what is live on the destination"),
    ),
    rule("Move: same organization, access to both servers", moves("finds neither server out of reach, on either side")),
    rule(
      "Move: deploys on the destination, copies files and databases, removes the project from the source last",
      moves("goes through its runs, each on the server where it belongs"),
      moves("switches in one transaction when the destination serves, and clears the source last"),
      realMoves("takes files and databases along, with what is written until visitors are held"),
      realMoves(
        "takes the certificate and the deploy key along, so that TLS works and the repository is read as before",
      ),
      realMoves("has the project's jobs run on its new server"),
    ),
    rule(
      "Move: a failure before the switch leaves the source serving as before",
      moves("that … in … leaves the source as it was and the destination empty"),
      realMoves("that fails in …, … leaves the source serving and nothing on the destination"),
      realMoves("goes on wherever the control plane is killed: at every step of every run"),
      realMoves("fails when the destination is rebooted while visitors wait, and the source serves"),
    ),
    endpoint(
      "PUT /api/v1/projects/{id}/load-balancer takes load_balancer_id and server_ids, and answers 202 with deployment_ids",
      balancers("installs it on each further server, with the commit that is live"),
      balancers("is refused field by field"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/load-balancer answers the project's servers, each with its state",
      balancers("shows its servers, and says that it does not know when the load balancer does not answer"),
      realBalancers("takes out a server whose nginx is gone, and takes it back"),
    ),
    endpoint(
      "DELETE /api/v1/projects/{id}/load-balancer has the project serve by itself again",
      balancers("serves by itself again when it is taken out, and is removed from the others"),
      realBalancers("is taken apart: the project serves by itself, and the others keep nothing"),
    ),
    rule(
      "Load balancer: deployments go from one server to the next, each out of it meanwhile, without a failed request",
      balancers("is deployed to one server after the other, with one commit"),
      balancers("is not carried on when a deployment fails: what is left serves what it served"),
      realBalancers("is deployed from server to server while every visitor is answered"),
      realBalancers("sends nobody to a server that drains"),
      realBalancers("has its certificate at the load balancer, and its servers know that visitors came by HTTPS"),
      balancedProjects("PHP: slow requests and uploads are answered, too, while it is deployed from server to server"),
      balancedProjects("static: every visitor is answered while it is deployed from server to server"),
      balancedProjects("in place: the same, while a server is out for as long as its files are replaced"),
    ),
    rule(
      "Load balancer: WebSockets, uploads and slow requests pass through it, and none is cut by a deployment that can wait for it",
      balancedProjects(
        "Node: an upgraded connection stays while another server is deployed to, and ends with its own server's old process",
      ),
      balancedProjects("Node: what an application streams arrives as it is written"),
    ),
    rule(
      "Load balancer: a server that answers 5xx or not at all gets nobody until it is well again",
      balancedProjects("a server that answers 500 is taken out, and taken back"),
      balancedProjects("PHP: another server answers when the workers of one are gone, also who waited for them"),
      balancedProjects(
        "a server that is cut off is taken out, whoever waits there is answered by another, and it is taken back",
      ),
      balancedProjects("more visitors are answered than the load balancer has ports to ask from"),
    ),
    rule(
      "Load balancer: servers come and go, and maintenance begins and ends, without a request that is lost",
      balancedProjects("in maintenance nobody sees what the deployments do"),
      balancedProjects("a server is replaced by another while visitors come"),
    ),
    rule(
      "Create: all required fields are named when they are missing",
      create("everything required is named when it is missing"),
    ),
    rule(
      "Create: everything bad at once, whoever finds it",
      create("everything bad is told at once, whether the schema, a rule or the database finds it"),
    ),
    rule(
      "Create: server of type 0 with server_status 10, in reach; else 422 on server_id",
      create("needs a server of type 0 whose setup has ended, in reach"),
    ),
    rule(
      "A domain is lowercase, punycode, and unique over the installation",
      create("a domain is stored lowercase and as punycode, and belongs to one project of the installation"),
      create("of 200 creates of one domain at once, one is made"),
    ),
    rule(
      "Names, repositories, branches, paths and commands are data",
      create("hostile text is stored as data, or refused with the name of its field"),
      plans("shellcheck is content with every script"),
    ),
    rule(
      "Node projects get the free port pair from 20000 up; port is a string",
      read("has the types of the contract, odd ones included"),
      create("Node projects made at once get pairs of ports of their own"),
      shape,
    ),
    rule("Update 1: omitted fields keep their values", update("keeps what is omitted (rule 1)")),
    rule(
      "Update 2: saving starts no deployment; build settings apply to the next one",
      update("does not start a deployment (rule 2)"),
      settings("is installed, built and started by its own commands, in its directory, and by the defaults again"),
    ),
    rule(
      "Update 3: markdown_negotiation_enabled is applied at once when it changes",
      update("applies markdown_negotiation_enabled to the server at once when it changes, and only then (rule 3)"),
      maintenance("Markdown negotiation is applied at once"),
    ),
    rule(
      "Update 4: framework or framework_id; both have to be the same",
      update("takes framework or framework_id; both have to be the same (rule 4)"),
    ),
    rule(
      "Update 5: only within a runtime family",
      update("switches only between frameworks of one runtime family (rule 5)"),
      settings("switches to another framework of its family with the next deployment"),
      settings("serves what another framework of its family serves"),
    ),
    rule(
      "Update 6: an empty command is the default again",
      update("an empty command is the default again (rule 6)"),
      settings("is installed, built and started by its own commands, in its directory, and by the defaults again"),
    ),
    rule(
      "max_memory limits the process by systemd and Node's heap, or PHP",
      settings("is limited in memory by systemd, and its heap by Node; saving alone changes nothing"),
      maintenance("a memory limit reaches the server with the next deployment that succeeds"),
    ),
    rule(
      "always_rebuild_frontend builds what would be used again otherwise",
      settings("keeps the frontend that was built while nothing of it changes, unless it is to be built always"),
    ),
    rule(
      "shared_directories and shared_files outlive releases",
      settings("keeps what is shared from release to release"),
      plans("shared paths are links to one place, whatever they are called"),
    ),
    rule(
      "Update 7: an unreachable project_group_id is rejected as one that does not exist",
      update("a group of another organization is rejected as one that does not exist (rule 7)"),
    ),
    rule(
      "max_memory, shared_directories and shared_files are cleared by null or empty",
      update("null and empty clear what can be cleared"),
      settings("keeps what is shared from release to release"),
    ),
    rule(
      "environment_variables are encrypted and in no answer",
      update("are stored encrypted, as they were sent, and are in no answer"),
      create("as environment variables: the text is kept to the byte"),
    ),
    rule(
      "Maintenance: visitors get 503 and Retry-After; deployments and ACME challenges work",
      maintenance("shows visitors the holding page, with 503 and Retry-After"),
      maintenance("lets certificate authorities through"),
      maintenance("lets deployments succeed, and visitors wait on"),
    ),
    rule(
      "publish: force_ssl 1 sets and 0 removes SSL; omitted it stays",
      webServer("force_ssl sets or removes SSL; omitted it stays"),
    ),
    rule("publish: without a deployment", webServer("starts no deployment")),
    rule(
      "custom_commands in answers always has the five keys",
      read("has the types of the contract, odd ones included"),
      shape,
    ),
    rule(
      "Timestamps are ISO 8601 UTC with microseconds",
      shape,
      read("has the types of the contract, odd ones included"),
    ),
    rule(
      "installation_status becomes 1 when the first deployment is live",
      read("becomes 1 when the first deployment is live"),
    ),
    rule(
      "A restricted membership finds only projects in reach",
      everyRoute("hides from a restricted membership that does not reach it"),
    ),
  ],
};

export const deploymentRules: Area = {
  title: "Deployments",
  rules: [
    endpoint(
      "POST /api/v1/deployments queues one for each project, all or nothing; 202 with deployment_ids",
      deployments("queues all of them and says their ids"),
      deployments("queues nothing when one cannot be reached, and names it"),
      deployments("queues nothing when one is a catalog app, and names it"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/deployments answers pages of 15",
      read("come in pages of 15, the newest first"),
      read("are counted on a page past the end too"),
      read("do not exist for strangers"),
    ),
    endpoint(
      "GET /api/v1/deployments/{id} answers the deployment with its output",
      deployments("tell the user's lines from the platform's"),
    ),
    rule(
      "output is the full build log",
      deployments("tell the user's lines from the platform's"),
      log("is in the record up to a MiB, the beginning and the end, with a line of what is left out"),
    ),
    endpoint(
      "GET /api/v1/deployments/{id}/log answers a part of the log and where the next begins",
      log("is read in parts, each from where the one before ended"),
      log("tells that it is complete once the deployment has ended, and what each part is of"),
    ),
    endpoint(
      "GET /api/v1/deployments/{id}/log.txt streams the whole log",
      log("is downloaded whole, as text in the order it was printed"),
    ),
    rule("deployment.log events say where to read on", log("is told of as it grows, with where to read on")),
    rule(
      "Old logs are deleted, records stay",
      deployments("keep their records when old logs are deleted"),
      log("of an old deployment is deleted in pieces, however long it is"),
    ),
    rule(
      "Secrets are masked in logs, also across parts",
      journal("cuts a long line beside a secret, never inside it"),
      mask("lies before a secret that it would tear, and where it was asked for otherwise"),
    ),
    endpoint(
      "POST /api/v1/deployments/{id}/cancel answers 202 with cancelled or cancelling",
      deployments("stops a queued deployment at once"),
      deployments("asks a running one to stop, once"),
    ),
    rule(
      "Status 0 queued, 1 success, 2 failed, 3 running, 4 cancelling, 5 cancelled; nothing else, and no other way",
      states("are drawn in the documentation as the code has them"),
      states("follow each other in the database as they are drawn, and not otherwise"),
      states("are changed by the code along the arrows alone, along each of them"),
      states("carry the times that belong to them"),
    ),
    rule(
      "Cancel: 409 when it is being cancelled already",
      deployments("asks a running one to stop, once"),
      deployments("of ten at once is accepted once"),
    ),
    rule(
      "Cancel: refused in place, once it runs",
      deployments("is refused in place"),
      deployments("is possible in place while it is queued"),
    ),
    rule(
      "Cancel: refused when the release is live, with the advice to roll back",
      deployments("is refused once the release is live, with the advice to roll back"),
      deployments("is refused once the server has said that it came too late"),
    ),
    rule(
      "Cancel inside a build: no process of it is left, and what serves stays byte for byte",
      cancels("of a … project that … leaves nothing of it, and what serves as it was"),
      cancels("a deployment after a cancelled one finds everything as it should be"),
    ),
    rule(
      "Cancel: what the server itself has refused goes on to its end",
      cancels("is refused once the release is live, with the advice to roll back"),
      cancels("is not cancelled while it is built, and goes on to its end"),
    ),
    rule("Cancel: refused after the end", deployments("is refused after the end, whatever the end was")),
    endpoint(
      "POST /api/v1/deployments/{id}/rerun queues a new one of the commit",
      deployments("queues a new deployment of the commit of one that failed, which stays"),
      deployments("of a rollback is a rollback, and of a recycle a recycle while its release is live"),
    ),
    rule(
      "Rerun: only failed deployments",
      deployments("is refused for any other: queued, running, cancelling, successful or cancelled"),
    ),
    endpoint(
      "GET /api/v1/projects/{id}/rollback-candidates lists earlier successes with a commit",
      deployments("is offered to earlier successes with a commit, but for the live one"),
    ),
    endpoint(
      "POST /api/v1/deployments/{id}/rollback queues a new one",
      deployments("to a release that is kept makes it live without a build"),
      deployments("to one that was pruned builds its commit again"),
    ),
    rule(
      "Rollback: only to a success with a commit that is not live",
      deployments("is refused to the live one, to one without a commit, and to one that was not successful"),
    ),
    endpoint(
      "POST /api/v1/projects/{id}/recycle replaces a Node process",
      deployments("queues a fresh process of the live release, and the commit stays"),
    ),
    rule("Recycle: refused for PHP and static projects", deployments("is refused for PHP and static projects")),
    rule("Recycle: refused without zero-downtime releases", deployments("is refused in place")),
    rule("Recycle: refused before the installation", deployments("is refused before the project is installed")),
    rule(
      "Recycle: refused while a deployment is queued or running",
      deployments("is refused while a deployment is queued, running or being cancelled"),
      deployments("of ten at once is queued once"),
    ),
    rule(
      "One deployment of a project runs at a time, in the order queued",
      queue("starts one deployment of a project at a time, in the order queued"),
      states("of a project are running in one deployment at most"),
    ),
    rule(
      "Projects take turns, however many deployments wait",
      queue("lets projects take turns"),
      queue("owes nothing to a project that was idle, and lets one with many wait for those with few"),
      queue("reads only what may start, however many wait"),
      queue("takes a thousand deployments in one request"),
      queue("starts all that may start, some at a time"),
    ),
    rule(
      "queue_limit bounds those on one server; lowering it stops none",
      queue("never runs more than queue_limit allows, also when looked at by many at once"),
      queue("stops none of those that run when the limit is lowered"),
    ),
    rule(
      "The live release and the 4 before it are kept",
      plans("the live release and the four newest others are kept"),
    ),
    rule(
      "A deployment survives kills of the control plane",
      kills("deployments survive … kills of the whole control plane (seed …)"),
    ),
  ],
};
