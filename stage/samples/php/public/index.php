<?php

declare(strict_types=1);

require __DIR__ . '/../src/uploads.php';

$folder = __DIR__ . '/uploads';
$version = trim((string) file_get_contents(__DIR__ . '/../version.txt'));
$notice = $_SERVER['REQUEST_METHOD'] === 'POST' ? store($_FILES['file'] ?? null, $folder) : null;
$uploads = uploads($folder);

function text(string $value): string
{
    return htmlspecialchars($value, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}
?>
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>PHP</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <main>
    <p class="kind">PHP <?= PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION ?></p>
    <h1>Releases change, uploads stay</h1>
    <p>
      The folder <code>public/uploads</code> is shared: every release links to the same one, so what visitors upload
      is still there after the next deployment and after a rollback.
    </p>
    <p class="version">version <?= text($version) ?></p>

    <h2>Uploads</h2>
<?php if ($notice !== null): ?>
    <p class="notice"><?= text($notice) ?></p>
<?php endif ?>
<?php if ($uploads === []): ?>
    <p>Nothing yet.</p>
<?php else: ?>
    <ul class="uploads">
<?php foreach ($uploads as $name => $bytes): ?>
      <li><a href="uploads/<?= rawurlencode($name) ?>"><?= text($name) ?></a> <span><?= number_format($bytes) ?> bytes</span></li>
<?php endforeach ?>
    </ul>
<?php endif ?>
    <form method="post" enctype="multipart/form-data">
      <input type="file" name="file" accept=".txt,.png,.jpg,.jpeg,.gif,.webp" required>
      <button>Upload</button>
    </form>
  </main>
</body>
</html>
