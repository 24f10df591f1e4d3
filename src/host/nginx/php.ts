import { block } from "./block.ts";
import { assetLocations, releaseFiles } from "./files.ts";
import { answerBuffers, answerHeaders } from "./header-sizes.ts";
import { clearEnvelope } from "./markdown.ts";
import type { Site, SiteKind } from "./model.ts";
import { visitOf } from "./visitor.ts";

/** A PHP project: the files of its public directory, its front controller for all other addresses, and its scripts. */
export const phpLocations = (site: Site, { assets }: SiteKind & { family: "php" }): string[] => [
  "# Names that begin with a dot are hidden. What follows a script is the script's own, such as the name of a file in WebDAV.",
  ...block('location ~ "(?s)^(?:(?!\\.php/).)*/\\.(?!well-known/)"', ["return 404;"]),
  ...assetLocations(site, assets, "/index.php?$query_string"),
  "# Files, and the front controller for all other addresses, also for a directory without an index.",
  "index index.php index.html /index.php;",
  "gzip_static on;",
  ...block("location /", [...releaseFiles, "try_files $uri $uri/ /index.php?$query_string;"]),
  "",
  ...parameters(site),
  "",
  "# Scripts. nginx takes answers off PHP's workers, so that slow visitors hold none; an event stream passes at once. For a request",
  "# that accepts one, $unless_stream makes a path that does not exist.",
  'set $unless_stream "";',
  'if ($http_accept ~* "text/event-stream") { set $unless_stream /event-stream; }',
  ...block('location ~ "(?s)^(?<script>.*?[^/]\\.php)(?<path_info>/.*)?\\z"', [
    "root $release;",
    "try_files $unless_stream$script @event_stream;",
    ...toPhp(site),
  ]),
  ...block("location @event_stream", [
    "root $release;",
    "try_files $script =404;",
    "fastcgi_buffering off;",
    ...toPhp(site),
  ]),
];

function parameters(site: Site): string[] {
  const { maxUploadMb = 100, markdownNegotiation } = site;
  const upload = `${maxUploadMb}M`;
  const { scheme, https, port } = visitOf(site);
  return [
    "# What PHP receives. Its files are named by the release, so that a request sees one release only.",
    ...requestParameters,
    `fastcgi_param REMOTE_ADDR ${markdownNegotiation ? "$visitor_address" : "$remote_addr"};`,
    `fastcgi_param REQUEST_SCHEME ${scheme};`,
    `fastcgi_param HTTPS ${https} if_not_empty;`,
    `fastcgi_param SERVER_PORT ${port};`,
    "fastcgi_param SCRIPT_FILENAME $release$fastcgi_script_name;",
    "fastcgi_param DOCUMENT_ROOT $release;",
    "fastcgi_param PATH_INFO $path_info;",
    "fastcgi_param DOCUMENT_URI $document_uri$path_info;",
    `fastcgi_param PHP_VALUE "upload_max_filesize=${upload}\\npost_max_size=${upload}";`,
    "# Request headers in which a visitor could make up how it came. Those that are empty are not passed on.",
    `fastcgi_param HTTP_X_FORWARDED_PROTO ${scheme};`,
    'fastcgi_param HTTP_X_FORWARDED_HOST "";',
    'fastcgi_param HTTP_X_FORWARDED_PORT "";',
    'fastcgi_param HTTP_FORWARDED "";',
    "# Request headers that no application may receive: https://httpoxy.org, and a deployment's pass.",
    'fastcgi_param HTTP_PROXY "";',
    'fastcgi_param HTTP_X_LONGSHORE_CANDIDATE "";',
    clearEnvelope.fastcgi,
  ];
}

// The distribution's fastcgi_params without what depends on the visitor: a parameter that is named twice is sent twice.
const requestParameters: readonly string[] = [
  "fastcgi_param QUERY_STRING $query_string;",
  "fastcgi_param REQUEST_METHOD $request_method;",
  "fastcgi_param CONTENT_TYPE $content_type;",
  "fastcgi_param CONTENT_LENGTH $content_length;",
  "fastcgi_param SCRIPT_NAME $fastcgi_script_name;",
  "fastcgi_param REQUEST_URI $request_uri;",
  "fastcgi_param SERVER_PROTOCOL $server_protocol;",
  "fastcgi_param GATEWAY_INTERFACE CGI/1.1;",
  "fastcgi_param SERVER_SOFTWARE nginx/$nginx_version;",
  "fastcgi_param REMOTE_PORT $remote_port;",
  "fastcgi_param REMOTE_USER $remote_user;",
  "fastcgi_param SERVER_ADDR $server_addr;",
  "fastcgi_param SERVER_NAME $server_name;",
  "fastcgi_param REDIRECT_STATUS 200;",
  "fastcgi_param HTTP_HOST $host;",
];

const toPhp = ({ layout, requestSeconds = 300 }: Site): string[] => [
  `fastcgi_pass unix:${layout.phpSocket};`,
  `fastcgi_buffers ${answerBuffers};`,
  `fastcgi_buffer_size ${answerHeaders.application};`,
  `fastcgi_read_timeout ${requestSeconds}s;`,
];
