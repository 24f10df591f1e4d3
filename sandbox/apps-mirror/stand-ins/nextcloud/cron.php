<?php
require_once __DIR__ . '/lib/base.php';

$settings = settings();
if (PHP_SAPI !== 'cli' || is_in_maintenance($settings) || needs_upgrade($settings)) {
  exit;
}
set_app_value('core', 'lastcron', (string) time());
