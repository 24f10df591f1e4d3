import { Component, input } from "@angular/core";

@Component({ selector: "app-user", template: "<h1>release-1 for {{ name() }}</h1>" })
export class User {
  readonly name = input("");
}
