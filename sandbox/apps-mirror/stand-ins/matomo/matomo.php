<?php
if (file_exists(__DIR__ . '/bootstrap.php')) {
  require_once __DIR__ . '/bootstrap.php';
}
echo 'This resource is part of Matomo. Keep full control of your data with the leading free and open source web analytics.';
