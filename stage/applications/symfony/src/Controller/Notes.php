<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

class Notes extends AbstractController
{
    public function add(Request $request): Response
    {
        file_put_contents($this->notes(), $request->getContent() . "\n", FILE_APPEND);

        return new Response('', 201);
    }

    public function all(): Response
    {
        return new Response(file_get_contents($this->notes()), 200, ['Content-Type' => 'text/plain']);
    }

    private function notes(): string
    {
        return $this->getParameter('kernel.project_dir') . '/data/notes.txt';
    }
}
