<?php
require_once __DIR__ . '/lib/base.php';

if (@fileowner(OC::$configDir . 'config.php') !== posix_getuid()) {
  echo "Console has to be executed with the user that owns the file config/config.php\n";
  exit(1);
}
chdir(__DIR__);
[$words, $options] = arguments(array_slice($argv ?? $_SERVER['argv'], 1));
$commands = [
  'background:cron' => 'background_cron',
  'config:app:get' => 'config_app_get',
  'db:add-missing-columns' => 'nothing_missing',
  'db:add-missing-indices' => 'nothing_missing',
  'db:add-missing-primary-keys' => 'nothing_missing',
  'maintenance:install' => 'install',
  'maintenance:mode' => 'maintenance_mode',
  'status' => 'status',
  'upgrade' => 'upgrade',
];
$command = array_shift($words) ?? '';
if (!isset($commands[$command])) {
  echo "Command \"$command\" is not defined.\n";
  exit(1);
}
try {
  exit($commands[$command]($options, $words));
} catch (Throwable $error) {
  echo get_class($error) . ': ' . $error->getMessage() . "\n";
  exit(1);
}

function install(array $options): int {
  $settings = settings();
  if ($settings['installed'] ?? false) {
    echo "Command \"maintenance:install\" is not defined.\n";
    return 1;
  }
  if (!is_dir($options['data-dir']) || !is_writable($options['data-dir'])) {
    echo "Cannot create or write into the data directory {$options['data-dir']}\n";
    return 1;
  }
  set_settings([
    'passwordsalt' => bin2hex(random_bytes(15)),
    'secret' => bin2hex(random_bytes(24)),
    'trusted_domains' => ['localhost'],
    'datadirectory' => $options['data-dir'],
    'dbtype' => 'mysql',
    'version' => code_version(),
    'dbname' => $options['database-name'],
    'dbhost' => $options['database-host'],
    'dbuser' => $options['database-user'],
    'dbpassword' => $options['database-pass'],
  ]);
  $database = database();
  $database->exec('CREATE TABLE oc_appconfig (appid VARCHAR(32), configkey VARCHAR(64), configvalue LONGTEXT, PRIMARY KEY (appid, configkey))');
  $database->exec('CREATE TABLE oc_migrations (app VARCHAR(255), version VARCHAR(255), PRIMARY KEY (app, version))');
  $database->exec('CREATE TABLE oc_users (uid VARCHAR(64) PRIMARY KEY, password VARCHAR(255))');
  migrate();
  $files = "{$options['data-dir']}/{$options['admin-user']}";
  if (file_exists($files)) {
    echo "The username is already being used\n";
    return 1;
  }
  $insert = $database->prepare('INSERT INTO oc_users (uid, password) VALUES (?, ?)');
  $insert->execute([$options['admin-user'], password_hash($options['admin-pass'], PASSWORD_DEFAULT)]);
  mkdir("$files/files", 0770, true);
  touch("{$options['data-dir']}/.ncdata");
  set_app_value('core', 'installedat', (string) microtime(true));
  set_settings(['installed' => true]);
  unlink(OC::$configDir . 'CAN_INSTALL');
  echo "Nextcloud was successfully installed\n";
  return 0;
}

// A table of each major version's own.
function migrate(): void {
  $database = database();
  $major = $GLOBALS['OC_Version'][0];
  $database->exec("CREATE TABLE IF NOT EXISTS oc_added_by_$major (id INT PRIMARY KEY)");
  $done = $database->prepare('INSERT IGNORE INTO oc_migrations (app, version) VALUES (?, ?)');
  $done->execute(['core', code_version()]);
}

function upgrade(): int {
  $settings = settings();
  if (!needs_upgrade($settings)) {
    echo "Nextcloud is already latest version\n";
    return 3;
  }
  set_settings(['maintenance' => true]);
  echo "Turned on maintenance mode\n";
  $major = (int) $settings['version'];
  if (!isset($GLOBALS['OC_VersionCanBeUpgradedFrom']['nextcloud']["$major.0"])) {
    echo "Exception: Updates between multiple major versions and downgrades are unsupported.\nUpdate failed\n";
    return 5;
  }
  migrate();
  echo "Updated database\n";
  run_apps($settings, 'update.php');
  set_settings(['version' => code_version(), 'maintenance' => is_in_maintenance($settings)]);
  echo "Update successful\nTurned off maintenance mode\n";
  return 0;
}

function status(array $options): int {
  $status = status_of(settings());
  echo ($options['output'] ?? '') === 'json' ? json_encode($status) . "\n" : print_r($status, true);
  return 0;
}

function maintenance_mode(array $options): int {
  set_settings(['maintenance' => isset($options['on'])]);
  return 0;
}

function background_cron(): int {
  set_app_value('core', 'backgroundjobs_mode', 'cron');
  echo "Set mode for background jobs to 'cron'\n";
  return 0;
}

function config_app_get(array $options, array $words): int {
  $value = app_value($words[0], $words[1]);
  if ($value !== null) {
    echo "$value\n";
  }
  return $value === null ? 1 : 0;
}

function nothing_missing(): int {
  echo "Done.\n";
  return 0;
}

function arguments(array $given): array {
  $words = $options = [];
  foreach ($given as $argument) {
    if (preg_match('/^--([\w-]+)(?:=(.*))?$/s', $argument, $found)) {
      $options[$found[1]] = $found[2] ?? true;
    } else {
      $words[] = $argument;
    }
  }
  return [$words, $options];
}
