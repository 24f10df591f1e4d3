<?php
require_once __DIR__ . '/lib/base.php';

header('Content-Type: application/json');
echo json_encode(status_of(settings()));
