<?php

$release = "release-1";
$notes = __DIR__ . "/../data/notes.txt";
$path = parse_url($_SERVER["REQUEST_URI"], PHP_URL_PATH);

session_start();

if ($path === "/upload") {
    $body = file_get_contents("php://input");
    header("Content-Type: application/json");
    echo json_encode(["release" => $release, "length" => strlen($body), "sha256" => hash("sha256", $body)]);
} elseif ($path === "/slow") {
    session_write_close();
    sleep(5);
    echo "$release slowly";
} elseif ($path === "/clock") {
    // Ten times of the clock, each when it is sent.
    session_write_close();
    header("Content-Type: text/event-stream");
    for ($part = 1; $part <= 10; $part++) {
        printf("%d\n", microtime(true) * 1000);
        ob_flush();
        flush();
        usleep(100_000);
    }
} elseif ($path === "/api/status") {
    header("Content-Type: application/json");
    echo json_encode(["release" => $release, "ip" => $_SERVER["REMOTE_ADDR"], "greeting" => getenv("GREETING")]);
} elseif ($path === "/visits") {
    $_SESSION["visits"] = ($_SESSION["visits"] ?? 0) + 1;
    echo $_SESSION["visits"];
} elseif ($path === "/notes" && $_SERVER["REQUEST_METHOD"] === "POST") {
    file_put_contents($notes, file_get_contents("php://input") . "\n", FILE_APPEND);
    http_response_code(201);
} elseif ($path === "/notes") {
    readfile($notes);
} else {
    echo "<!doctype html><html><body><h1>$release</h1></body></html>\n";
}
