# Prints a dump as the user of one database can load it, statement by statement. Only whole statements and words of the code change,
# by the rules of the engine that follow in the same program (mariadb/rules.pl, postgresql/rules.pl), never what is quoted or data.
# It holds one statement of definitions at a time, and streams the others. What it leaves out keeps its lines, since errors of the
# engine name lines. PROBLEM is the file for a sentence about a dump that cannot be loaded.
use strict;
use warnings;

# Set by the rules.
my ($is_interesting, $is_command, $opening, $plain, $header, $footer, $what_stays, $after_statement);
my $delimiter = ';';

my ($most_held, $chunk, $low) = (1 << 24, 24_000, 8_000);
my ($buffer, $at_end) = ('', 0);
# What has been opened and not closed: a quote, `/*`, the end of a line, or nothing.
my ($open, $is_escaped, $depth) = ('', 0, 0);
my ($has_header, $has_footer) = (0, 0);
my $cut = 'The dump is not complete: its end is missing. Export it again.';

# Reads on, so that no word, quote or delimiter is cut.
sub fill {
  while (length $buffer < $low && !$at_end) {
    my $count = sysread STDIN, $buffer, $chunk, length $buffer;
    give_up("The dump cannot be read: $!.") if !defined $count;
    $at_end = 1 if $count == 0;
  }
  return $buffer ne '';
}

sub give_up {
  my ($sentence) = @_;
  open my $problem, '>', $ENV{PROBLEM} or die "$sentence\n";
  # It may have a name of the dump, which can be as long as one likes.
  print {$problem} substr $sentence, 0, 1_000;
  close $problem;
  exit 3;
}

sub lines_of { my ($text) = @_; return $text =~ tr/\n//cdr }

sub enter { ($open, $is_escaped) = @_; return }

# The next piece of the dump, up to some kilobytes; whether it ends the statement.
sub piece {
  return inside() if $open ne '';
  return ($1, 1) if $buffer =~ s/\A(\Q$delimiter\E)//;
  if ($buffer =~ s/\A($opening)//) {
    my $text = $1;
    if ($text eq '/*') { $depth = 1; enter('/*', 0) }
    elsif ($text =~ /\A(?:--|#)/) { note($text); enter("\n", 0) }
    else { enter(closing_of($text)) }
    return ($text, 0);
  }
  return (substr($buffer, 0, 1, ''), 0) if $buffer !~ s/\A($plain)//;
  my $text = $1;
  # A word at the end of what was read may continue in what follows.
  $buffer = $1 if $buffer eq '' && !$at_end && $text =~ s/(?<=.)([\w\$\x80-\xff]{1,200})\z//s;
  return ($text, 0);
}

# The beginning of a comment.
sub note {
  my $line = $_[0] . substr $buffer, 0, 60;
  $has_header ||= $line =~ $header;
  $has_footer ||= $line =~ $footer;
  return;
}

sub inside {
  if ($open eq "\n") {
    $buffer =~ s/\A([^\n]*+\n?)//;
    my $text = $1;
    enter('', 0) if $text =~ /\n\z/;
    return ($text, 0);
  }
  if ($open eq '/*') {
    $buffer =~ s{\A([^*/]++|\*/|/\*|\*++(?!/)|/++(?!\*)|.)}{}s;
    my $text = $1;
    $depth++ if $text eq '/*' && nests();
    $depth-- if $text eq '*/';
    enter('', 0) if $depth == 0;
    return ($text, 0);
  }
  my $first = substr $open, 0, 1;
  my $content = $is_escaped ? qr/(?:[^\\$first]++|\\.)++/s : qr/[^$first]++/;
  return ($1, 0) if $buffer =~ s/\A($content)//;
  my $closes = substr($buffer, 0, length $open) eq $open;
  my $text = substr $buffer, 0, $closes ? length $open : 1, '';
  enter('', 0) if $closes;
  return ($text, 0);
}

# Prints spaces and comments before a statement.
sub skip_space {
  while (fill()) {
    if ($open ne '') { print +(inside())[0] }
    elsif ($buffer =~ s/\A(\s++)//) { print $1 }
    elsif ($buffer =~ m{\A(?:--|\#|/\*)} && $buffer =~ /\A$opening/) { print +(piece())[0] }
    else { return 1 }
  }
  return 0;
}

sub stream {
  while (fill()) {
    my ($text, $ends) = piece();
    print $text;
    return if $ends;
  }
  return;
}

sub hold {
  my $held = '';
  while (fill()) {
    my ($text, $ends) = piece();
    $held .= $text;
    last if $ends;
    next if length $held < $most_held;
    print $held;
    return stream();
  }
  my $code = $held =~ s{\A/\*M?!\d*\s*}{}r;
  print $what_stays->($held, $code) // lines_of($held);
  $after_statement->($code);
  return;
}

sub run {
  binmode $_ for *STDIN, *STDOUT;
  fill();
  $buffer =~ s/\A\xef\xbb\xbf//;
  while (skip_space()) {
    if ($buffer =~ s/($is_command)//) { command($1) }
    elsif ($buffer =~ $is_interesting) { hold() }
    else { stream() }
  }
  give_up($cut) if $open ne '' && $open ne "\n" || $has_header && !$has_footer;
  return;
}
