<?php
require __DIR__ . '/matomo.php';
