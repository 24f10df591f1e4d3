<?php
$OC_VersionString = '@VERSION@';
$OC_Version = [...array_map(intval(...), explode('.', $OC_VersionString)), 1];
$OC_VersionCanBeUpgradedFrom = ['nextcloud' => [$OC_Version[0] - 1 . '.0' => true, "$OC_Version[0].0" => true]];
