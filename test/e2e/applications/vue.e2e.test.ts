import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("vue", [applications.vue]);
