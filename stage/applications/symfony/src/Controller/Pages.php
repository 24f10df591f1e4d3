<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

class Pages extends AbstractController
{
    public function home(): Response
    {
        return $this->render('home.html.twig', ['release' => 'release-1']);
    }

    public function status(Request $request): JsonResponse
    {
        return $this->json([
            'release' => 'release-1',
            'ip' => $request->getClientIp(),
            'environment' => $this->getParameter('kernel.environment'),
            'greeting' => $_ENV['GREETING'],
        ]);
    }
}
