<?php

set_include_path(__DIR__);

require_once 'Symfony/autoload.php';
