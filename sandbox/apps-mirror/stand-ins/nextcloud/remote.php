<?php
// Files over WebDAV: GET and PUT of a file directly in an account's own directory.
require_once __DIR__ . '/lib/base.php';

$settings = begin_request();
$account = account();
$path = strtok($_SERVER['REQUEST_URI'], '?');
if (preg_match('#^/remote\.php/dav/files/([\w.@ -]+)/([\w.][\w.-]*)$#', rawurldecode($path), $found) !== 1 || $found[1] !== $account) {
  http_response_code(404);
  exit;
}
$file = "{$settings['datadirectory']}/$account/files/$found[2]";
if ($_SERVER['REQUEST_METHOD'] === 'PUT') {
  file_put_contents($file, fopen('php://input', 'r'));
  http_response_code(201);
} elseif (is_file($file)) {
  readfile($file);
} else {
  http_response_code(404);
}
