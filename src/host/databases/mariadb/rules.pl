# What MariaDB takes from dumps of MySQL, managed services and other servers. In the environment: COLLATIONS, names for those of
# MySQL 8 (`0900`) by their last words; none where MariaDB has them.

my %collations = map { split /=/ } split ' ', $ENV{COLLATIONS} // '';
my $database;

# A comment that begins with `/*!` is code.
$opening = qr{['"`]|/\*(?!M?!)|--(?=\s|\z)|\#};
sub closing_of { my ($quote) = @_; return ($quote, $quote ne '`') }
sub nests { return 0 }
sub set_delimiter {
  ($delimiter) = @_;
  my $first = quotemeta substr $delimiter, 0, 1;
  $plain = qr{(?:[^'"`/\#\-$first]++|'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+"|`[^`]*+`|-(?=[^\-$first])|/(?=[^*$first]))++}s;
  return;
}
set_delimiter(';');
# Also the warnings that get into a dump with `2>&1`.
$is_command = qr/\A(?:DELIMITER[ \t]|mysqldump: |mariadb-dump: |Warning: A partial dump )[^\n]*\n?/i;
sub command {
  my ($line) = @_;
  my ($new) = $line =~ /\ADELIMITER\s+(\S+)/i;
  set_delimiter($new) if defined $new;
  print defined $new ? $line : lines_of($line);
  return;
}
$is_interesting = qr{\A(?:/\*M?!\d*\s*)?(?:SET|USE|CREATE|DROP|ALTER|CHANGE)\b}i;
$header = qr/\A-- (?:MySQL|MariaDB) dump \d/;
$footer = qr/\A-- Dump completed/;
$after_statement = sub { return };

my $name = qr{`[^`]*`|'[^']*'|"[^"]*"|[\w\$]+};
my $quoted = qr{'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|`[^`]*+`|/\*(?!M?!).*?\*/|--(?=\s)[^\n]*+|\#[^\n]*+}s;
my $foreign = qr{utf8mb4_(?:\w+_)?0900_\w+}i;

# Settings of the whole server, of its binary log and of MySQL; other databases, tablespaces, replication.
my $unwanted = qr{
  \ASET\s+(?:\@\@)?(?:GLOBAL|PERSIST|PERSIST_ONLY)\b|
  \ASET\s+\@MYSQLDUMP_TEMP_LOG_BIN\b|
  \ASET\s+(?:\@\@)?(?:SESSION[.\s]\s*)?
    (?:SQL_LOG_BIN|GTID_\w+|SQL_REQUIRE_PRIMARY_KEY|SQL_GENERATE_INVISIBLE_PRIMARY_KEY|INFORMATION_SCHEMA_STATS_EXPIRY)\b|
  \A(?:CREATE|DROP|ALTER)\s+(?:DATABASE|SCHEMA|(?:UNDO\s+)?TABLESPACE|LOGFILE\s+GROUP)\b|
  \ACHANGE\s+(?:MASTER|REPLICATION)\b
}xi;
my $before_definer = qr{(?:/\*M?!\d*\s*)?CREATE(?:\s|\*/|/\*M?!\d*|OR\s+REPLACE\b|ALGORITHM\s*=\s*\w+|AGGREGATE\b)*}i;

$what_stays = sub {
  my ($held, $code) = @_;
  return use_database($1 =~ tr/`"'//dr) if $code =~ /\AUSE\s+($name)/i;
  return if $code =~ $unwanted;
  $held =~ s{(\bCOLLAT(?:E|ION_\w++)\s*+(?:=\s*+)?(['"]))($foreign)\2|($quoted)|\b($foreign)\b}
    {defined $3 ? $1 . collation($3) . $2 : $4 // collation($5)}gie if %collations;
  $held =~ s{\A($before_definer)DEFINER\s*=\s*(?:CURRENT_USER(?:\(\s*\))?|(?:$name)(?:\s*\@\s*(?:$name))?)}{$1}i;
  $held =~ s{($quoted)|/\*!\d*\s+TABLESPACE\s*+(?:=\s*+)?(?:$name)\s*\*/}{$1 // ''}gie if $code =~ /\ACREATE\s+TABLE\b/i;
  return $held;
};

sub use_database {
  my ($used) = @_;
  give_up("The dump holds several databases ($database, $used). Export the one that is wanted: mysqldump $used > $used.sql.")
    if defined $database && $database ne $used;
  $database = $used;
  return;
}

sub collation {
  my ($kind) = lc($_[0]) =~ /0900_(ai_ci|as_ci|as_cs|bin)/;
  return $collations{$kind // 'ai_ci'};
}
