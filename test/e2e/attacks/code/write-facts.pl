# Adds lines to the facts of every step of every run. Arguments: the lines.
use strict;
use warnings;

my $lines = join "", map { "$_\n" } @ARGV;
my %written;
while (1) {
    for my $run (grep { -e "/run/longshore/$_" } 1 .. 300) {
        for my $file (map { "/run/longshore/$run/facts/$_" } 0 .. 30) {
            next if $written{$file};
            open my $facts, ">>", $file or next;
            syswrite $facts, $lines;
            $written{$file} = 1;
        }
    }
    select undef, undef, undef, 0.001;
}
