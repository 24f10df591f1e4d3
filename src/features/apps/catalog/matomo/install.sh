# shellcheck shell=bash
# given: directory names username email title
# Matomo's installer consists of web pages. This performs their steps, in their order, with Matomo's own classes.
php -d memory_limit=512M -- "$directory" "$names" "$username" "$email" "$title" <<'PHP'
<?php

use Piwik\Access;
use Piwik\Application\Environment;
use Piwik\Config;
use Piwik\DbHelper;
use Piwik\Plugin\Manager;
use Piwik\Plugins\SitesManager\API as Sites;
use Piwik\Plugins\UsersManager\API as Users;
use Piwik\Plugins\UsersManager\UserUpdater;
use Piwik\Updater;
use Piwik\Version;

[, $directory, $names, $login, $email, $title] = $argv;
$password = file_get_contents(getenv('LONGSHORE_SECRETS') . '/admin-password');
$origin = file($names, FILE_IGNORE_NEW_LINES)[0];

define('PIWIK_DOCUMENT_ROOT', $directory);
define('PIWIK_INCLUDE_PATH', $directory);
define('PIWIK_USER_PATH', $directory);
chdir($directory);
require_once PIWIK_INCLUDE_PATH . '/core/bootstrap.php';

$environment = new Environment('cli');
$environment->init();
$plugins = Manager::getInstance();
$plugins->loadActivatedPlugins();
$plugins->loadPluginTranslations();
Access::getInstance();

DbHelper::createTables();
DbHelper::createAnonymousUser();
DbHelper::recordInstallVersion();
Access::doAsSuperUser(static function () use ($plugins): void {
  $updater = new Updater();
  $updates = $updater->getComponentUpdates();
  if ($updates) {
    $updater->updateComponents($updates);
  }
  $plugins->installLoadedPlugins();
});
Updater::recordComponentSuccessfullyUpdated('core', Version::VERSION);

Access::doAsSuperUser(static function () use ($login, $password, $email, $title, $origin): void {
  Users::getInstance()->addUser($login, $password, $email);
  (new UserUpdater())->setSuperUserAccessWithoutCurrentPassword($login, true);
  Sites::getInstance()->addSite($title, $origin);
});

$config = Config::getInstance();
$general = $config->General;
unset($general['installation_in_progress']);
$config->General = $general;
$config->forceSave();
echo "Version ", Version::VERSION, "\n";
PHP
