import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("vitepress", [applications.vitepress]);
