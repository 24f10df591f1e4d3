<?php
namespace Piwik;

final class Version {
  public const VERSION = '@VERSION@';
}
