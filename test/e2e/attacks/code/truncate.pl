# Gives every file that it was handed open another length, and removes what it can of all records. Arguments: the length.
use strict;
use warnings;

my ($length) = @ARGV;
for my $number (0 .. 255) {
    open my $file, ">>&=", $number or next;
    truncate $file, $length;
}
for my $link (glob "/proc/self/fd/*") {
    my $path = readlink $link or next;
    truncate $path, $length if $path =~ m{^/(?:var/lib|run)/longshore};
}
unlink glob "/var/lib/longshore/runs/*/*";
unlink map { ("/var/lib/longshore/runs/$_/journal", "/run/longshore/bell") } 1 .. 300;
