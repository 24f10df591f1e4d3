import { type Area, endpoint, rule, testsIn } from "./rule.ts";

const groups = testsIn("src/features/groups/tests/groups.test.ts");

export const groupRules: Area = {
  title: "Project groups",
  rules: [
    endpoint(
      "GET /api/v1/project-groups answers pages of 25 by name, with projects_count",
      groups("lists them by name, 25 on a page, with the number of their projects"),
    ),
    endpoint(
      "POST /api/v1/project-groups answers 201 with id, name and description",
      groups("answers 201 with what it is"),
      groups("needs project:update"),
    ),
    endpoint(
      "GET /api/v1/project-groups/{id} answers the group with its projects",
      groups("shows a group with its projects"),
      groups("shows no group of another organization"),
    ),
    endpoint(
      "PUT /api/v1/project-groups/{id} answers the updated group",
      groups("keeps what is omitted, and answers with the updated group"),
      groups("has the same limits as creating one"),
    ),
    endpoint(
      "DELETE /api/v1/project-groups/{id} ungroups its projects and says how many",
      groups("ungroups its projects, leaves them otherwise as they are, and says how many"),
    ),
    rule(
      "name up to 100 characters and required, description up to 2000",
      groups("takes a name of 100 characters and a description of 2000, and no more"),
      groups("needs a name that is not blank"),
    ),
    rule("Reading needs project:read, changing project:update", groups("needs project:update")),
    rule(
      "A restricted membership sees and counts what it reaches",
      groups("sees and counts only the projects in reach"),
      groups("does not know a group whose projects are all out of reach"),
    ),
  ],
};
