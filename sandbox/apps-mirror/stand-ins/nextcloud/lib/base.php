<?php
// A stand-in for Nextcloud, whose archive cannot be fetched on a test machine: what Longshore, its tests and a visitor ask of it,
// named and answering as the real one does. Settings, tables, maintenance and upgrades work as the real one's, as far as they go.

final class OC {
  public static string $SERVERROOT;
  public static string $configDir;
}
OC::$SERVERROOT = dirname(__DIR__);
OC::$configDir = OC::$SERVERROOT . '/config/';
require OC::$SERVERROOT . '/version.php';

/** Every file of settings, the later ones before the former ones. */
function settings(): array {
  $settings = [];
  foreach (array_merge([OC::$configDir . 'config.php'], glob(OC::$configDir . '*.config.php')) as $file) {
    $CONFIG = [];
    $lock = @fopen($file, 'r');
    if ($lock !== false) {
      flock($lock, LOCK_SH);
      function_exists('opcache_invalidate') && @opcache_invalidate($file, true);
      include $file;
      fclose($lock);
    }
    $settings = array_merge($settings, $CONFIG);
  }
  return $settings;
}

/** As the real one: all that was read is written to config.php. */
function set_settings(array $changes): void {
  $settings = settings();
  if (!is_file(OC::$configDir . 'CAN_INSTALL') && !isset($settings['version'])) {
    throw new Exception('Configuration was not read or initialized correctly, not overwriting config.php');
  }
  if ($settings['config_is_read_only'] ?? false) {
    throw new Exception('Config is set to be read-only via option "config_is_read_only".');
  }
  $content = "<?php\n\$CONFIG = " . var_export(array_merge($settings, $changes), true) . ";\n";
  file_put_contents(OC::$configDir . 'config.php', $content, LOCK_EX);
  chmod(OC::$configDir . 'config.php', 0640);
}

function code_version(): string {
  return implode('.', $GLOBALS['OC_Version']);
}

function is_in_maintenance(array $settings): bool {
  return (bool) ($settings['maintenance'] ?? false);
}

function needs_upgrade(array $settings): bool {
  return ($settings['installed'] ?? false) && version_compare($settings['version'] ?? '0', code_version(), '<');
}

function status_of(array $settings): array {
  return [
    'installed' => (bool) ($settings['installed'] ?? false),
    'maintenance' => is_in_maintenance($settings),
    'needsDbUpgrade' => needs_upgrade($settings),
    'version' => code_version(),
    'versionstring' => $GLOBALS['OC_VersionString'],
    'edition' => '',
    'productname' => 'Nextcloud',
  ];
}

function database(?array $settings = null): PDO {
  $settings ??= settings();
  $name = $settings['dbname'];
  $options = [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION];
  $host = $settings['dbhost'];
  return new PDO("mysql:host=$host;dbname=$name;charset=utf8mb4", $settings['dbuser'], $settings['dbpassword'], $options);
}

function app_value(string $app, string $key): ?string {
  $found = database()->prepare('SELECT configvalue FROM oc_appconfig WHERE appid = ? AND configkey = ?');
  $found->execute([$app, $key]);
  $value = $found->fetchColumn();
  return $value === false ? null : $value;
}

function set_app_value(string $app, string $key, string $value): void {
  $sql = 'REPLACE INTO oc_appconfig (appid, configkey, configvalue) VALUES (?, ?, ?)';
  database()->prepare($sql)->execute([$app, $key, $value]);
}

/** Runs what apps of the store bring for an occasion; the real one's have classes for that. */
function run_apps(array $settings, string $file): void {
  foreach ($settings['apps_paths'] as ['path' => $path]) {
    foreach (glob("$path/*/appinfo/$file") as $found) {
      require $found;
    }
  }
}

/** What every request goes through; ends it when it may not proceed. */
function begin_request(): array {
  $settings = settings();
  if (!($settings['installed'] ?? false)) {
    http_response_code(503);
    exit('Nextcloud is not installed.');
  }
  $host = strtolower(preg_replace('/:\d+$/', '', $_SERVER['HTTP_HOST'] ?? ''));
  if (!in_array($host, $settings['trusted_domains'] ?? [], true)) {
    http_response_code(400);
    exit('Access through untrusted domain');
  }
  if (version_compare($settings['version'], code_version(), '>')) {
    http_response_code(500);
    exit('Downgrading is not supported and is likely to cause unpredictable issues');
  }
  if (is_in_maintenance($settings) || needs_upgrade($settings)) {
    http_response_code(503);
    header('X-Nextcloud-Maintenance-Mode: 1');
    header('Retry-After: 120');
    exit('<title>Nextcloud</title>Maintenance mode');
  }
  run_apps($settings, 'app.php');
  return $settings;
}

/** The account of basic authentication; ends the request without a right one. */
function account(): string {
  $found = database()->prepare('SELECT password FROM oc_users WHERE uid = ?');
  $found->execute([$_SERVER['PHP_AUTH_USER'] ?? '']);
  $hash = $found->fetchColumn();
  if ($hash === false || !password_verify($_SERVER['PHP_AUTH_PW'] ?? '', $hash)) {
    http_response_code(401);
    header('WWW-Authenticate: Basic realm="Nextcloud"');
    exit;
  }
  return $_SERVER['PHP_AUTH_USER'];
}
