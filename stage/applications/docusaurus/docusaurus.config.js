export default {
  title: "Harbour release-1",
  url: "https://docs.example.test",
  baseUrl: "/",
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
};
