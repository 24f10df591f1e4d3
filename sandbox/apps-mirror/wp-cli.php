<?php
// A stand-in for WP-CLI, which no distribution packages: only the commands and options that Longshore uses, named and answering as
// the real ones do, and carried out by WordPress itself. Served by the sandbox mirror in place of wp-cli.phar.

ini_set('display_errors', 'stderr');
error_reporting(E_ALL & ~E_DEPRECATED & ~E_NOTICE & ~E_WARNING);

[$words, $options] = parse_arguments(array_slice($argv, 1));
$command = implode(' ', array_slice($words, 0, 2));
$rest = array_slice($words, 2);
$path = rtrim($options['path'] ?? getcwd(), '/');
$_SERVER['HTTP_USER_AGENT'] = '';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.0';

$commands = [
  'core version' => 'core_version',
  'core is-installed' => 'core_is_installed',
  'core install' => 'core_install',
  'core verify-checksums' => 'core_verify_checksums',
  'core update' => 'core_update',
  'core update-db' => 'core_update_db',
  'option get' => 'option_get',
  'option update' => 'option_update',
  'option delete' => 'option_delete',
  'cron event' => 'cron_event',
  'db check' => 'db_check',
];
if (isset($options['version']) && $words === []) {
  succeed('WP-CLI stand-in 2.12.0');
}
if (!isset($commands[$command])) {
  fail("'$command' is not a command of this stand-in.");
}
$commands[$command]($path, $rest, $options);

function core_version(string $path): void {
  require "$path/wp-includes/version.php";
  echo "$wp_version\n";
  exit(0);
}

function core_is_installed(string $path): void {
  load($path, true);
  exit(is_blog_installed() ? 0 : 1);
}

function core_install(string $path, array $rest, array $options): void {
  load($path, true);
  require_once "$path/wp-admin/includes/upgrade.php";
  if (is_blog_installed()) {
    succeed('WordPress is already installed.');
  }
  foreach (['url', 'title', 'admin_user', 'admin_email'] as $name) {
    isset($options[$name]) || fail("missing --$name parameter");
  }
  $password = ($options['prompt'] ?? '') === 'admin_password' ? rtrim(fgets(STDIN), "\n") : '';
  $password !== '' || fail('No password on standard input.');
  add_filter('pre_wp_mail', '__return_false');
  if (!defined('WP_SITEURL')) {
    define('WP_SITEURL', $options['url']);
  }
  $result = wp_install($options['title'], $options['admin_user'], $options['admin_email'], true, '', wp_slash($password));
  is_wp_error($result) && fail($result->get_error_message());
  succeed('WordPress installed successfully.');
}

// The real one asks api.wordpress.org; the mirror has a list of the archive's files.
function core_verify_checksums(string $path, array $rest, array $options): void {
  require "$path/wp-includes/version.php";
  $url = rtrim('@MIRROR@', '/') . "/app_cms/checksums-$wp_version.json";
  $list = @file_get_contents($url);
  $list !== false || fail("Couldn't get checksums from WordPress.org.");
  $wrong = 0;
  foreach (json_decode($list, true) as $file => $checksum) {
    if (str_starts_with($file, 'wp-content/')) {
      continue;
    }
    if (!is_file("$path/$file")) {
      fwrite(STDERR, "Warning: File doesn't exist: $file\n");
      $wrong++;
    } elseif (md5_file("$path/$file") !== $checksum) {
      fwrite(STDERR, "Warning: File doesn't verify against checksum: $file\n");
      $wrong++;
    }
  }
  $wrong === 0 || fail("WordPress installation doesn't verify against checksums.");
  succeed('WordPress installation verifies against checksums.');
}

// By WordPress's own updater, from a package on this machine.
function core_update(string $path, array $rest, array $options): void {
  $package = $rest[0] ?? '';
  is_file($package) || fail("Not a file: $package");
  load($path);
  foreach (['file', 'misc', 'update', 'class-wp-upgrader'] as $file) {
    require_once "$path/wp-admin/includes/$file.php";
  }
  WP_Filesystem() || fail('WordPress cannot write its files.');
  $version = $options['version'] ?? '';
  $offer = (object) [
    'response' => 'upgrade',
    'version' => $version,
    'current' => $version,
    'locale' => 'en_US',
    'download' => $package,
    'packages' => (object) ['full' => $package, 'partial' => null, 'new_bundled' => null, 'no_content' => null, 'rollback' => null],
    'partial_version' => null,
  ];
  $upgrader = new class(new Automatic_Upgrader_Skin()) extends Core_Upgrader {
    // The package stays.
    public function unpack_package($package, $delete_package = true) {
      return parent::unpack_package($package, false);
    }
  };
  $result = $upgrader->upgrade($offer, ['attempt_rollback' => false, 'do_rollback' => false]);
  if (is_wp_error($result)) {
    fail($result->get_error_message() . ' ' . print_r($result->get_error_data(), true));
  }
  $result || fail('WordPress did not update itself.');
  succeed('WordPress updated successfully.');
}

function core_update_db(string $path): void {
  load($path, true);
  require_once "$path/wp-admin/includes/upgrade.php";
  require "$path/wp-includes/version.php";
  $before = get_option('db_version');
  if ((int) $before === (int) $wp_db_version) {
    succeed("WordPress database already at latest db version $wp_db_version.");
  }
  $GLOBALS['wp_current_db_version'] = (int) $before;
  wp_upgrade();
  succeed("WordPress database upgraded successfully from db version $before to $wp_db_version.");
}

function option_get(string $path, array $rest): void {
  load($path);
  $value = get_option($rest[0] ?? '', null);
  $value !== null || fail("Could not get '{$rest[0]}' option. Does it exist?");
  echo is_scalar($value) ? "$value\n" : json_encode($value) . "\n";
  exit(0);
}

function option_update(string $path, array $rest): void {
  load($path);
  update_option($rest[0], $rest[1]);
  succeed("Updated '{$rest[0]}' option.");
}

function option_delete(string $path, array $rest): void {
  load($path, true);
  delete_option($rest[0]) ? succeed("Deleted '{$rest[0]}' option.") : fail("Could not delete '{$rest[0]}' option. Does it exist?");
}

// wp cron event run --due-now
function cron_event(string $path, array $rest): void {
  ($rest[0] ?? '') === 'run' || fail('Only `cron event run`.');
  define('DOING_CRON', true);
  load($path);
  $count = 0;
  foreach (_get_cron_array() ?: [] as $time => $hooks) {
    if ($time > time()) {
      break;
    }
    foreach ($hooks as $hook => $events) {
      foreach ($events as $event) {
        if (!empty($event['schedule'])) {
          wp_reschedule_event($time, $event['schedule'], $hook, $event['args']);
        }
        wp_unschedule_event($time, $hook, $event['args']);
        do_action_ref_array($hook, $event['args']);
        $count++;
      }
    }
  }
  succeed("Executed a total of $count cron " . ($count === 1 ? 'event' : 'events') . '.');
}

function db_check(string $path): void {
  load($path);
  $GLOBALS['wpdb']->get_var('SELECT 1') === '1' ? succeed('Database checked.') : fail('Error establishing a database connection.');
}

// ---------------------------------------------------------------------------------------------------------------------

function load(string $path, bool $installing = false): void {
  if ($installing) {
    define('WP_INSTALLING', true);
  }
  define('ABSPATH', "$path/");
  is_file("$path/wp-config.php") || fail("'wp-config.php' not found.");
  // As the real one: the settings without what loads WordPress, which then happens with the path that was given.
  foreach (array_keys($GLOBALS) as $name) {
    global $$name;
  }
  global $wpdb, $wp, $wp_query, $wp_rewrite, $wp_the_query, $wp_version, $wp_db_version, $table_prefix, $wp_filter, $wp_actions,
    $wp_current_filter, $wp_plugin_paths, $wp_object_cache, $wp_roles, $wp_locale, $wp_scripts, $wp_styles, $wp_widget_factory,
    $wp_embed, $wp_post_types, $wp_taxonomies, $wp_post_statuses, $wp_local_package, $required_php_version, $required_mysql_version,
    $tinymce_version, $blog_id, $current_site, $current_blog, $PHP_SELF, $timestart, $wp_locale_switcher, $wp_textdomain_registry,
    $shortcode_tags, $allowedposttags, $allowedtags, $allowedentitynames, $allowedxmlentitynames, $wp_user_roles, $wp_rest_server,
    $pagenow, $is_apache, $is_IIS, $is_iis7, $is_nginx, $is_lynx, $is_gecko, $is_winIE, $is_macIE, $is_opera, $is_NS4, $is_safari,
    $is_chrome, $is_iphone, $is_edge, $is_caddy, $wp_theme_directories, $wp_meta_keys, $wp_registered_widgets,
    $wp_registered_sidebars, $wp_registered_widget_controls, $wp_registered_widget_updates, $_wp_theme_features,
    $_wp_registered_nav_menus, $_wp_additional_image_sizes, $_wp_post_type_features, $required_php_extensions, $manifest,
    $wp_smiliessearch, $wpsmiliestrans, $_wp_using_ext_object_cache, $wp_charset, $_updated_user_settings, $GLOBALS_extra;
  require "$path/wp-load.php";
}

function parse_arguments(array $arguments): array {
  $words = $options = [];
  foreach ($arguments as $argument) {
    if (preg_match('/^--([\w-]+)(?:=(.*))?$/s', $argument, $found)) {
      $options[$found[1]] = $found[2] ?? true;
    } else {
      $words[] = $argument;
    }
  }
  return [$words, $options];
}

function succeed(string $message): never {
  echo "Success: $message\n";
  exit(0);
}

function fail(string $message): never {
  fwrite(STDERR, "Error: $message\n");
  exit(1);
}
