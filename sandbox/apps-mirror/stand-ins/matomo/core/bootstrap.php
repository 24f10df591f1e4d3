<?php
// A stand-in for Matomo, whose archive cannot be fetched on a test machine: the classes, commands, settings and pages that Longshore,
// its tests and a visitor use, named as the real ones. Of each no more than that.

namespace {
  require_once __DIR__ . '/Version.php';
  error_reporting(E_ALL);
}

namespace Piwik\Application {
  final class Environment {
    public function __construct(private ?string $environment) {}

    public function init(): void {
      \Piwik\Config::getInstance();
    }
  }
}

namespace Piwik {
  final class Config {
    private static ?Config $instance = null;
    public array $database = [];
    public array $General = [];

    public static function getInstance(): Config {
      return self::$instance ??= new Config();
    }

    private function __construct() {
      $file = PIWIK_DOCUMENT_ROOT . '/config/config.ini.php';
      if (!is_file($file)) {
        throw new \Exception("The configuration file {$file} has not been found or could not be read.");
      }
      foreach (parse_ini_file($file, true, INI_SCANNER_RAW) as $section => $values) {
        $this->$section = array_map(static fn ($value) => html_entity_decode($value), $values);
      }
    }

    public function forceSave(): void {
      $text = "; <?php exit; ?> DO NOT REMOVE THIS LINE\n";
      foreach (['database', 'General'] as $section) {
        $text .= "[$section]\n";
        foreach ($this->$section as $name => $value) {
          $text .= "$name = \"" . htmlentities($value, ENT_COMPAT) . "\"\n";
        }
        $text .= "\n";
      }
      file_put_contents(PIWIK_DOCUMENT_ROOT . '/config/config.ini.php', $text, LOCK_EX);
    }
  }

  final class Db {
    private static ?\PDO $connection = null;

    public static function get(): \PDO {
      ['host' => $host, 'username' => $user, 'password' => $password, 'dbname' => $name] = Config::getInstance()->database;
      $options = [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION];
      return self::$connection ??= new \PDO("mysql:host=$host;dbname=$name;charset=utf8mb4", $user, $password, $options);
    }

    /** @param list<string> $values */
    public static function query(string $statement, array $values = []): \PDOStatement {
      $prepared = self::get()->prepare(str_replace('#_', Config::getInstance()->database['tables_prefix'], $statement));
      $prepared->execute($values);
      return $prepared;
    }
  }

  final class Option {
    public static function get(string $name): ?string {
      $value = Db::query('SELECT option_value FROM #_option WHERE option_name = ?', [$name])->fetchColumn();
      return $value === false ? null : $value;
    }

    public static function set(string $name, string $value): void {
      Db::query('REPLACE INTO #_option (option_name, option_value) VALUES (?, ?)', [$name, $value]);
    }
  }

  final class Access {
    private static bool $isSuperUser = false;

    public static function getInstance(): Access {
      return new Access();
    }

    public static function doAsSuperUser(callable $work): mixed {
      $before = self::$isSuperUser;
      self::$isSuperUser = true;
      try {
        return $work();
      } finally {
        self::$isSuperUser = $before;
      }
    }

    public static function check(): void {
      self::$isSuperUser || throw new \Exception('You can\'t access this resource as it requires a superuser access.');
    }
  }

  final class DbHelper {
    public static function createTables(): void {
      Db::query('CREATE TABLE #_option (option_name VARCHAR(191) PRIMARY KEY, option_value LONGTEXT)');
      Db::query('CREATE TABLE #_user (login VARCHAR(100) PRIMARY KEY, password VARCHAR(255), email VARCHAR(100), superuser_access TINYINT)');
      Db::query('CREATE TABLE #_user_token_auth (login VARCHAR(100), password VARCHAR(191) PRIMARY KEY)');
      Db::query('CREATE TABLE #_site (idsite INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(90), main_url VARCHAR(255))');
    }

    public static function createAnonymousUser(): void {
      Db::query("INSERT INTO #_user (login, password, email, superuser_access) VALUES ('anonymous', '', 'anonymous@example.org', 0)");
    }

    public static function recordInstallVersion(): void {
      Option::set('install_version', Version::VERSION);
    }
  }

  final class Updater {
    public function getComponentUpdates(): ?array {
      return Option::get('version_core') === Version::VERSION ? null : ['core' => Version::VERSION];
    }

    public function updateComponents(array $updates): array {
      Access::check();
      Db::query('CREATE TABLE IF NOT EXISTS #_added_by_' . str_replace('.', '_', Version::VERSION) . ' (id INT PRIMARY KEY)');
      self::recordComponentSuccessfullyUpdated('core', $updates['core']);
      foreach (glob(PIWIK_DOCUMENT_ROOT . '/plugins/*/Updates.php') as $update) {
        require $update;
      }
      return ['warnings' => [], 'errors' => [], 'coreError' => false];
    }

    public static function recordComponentSuccessfullyUpdated(string $name, string $version): void {
      Option::set("version_$name", $version);
    }
  }
}

namespace Piwik\Plugin {
  final class Manager {
    public static function getInstance(): Manager {
      return new Manager();
    }

    public function loadActivatedPlugins(): void {}

    public function loadPluginTranslations(): void {}

    public function installLoadedPlugins(): void {}
  }
}

namespace Piwik\Plugins\UsersManager {
  use Piwik\Access;
  use Piwik\Db;

  final class API {
    public static function getInstance(): API {
      return new API();
    }

    public function addUser(string $userLogin, string $password, string $email): void {
      Access::check();
      Db::query('INSERT INTO #_user (login, password, email, superuser_access) VALUES (?, ?, ?, 0)', [
        $userLogin,
        password_hash(html_entity_decode($password), PASSWORD_BCRYPT),
        $email,
      ]);
    }

    public function createAppSpecificTokenAuth(string $userLogin, string $passwordConfirmation): string {
      $hash = Db::query('SELECT password FROM #_user WHERE login = ?', [$userLogin])->fetchColumn();
      if (!is_string($hash) || !password_verify($passwordConfirmation, $hash)) {
        throw new \Exception('The current password is not correct.');
      }
      $token = bin2hex(random_bytes(16));
      Db::query('INSERT INTO #_user_token_auth (login, password) VALUES (?, ?)', [$userLogin, hash('sha512', $token)]);
      return $token;
    }
  }

  final class UserUpdater {
    public function setSuperUserAccessWithoutCurrentPassword(string $userLogin, bool $hasSuperUserAccess): void {
      Access::check();
      Db::query('UPDATE #_user SET superuser_access = ? WHERE login = ?', [(int) $hasSuperUserAccess, $userLogin]);
    }
  }
}

namespace Piwik\Plugins\SitesManager {
  use Piwik\Access;
  use Piwik\Db;

  final class API {
    public static function getInstance(): API {
      return new API();
    }

    public function addSite(string $siteName, string $urls): int {
      Access::check();
      Db::query('INSERT INTO #_site (name, main_url) VALUES (?, ?)', [$siteName, $urls]);
      return (int) Db::get()->lastInsertId();
    }

    public function getAllSites(): array {
      Access::check();
      return Db::query('SELECT idsite, name, main_url FROM #_site')->fetchAll(\PDO::FETCH_ASSOC);
    }
  }
}
