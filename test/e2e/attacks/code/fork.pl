# Starts processes, prints how many it could, and ends them. Arguments: how many.
use strict;
use warnings;
use POSIX ();

my ($most) = @ARGV;
my @started;
while (@started < $most) {
    my $child = fork;
    last unless defined $child;
    if ($child == 0) {
        sleep 120;
        POSIX::_exit(0);
    }
    push @started, $child;
}
print scalar @started, " processes\n";
kill KILL => @started;
waitpid $_, 0 for @started;
