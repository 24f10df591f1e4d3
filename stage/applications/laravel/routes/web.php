<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\Facades\Storage;

Route::get('/', fn () => view('home'));

Route::get('/api/status', fn (Request $request) => [
    'release' => 'release-1',
    'ip' => $request->ip(),
    'environment' => app()->environment(),
    'greeting' => config('app.greeting'),
]);

Route::post('/notes', function (Request $request) {
    Storage::append('notes.txt', $request->getContent());

    return response('', 201);
});

Route::get('/notes', fn () => response(Storage::get('notes.txt'), 200, ['Content-Type' => 'text/plain']));

Route::get('/visits', function (Request $request) {
    return (string) $request->session()->increment('visits');
});
