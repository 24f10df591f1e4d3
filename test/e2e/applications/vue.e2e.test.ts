import { applications } from "../../../stage/applications/list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("vue", [applications.vue]);
