<?php
require_once __DIR__ . '/lib/base.php';

$settings = begin_request();
$path = rtrim(preg_replace('#^/index\.php#', '', strtok($_SERVER['REQUEST_URI'], '?')), '/');
if (dirname($_SERVER['SCRIPT_FILENAME']) !== OC::$SERVERROOT) {
  http_response_code(500);
  exit('The script is not the server\'s own.');
}
if ($path === '') {
  header('Location: ' . ($settings['htaccess.IgnoreFrontController'] ? '' : '/index.php') . '/login', true, 302);
} elseif ($path === '/login') {
  echo "<!DOCTYPE html><html><head><title>Login – Nextcloud</title></head><body id=\"body-login\">$OC_VersionString</body></html>";
} elseif ($path === '/apps/files') {
  echo '<!DOCTYPE html><html><head><title>Files – Nextcloud</title></head><body id="body-user"></body></html>';
} else {
  http_response_code(404);
}
