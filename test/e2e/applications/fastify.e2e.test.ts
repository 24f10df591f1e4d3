import { applications } from "../../../stage/applications/list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("fastify", [applications.fastify]);
