<?php
require_once dirname(__DIR__) . '/lib/base.php';

begin_request();
header('Content-Type: application/json');
echo json_encode(['ocs' => ['meta' => ['status' => 'ok', 'statuscode' => 200], 'data' => ['id' => account()]]]);
