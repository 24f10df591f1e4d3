<?php

declare(strict_types=1);

const MAX_BYTES = 200_000;
const MAX_FILES = 50;

// The web server hands out what lies in the folder: only endings that it serves as data may get there.
const ENDINGS = ['txt', 'png', 'jpg', 'jpeg', 'gif', 'webp'];

/** File name to size in bytes, by name. */
function uploads(string $folder): array
{
    $sizes = [];
    foreach (glob($folder . '/*') ?: [] as $path) {
        if (is_file($path)) {
            $sizes[basename($path)] = (int) filesize($path);
        }
    }
    return $sizes;
}

/** Keeps one uploaded file; answers with what happened, in words for the visitor. */
function store(?array $file, string $folder): string
{
    if ($file === null || !is_string($file['name']) || $file['error'] !== UPLOAD_ERR_OK) {
        return 'No file arrived.';
    }
    if ($file['size'] > MAX_BYTES) {
        return 'The file is larger than ' . number_format(MAX_BYTES) . ' bytes.';
    }
    $ending = strtolower(pathinfo($file['name'], PATHINFO_EXTENSION));
    if (!in_array($ending, ENDINGS, true)) {
        return 'Only ' . implode(', ', ENDINGS) . ' files are accepted.';
    }
    if (count(uploads($folder)) >= MAX_FILES) {
        return 'The folder is full.';
    }
    $name = preg_replace('/[^a-z0-9_-]+/i', '-', pathinfo($file['name'], PATHINFO_FILENAME));
    $name = (trim((string) $name, '-') ?: 'file') . '.' . $ending;
    if (!is_dir($folder)) {
        mkdir($folder, 0755, true);
    }
    return move_uploaded_file($file['tmp_name'], "$folder/$name") ? "$name was uploaded." : 'The file could not be kept.';
}
