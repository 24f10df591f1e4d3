import { applications } from "../../../stage/applications/list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("react-router-server", [applications.reactRouterServer]);
