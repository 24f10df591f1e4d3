import { assetCaching } from "./assets.ts";
import { balancerGlobals } from "./balancer.ts";
import { sharedHeaders } from "./headers.ts";
import { pageHtml, releaseCheckPath } from "./pages.ts";
import { acmePath } from "./site.ts";

/** Is never there. */
const hiddenPath = `${acmePath}.hidden`;

/**
 * Never served: a name that begins with a dot, anywhere in the address. What follows a script is no file of the site but the
 * script's own, such as the name of a file in WebDAV.
 */
const hiddenName = "(?s)^(?:(?!\\.php/).)*/\\.(?!well-known/)";

/** Of addresses that are meant for a file: what pages load, and what is looked for on every server. A name such as jane.doe is none. */
const fileEndings = [
  "html?|xhtml|php[0-9]?|aspx?|jsp|cgi|css|[mc]?js|map|json|webmanifest|xml|txt|md|wasm",
  "png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|mov|pdf|csv",
  "zip|gz|br|tgz|tar|rar|7z|ya?ml|toml|ini|conf|env|sql|sqlite|bak|old|log|pem|key|crt",
].join("|");

/**
 * What all sites share; a file in conf.d, at the level of `http`. nginx reads every site at each reload, and is busy with each
 * word of them, most of all with each `location` and `if`: what can be shared is set here.
 */
export const nginxSiteGlobals = `# Longshore: what every site uses.
# What a site sets, and what a request keeps when nginx looks for another address for it. Empty before; not by a map, for each of
# which nginx makes room for ten thousand entries.
split_clients '' $project { * ''; }
split_clients '' $release { * ''; }
split_clients '' $passed { * ''; }
split_clients '' $first { * ''; }
split_clients '' $upstream { * ''; }
split_clients '' $holding { * ''; }
split_clients '' $leaving { * ''; }
split_clients '' $longshore_nothing { * ''; }
# How the visitor came; the balancer before a site may know better.
map '' $visitor_scheme { default $scheme; }
map '' $visitor_https { default $https; }
# The release, decided once: where the link leads, and nowhere unless that is among the project's own. Not volatile: \`set\` asks
# for a value twice, first for its length, and the link may lead elsewhere in between.
map "$release$passed" $longshore_live { '' $realpath_root; default $release$passed; }
map "$project:$longshore_live" $longshore_release {
    "~^([^:]+):\\1/releases/" $longshore_live;
    default /nonexistent;
}
map $release $longshore_unreleased { volatile; /nonexistent empty; default ''; }
# Where its files are. Names that begin with a dot, anywhere in the address, are nowhere.
map $release $longshore_root { volatile; '' $project/current/.longshore/public; default $longshore_visible; }
map $uri $longshore_visible { volatile; "~${hiddenName}" /nonexistent; default $release; }
# Up to where nginx takes a path as it is: the release's own directory, which is root's to name. What is below it is the
# project's, at any moment, and is opened piece by piece. Before the release is pinned nginx asks for a flag, which it shall not
# look at like that for each request.
map "$project:$release" $longshore_trusted {
    volatile;
    "~^([^:]+):(?<longshore_own>\\1/releases/[^/]+)" $longshore_own;
    default $project/state/maintenance;
}
# The file that is there while a deployment asks what its release answers, and the release if it is not live yet.
map $http_x_longshore_candidate $longshore_pass {
    "~^(?:live|[0-9]+)-[0-9a-f]{32}$" $project/state/candidate-$http_x_longshore_candidate;
    default '';
}
map $http_x_longshore_candidate $longshore_candidate {
    volatile;
    "~^(?<longshore_tried>[0-9]+)-" $project/releases/$longshore_tried/.longshore/public;
    default $release;
}
map "$status $uri" $longshore_front {
    volatile;
    "~^50[24] /50x" ${releaseCheckPath};
    "~${hiddenName}" ${hiddenPath};
    default /index.php?$query_string;
}
# Before the name of a script: a path where there is none, for a request for an event stream.
map $http_accept $longshore_unstreamed { ~*text/event-stream ${hiddenPath}; default ''; }
split_clients '' $path_info { * ''; }
map $path_info $longshore_path_info { volatile; '' $fastcgi_path_info; default $path_info; }
# The FastCGI parameters; a site that sets one of its own sets all.
split_clients '' $max_upload { * 100M; }
include /etc/nginx/fastcgi_params;
fastcgi_param SCRIPT_FILENAME $release$fastcgi_script_name;
fastcgi_param DOCUMENT_ROOT $release;
fastcgi_param PATH_INFO $longshore_path_info;
fastcgi_param DOCUMENT_URI $document_uri$path_info;
fastcgi_param HTTPS $visitor_https if_not_empty;
fastcgi_param REQUEST_SCHEME $visitor_scheme;
fastcgi_param HTTP_PROXY "";
fastcgi_param HTTP_X_LONGSHORE_CANDIDATE "";
fastcgi_param PHP_VALUE "upload_max_filesize=$max_upload\\npost_max_size=$max_upload";
# The Node process, decided once.
map $upstream $longshore_upstream { volatile; '' $first; default $upstream; }
# Whether anything of the request has reached a process.
map $upstream_bytes_sent $longshore_sent { volatile; 0 ''; default 1; }
# What exists when a page of ours is shown instead of the site. Certificate authorities and the server itself are answered
# also then.
map $uri $longshore_always { volatile; "~^/\\.well-known/(?:acme-challenge/|longshore/release$)" always; default ''; }
map "$longshore_always$holding" $longshore_gate { volatile; '' $project/state/maintenance; ~^always ''; default /; }
# The same for a site with releases, which asks before its release is pinned, and not again when nginx looks for another address.
map "$release$longshore_always:$longshore_release" $longshore_closed {
    volatile;
    :/nonexistent /;
    ~^: $project/state/maintenance;
    default /nonexistent;
}
# Why it is shown: there is no release, maintenance, or nothing answers behind nginx.
map "$status $holding$longshore_unreleased" $longshore_page {
    volatile;
    ~empty$ "${pageHtml("Nothing is here yet", "This site has been set up and waits for its first release.")}";
    ~^503 "${pageHtml("Back in a moment", "This site is being worked on. Please try again shortly.")}";
    default "${pageHtml("Something went wrong", "This site does not answer right now. Please try again shortly.")}";
}
map $status $longshore_own_page { volatile; 503 ''; default $document_root/50x.html; }
map $status $longshore_retry_after { volatile; 503 120; default ''; }
# The address that a request came in from, whatever a proxy reports as the visitor's: only the server itself is shown what is live.
map $realip_remote_addr $longshore_elsewhere { 127.0.0.1 ''; ::1 ''; default 1; }
map $longshore_elsewhere:$upstream $longshore_told { volatile; : $release; ~^1: ''; default $upstream; }
# The answer at that address: what is live, or why nothing is served.
map $status $longshore_said { volatile; ~50[234] $longshore_page; default "$longshore_told\\n"; }
map $status$uri $longshore_logged { volatile; 200${releaseCheckPath} ''; default 1; }
# Sites with a certificate: plain HTTP answers certificate authorities, and sends everyone else on.
map $https$uri $longshore_to_https { volatile; ~^on ''; "~^/\\.well-known/acme-challenge/" ''; default 1; }
map $visitor_https $longshore_https_only { on max-age=31536000; default ''; }
split_clients '' $longshore_alt_svc { * ''; }
map $https $longshore_alternative { on $longshore_alt_svc; default ''; }
# Headers that an application sets itself are left to it, and sites that are not ours have none of these.
map "$project$release$upstream:$upstream_http_x_frame_options" $longshore_frame_options { ~^[^:]+:$ SAMEORIGIN; default ''; }
map "$project$release$upstream:$upstream_http_x_content_type_options" $longshore_content_type_options {
    ~^[^:]+:$ nosniff;
    default '';
}
map "$project$release$upstream:$upstream_http_referrer_policy" $longshore_referrer_policy {
    ~^[^:]+:$ strict-origin-when-cross-origin;
    default '';
}
${assetCaching}
map $upstream_http_cache_control $longshore_cache_control { '' $longshore_hashed; default ''; }
# An application sets itself for how long its answers may be cached.
map "$project:$upstream" $longshore_caching { volatile; ~.:$ $longshore_cache_control; default ''; }
map $status$uri $longshore_fresh { volatile; "~^(?:50[24]/50x\\.html|...${releaseCheckPath})$" no-store; default ''; }
# Shortly before a reload. HTTP/2 has a word of its own for it, and what becomes a WebSocket is no kept connection.
map "$leaving$server_protocol $status" $longshore_last { volatile; "~^1HTTP/1\\.[01] (?!101)" close; default ''; }
map $status$uri $longshore_retry { volatile; 503${releaseCheckPath} 120; default ''; }
${sharedHeaders.join("\n")}
# Browsers refuse a module that comes as application/octet-stream.
types { "text/markdown; charset=utf-8" md; text/javascript mjs; }
# Of static sites; text/html is always among them.
charset_types text/plain text/css text/xml text/csv text/vtt text/calendar text/javascript application/javascript;
# What a single-page application does not answer: what looks like a file, and everything when it has a page for that, or when its
# deployment found that it is a site of several pages.
map $uri $longshore_file { volatile; "~*\\.(?:${fileEndings})$|${hiddenName}" /; default /nonexistent; }
map $longshore_file $longshore_unknown { volatile; / /; default $release/404.html; }
map "$project:$release" $longshore_pages {
    volatile;
    "~^([^:]+):(?<longshore_built>\\1/releases/[^/]+)" $longshore_built/.longshore/pages;
    default /nonexistent;
}
map $http_upgrade $longshore_connection { '' ''; default upgrade; }
# The request headers for an application; a location that sets one of its own sets all.
map $project $longshore_host { '' $proxy_host; default $host; }
proxy_set_header Host $longshore_host;
proxy_set_header X-Real-IP $remote_addr;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
proxy_set_header X-Forwarded-Proto $visitor_scheme;
proxy_set_header X-Forwarded-Host $host;
proxy_set_header X-Longshore-Candidate "";
proxy_set_header Upgrade $http_upgrade;
proxy_set_header Connection $longshore_connection;
# Of sites that were written before, until their next publication.
map "$longshore_always$holding" $longshore_held { volatile; '' ''; ~^always ''; default 1; }
map $longshore_elsewhere$uri $longshore_withheld { volatile; ${releaseCheckPath} ''; default 1; }
${balancerGlobals}`;
