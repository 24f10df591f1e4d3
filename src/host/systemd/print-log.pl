# Prints the last lines of a log: how many of those that were read are left out, each line after its time in microseconds since 1970 and
# a space, and the place to continue from. MOST LINES, BYTES of all together and WIDTH of each are limits.
#
#   MOST BYTES WIDTH                         from the journal, as journalctl exports it
#   MOST BYTES WIDTH FILE WINDOW [PLACE]     from a file with its rotated one, whose lines contain the text on standard input in any case:
#                                            of its last bytes, or after a place, which is `file=INODE;offset=BYTES`. FILE may be both
#                                            of them, a line each, the newer one last
use strict;
use feature "fc";
use POSIX ();
my ($most, $budget, $width, $file, $window, $place) = @ARGV;
my ($left_out, $bytes, $cursor, @kept) = (0, 0);

sub keep {
  my ($at, $text) = @_;
  $text = substr $text, 0, $width;
  push @kept, [$at, $text];
  $bytes += length($text) + 20;
  while (@kept > $most || $bytes > $budget && @kept > 1) {
    $bytes -= length((shift @kept)->[1]) + 20;
    $left_out++;
  }
}

# Lines of a handle: at most so many bytes of each are kept, since some have no end. The handle is at the byte after the last newline read.
my ($buffer, $at, $consumed) = ("", 0, 0);
sub refill { ($buffer, $at) = (substr($buffer, $at), 0); sysread($_[0], $buffer, $_[1], length $buffer) }
sub next_line {
  my ($in, $longest) = @_;
  my ($line, $skipped) = ("", 0);
  while (1) {
    my $end = index $buffer, "\n", $at;
    my $size = ($end < 0 ? length $buffer : $end) - $at;
    $line .= substr $buffer, $at, $size < $longest - length $line ? $size : $longest - length $line;
    $at += $size;
    $skipped += $size;
    if ($end >= 0) { $at++; $consumed += $skipped + 1; return $line }
    refill($in, 65536) or return undef;
  }
}

sub read_journal {
  binmode STDIN;
  my ($time, $message) = ("-", undef);
  while (defined(my $line = next_line(\*STDIN, $width + 100))) {
    if ($line eq "") {
      if (defined $message) { keep($time, $_) for $message eq "" ? "" : split /\n/, $message }
      ($time, $message) = ("-", undef);
    }
    elsif ($line =~ /^__REALTIME_TIMESTAMP=(\d{1,17})$/) { $time = $1 }
    elsif ($line =~ /^__CURSOR=(.*)$/) { $cursor = $1 }
    elsif ($line =~ /^MESSAGE=(.*)$/) { $message = $1 }
    elsif ($line !~ /=/) { my $value = next_value() // last; $message = $value if $line eq "MESSAGE" }
  }
}

# A value of any bytes, after its length.
sub next_value {
  while (length($buffer) - $at < 8) { refill(\*STDIN, 65536) or return undef }
  my $left = unpack("Q<", substr $buffer, $at, 8) + 1;
  $at += 8;
  my $value = "";
  while ($left > 0) {
    if ($at >= length $buffer) { refill(\*STDIN, 65536) or return undef }
    my $size = length($buffer) - $at < $left ? length($buffer) - $at : $left;
    $value .= substr $buffer, $at, $size if length $value < $budget;
    ($at, $left) = ($at + $size, $left - $size);
  }
  chomp $value;
  return $value;
}

my %months = map { (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$_] => $_ } 0 .. 11;

# As nginx writes them: access logs with the distance from UTC, error logs by the clock of the server. As frameworks write them: in brackets at
# the beginning, UTC where they have no distance from it. A line without a time has that of the one before it.
my $last_time = "-";
sub time_of {
  my ($line) = @_;
  if ($line =~ m{^(\d{4})/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d) }) {
    my $seconds = POSIX::mktime($6, $5, $4, $3, $2 - 1, $1 - 1900, 0, 0, -1);
    $last_time = $seconds . "000000" if defined $seconds;
  }
  elsif ($line =~ m{^\[(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):?(\d\d))?\]} && $2 >= 1 && $2 <= 12) {
    my ($day, $seconds, $micros) = (days($1, $2 - 1, $3), $4 * 3600 + $5 * 60 + $6, substr(($7 // "") . "000000", 0, 6));
    $seconds -= "${8}1" * ($9 * 3600 + $10 * 60) if defined $8;
    $last_time = $day * 86400 + $seconds . $micros;
  }
  # Before the request, where a user name cannot have a quotation mark.
  elsif ($line =~ m{^[^"]*\[(\d\d)/(\w{3})/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "} && exists $months{$2}) {
    my ($day, $month, $year, $seconds) = ($1, $months{$2}, $3, $4 * 3600 + $5 * 60 + $6 - "${7}1" * ($8 * 3600 + $9 * 60));
    $last_time = days($year, $month, $day) * 86400 + $seconds . "000000";
  }
  return $last_time;
}

sub days {
  my ($year, $month, $day) = @_;
  my @before = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334);
  my $leap = $year - ($month < 2);
  return ($year - 1970) * 365 + int($leap / 4) - int($leap / 100) + int($leap / 400) - 477 + $before[$month] + $day - 1;
}

sub read_files {
  my $sought = do { local $/; <STDIN> } // "";
  utf8::decode($sought);
  $sought = fc $sought;
  my ($number, $offset) = ($place // "") =~ /^file=(\d+);offset=(\d+)$/;
  my @paths = $file =~ /\n/ ? split(/\n/, $file) : ("$file.1", $file);
  my @files = map { opened($_) } @paths;
  my ($now) = $files[-1];
  $cursor = "file=$number;offset=$offset" if defined $number;
  return unless @files;
  my ($first) = defined $number ? grep { $files[$_]{number} == $number && $files[$_]{size} >= $offset } 0 .. $#files : ();
  # The file was rotated twice since, or shortened: it is read from its beginning.
  if (defined $number) { @files = defined $first ? @files[$first .. $#files] : $now }
  my $total = 0;
  for my $each (reverse @files) {
    my $from = defined $first && $each == $files[0] ? $offset : 0;
    my $room = $window - $total;
    $each->{from} = $each->{size} - $from > $room ? $each->{size} - $room : $from;
    $each->{is_cut} = $each->{from} > $from;
    $total += $each->{size} - $each->{from};
  }
  read_file($_, $sought) for @files;
}

sub opened {
  my ($path) = @_;
  return unless -f $path && open my $in, "<", $path;
  my ($number, $size) = (stat $in)[1, 7];
  return { in => $in, number => $number, size => $size };
}

sub read_file {
  my ($each, $sought) = @_;
  my ($in, $from) = @$each{qw(in from)};
  sysseek $in, $from, 0;
  ($buffer, $at, $consumed) = ("", 0, 0);
  # The window begins within a line.
  next_line($in, 0) if $each->{is_cut};
  while ($from + $consumed < $each->{size} && defined(my $line = next_line($in, $width))) {
    my $time = time_of($line);
    if ($sought ne "") {
      my $text = $line;
      utf8::decode($text);
      next if index(fc $text, $sought) < 0;
    }
    keep($time, $line);
  }
  $cursor = "file=$each->{number};offset=" . ($from + $consumed);
}

defined $file ? read_files() : read_journal();
print "$left_out\n", map { "$_->[0] $_->[1]\n" } @kept;
print "-- cursor: $cursor\n" if defined $cursor;
