import { createApp } from "vue";
import { createRouter, createWebHistory } from "vue-router";
import Application from "./Application.vue";
import Home from "./Home.vue";

const routes = [
  { path: "/", component: Home },
  { path: "/users/:name", component: () => import("./User.vue") },
];

createApp(Application)
  .use(createRouter({ history: createWebHistory(), routes }))
  .mount("#app");
