import { applications } from "../../../stage/applications/list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("vitepress", [applications.vitepress]);
