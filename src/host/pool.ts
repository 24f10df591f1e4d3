import type { ProjectLayout } from "./layout.ts";

/** What a PHP project's workers may use. */
export interface PoolSettings {
  layout: ProjectLayout;
  /** Memory of one request in MB; undefined: what php.ini says. */
  maxMemoryMb?: number | undefined;
  maxChildren?: number;
}

/**
 * The PHP-FPM pool of a project: its own user, its own socket, no process while nobody asks. Errors go to the
 * project's own log.
 */
export const phpPool = ({ layout, maxMemoryMb, maxChildren = 20 }: PoolSettings): string => `; Longshore
[longshore-project-${layout.id}]
user = ${layout.user}
group = ${layout.user}
listen = ${layout.phpSocket}
listen.owner = www-data
listen.group = www-data
listen.mode = 0660
listen.backlog = 1024
pm = ondemand
pm.max_children = ${maxChildren}
pm.process_idle_timeout = 60s
pm.max_requests = 1000
request_terminate_timeout = 330s
catch_workers_output = yes
decorate_workers_output = no
security.limit_extensions = .php
php_admin_flag[log_errors] = on
php_admin_value[error_log] = ${layout.logs}/php.log
php_admin_value[sys_temp_dir] = ${layout.home}/tmp
php_admin_value[upload_tmp_dir] = ${layout.home}/tmp
php_admin_value[session.save_path] = ${layout.home}/sessions
php_value[upload_max_filesize] = 100M
php_value[post_max_size] = 100M
${maxMemoryMb === undefined ? "" : `php_admin_value[memory_limit] = ${maxMemoryMb}M\n`}`;
