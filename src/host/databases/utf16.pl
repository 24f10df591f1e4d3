# Prints UTF-16 with its mark at the beginning as UTF-8, some kilobytes at a time (iconv holds all of its input).
use strict;
use warnings;
binmode STDIN;
binmode STDOUT;
my ($rest, $format, $high) = ('', undef, undef);
while (read STDIN, my $bytes, 65_536) {
  $bytes = $rest . $bytes;
  if (!defined $format) {
    $format = $bytes =~ s/\A\xfe\xff// ? 'n*' : 'v*';
    $bytes =~ s/\A\xff\xfe// if $format eq 'v*';
  }
  $rest = length($bytes) % 2 ? substr $bytes, -1, 1, '' : '';
  my @points;
  for my $unit (unpack $format, $bytes) {
    if (defined $high && $unit >= 0xdc00 && $unit < 0xe000) { push @points, 0x10000 + (($high - 0xd800) << 10) + $unit - 0xdc00 }
    elsif ($unit < 0xd800 || $unit >= 0xe000) { push @points, $unit }
    $high = $unit >= 0xd800 && $unit < 0xdc00 ? $unit : undef;
  }
  my $text = pack 'U*', @points;
  utf8::encode($text);
  print $text;
}
exit($rest eq '' ? 0 : 1);
