<?php
define('PIWIK_DOCUMENT_ROOT', __DIR__);
if (file_exists(PIWIK_DOCUMENT_ROOT . '/bootstrap.php')) {
  require_once PIWIK_DOCUMENT_ROOT . '/bootstrap.php';
}
define('PIWIK_INCLUDE_PATH', PIWIK_DOCUMENT_ROOT);
require_once PIWIK_INCLUDE_PATH . '/core/bootstrap.php';

use Piwik\Access;
use Piwik\Config;
use Piwik\Db;
use Piwik\Option;
use Piwik\Plugins\SitesManager\API as Sites;
use Piwik\Plugins\UsersManager\API as Users;
use Piwik\Version;

if (isset(Config::getInstance()->General['installation_in_progress'])) {
  exit('<title>Matomo installation</title>');
}
$compared = version_compare(Option::get('version_core'), Version::VERSION);
if ($compared > 0) {
  http_response_code(500);
  exit('Your Matomo codebase is running the old version.');
}
if ($compared < 0) {
  exit('<title>Matomo › Database Upgrade Required</title>');
}
foreach (glob(__DIR__ . '/plugins/*/Request.php') as $plugin) {
  require $plugin;
}
if (($_REQUEST['module'] ?? '') !== 'API') {
  exit('<!DOCTYPE html><title>Sign in - Matomo</title><body id="loginPage">Matomo ' . Version::VERSION . '</body>');
}

header('Content-Type: application/json');
$token = $_REQUEST['token_auth'] ?? '';
$known = Db::query('SELECT login FROM #_user_token_auth WHERE password = ?', [hash('sha512', $token)])->fetchColumn();
$answer = static fn () => match ($_REQUEST['method'] ?? '') {
  'UsersManager.createAppSpecificTokenAuth' => ['value' => Users::getInstance()->createAppSpecificTokenAuth($_POST['userLogin'], $_POST['passwordConfirmation'])],
  'SitesManager.addSite' => ['value' => Sites::getInstance()->addSite($_POST['siteName'], $_POST['urls'])],
  'SitesManager.getAllSites' => Sites::getInstance()->getAllSites(),
};
try {
  echo json_encode($known === false ? $answer() : Access::doAsSuperUser($answer));
} catch (Exception $error) {
  http_response_code(401);
  echo json_encode(['result' => 'error', 'message' => $error->getMessage()]);
}
