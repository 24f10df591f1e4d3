import { applications } from "./list.ts";
import { describeApplications } from "./suite.ts";

describeApplications("react-router-server", [applications.reactRouterServer]);
