/**
 * Extensions that a project can have besides those of every project, by the names of their packages without `php-`. Each is a module of
 * the same name. Not every distribution has each of them.
 */
export const phpExtensions = [
  ...([
    "amqp",
    "bz2",
    "ds",
    "enchant",
    "gearman",
    "gnupg",
    "igbinary",
    "imagick",
    "imap",
    "ldap",
    "mailparse",
  ] as const),
  ...([
    "maxminddb",
    "memcache",
    "memcached",
    "mongodb",
    "msgpack",
    "oauth",
    "pspell",
    "rrd",
    "smbclient",
    "snmp",
  ] as const),
  ...(["solr", "ssh2", "stomp", "tidy", "uploadprogress", "uuid", "xdebug", "xmlrpc", "yaml", "zmq", "zstd"] as const),
] as const;
