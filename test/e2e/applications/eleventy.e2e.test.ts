import { applications } from "../../../stage/applications/list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("eleventy", [applications.eleventy]);
