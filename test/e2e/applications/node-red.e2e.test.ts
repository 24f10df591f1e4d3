import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("node-red", [applications.nodeRed]);
