<!doctype html>
<html lang="en">
    <body>
        <h1>{{ 'release-1' }}</h1>
        <p>{{ config('app.greeting') }}</p>
    </body>
</html>
