# What PostgreSQL takes from dumps of other servers, newer versions and managed services: without owners and privileges, as from the
# custom format. In the environment: SETTINGS, the names of the settings that this version has.

my %settings = map { $_ => 1 } split ' ', $ENV{SETTINGS} // '';
my $database;

# In `E'…'` a backslash escapes, as it does not elsewhere.
$opening = qr{[eE]'|'|"|/\*|--|\$(?:[A-Za-z_\x80-\xff][\w\x80-\xff]*)?\$};
# A word is taken whole, so that neither a dollar nor an E at its end begins something.
my $word = qr{(?![eE]')[A-Za-z_\x80-\xff][\w\$\x80-\xff]*+};
$plain = qr{(?:$word|[^A-Za-z_\x80-\xff'"/\-\$;]++|'[^']*+'|[eE]'(?:[^'\\]++|\\.)*+'|"[^"]*+"|-(?=[^\-;])|/(?=[^*;]))++}s;
sub closing_of { my ($text) = @_; return $text =~ /\A[eE]'/ ? (q{'}, 1) : ($text, 0) }
sub nests { return 1 }
$is_command = qr/\A(?:\\[A-Za-z]|pg_dump: )[^\n]*\n?/;
$is_interesting = qr/\A(?:SET|ALTER|GRANT|REVOKE|COMMENT|CREATE|DROP|SELECT|COPY)\b/i;
$header = qr/\A-- PostgreSQL database dump\s*\n/;
$footer = qr/\A-- PostgreSQL database dump complete/;

# Commands of psql. Not `\restrict`, which older versions lack: a load is in a sandbox. Nor the warnings of pg_dump.
sub command {
  my ($line) = @_;
  if ($line =~ /\A\\c(?:onnect)?\s+(.*\S)/) { connect_to($1) }
  elsif ($line !~ /\A(?:\\(?:un)?restrict\b|pg_dump: )/) { print $line; return }
  print lines_of($line);
  return;
}

sub connect_to {
  my ($used) = $_[0] =~ /dbname=['"\\]*([^'"\\\s]+)/ ? $1 : $_[0] =~ /"([^"]*)"\z/ ? $1 : (split ' ', $_[0])[-1];
  give_up("The dump holds several databases ($database, $used). Export the one that is wanted: pg_dump $used > $used.sql.")
    if defined $database && $database ne $used;
  $database = $used;
  return;
}

my $unwanted = qr{
  \A(?:GRANT|REVOKE)\b|
  \AALTER\s+DEFAULT\s+PRIVILEGES\b|
  \AALTER\s.*\sOWNER\s+TO\s+(?:"[^"]*"|[\w\$]+)\s*;?\z|
  \ACOMMENT\s+ON\s+(?:EXTENSION|DATABASE|SCHEMA\s+"?public"?\s)|
  \A(?:CREATE|DROP)\s+SCHEMA\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?public"?\s*(?:CASCADE\s*)?;?\z|
  \A(?:CREATE|DROP|ALTER)\s+(?:DATABASE|ROLE|TABLESPACE|PUBLICATION|SUBSCRIPTION|USER(?!\s+MAPPING))\b|
  \ASET\s+SESSION\s+AUTHORIZATION\b|
  \ASET\s+default_tablespace\s*=\s*(?!''|"")|
  \ASELECT\s+(?:\*\s+FROM\s+)?pg_catalog\.pg_restore_\w+_stats\b
}xis;

$what_stays = sub {
  my ($held, $code) = @_;
  return if $code =~ $unwanted;
  return if $code =~ /\ASET\s+(?:SESSION\s+|LOCAL\s+)?(\w+)\s*(?:=|\bTO\b)/i && !$settings{lc $1};
  return $held;
};

# The data of a table, up to the line that ends it.
$after_statement = sub {
  my ($code) = @_;
  return if $code !~ /\ACOPY\s.*\sFROM\s+STDIN\b/is;
  my $is_line = 0;
  while (fill()) {
    if ($is_line && $buffer =~ s/\A(\\\.\r?(?:\n|\z))//) { print $1; return }
    # Whole lines at once, as long as none of them can be the last.
    my $length = 1 + (index($buffer, "\n\\.") < 0 ? rindex $buffer, "\n" : index $buffer, "\n");
    my $text = substr $buffer, 0, $length || length $buffer, '';
    print $text;
    $is_line = $text =~ /\n\z/;
  }
  give_up($cut);
  return;
};
