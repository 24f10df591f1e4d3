# Exchanges two names with each other without end. Arguments: the two paths.
use strict;
use warnings;

my ($first, $second) = @ARGV;
my ($renameat2, $here, $exchange) = (316, -100, 2);
while (1) {
    syscall $renameat2, $here, $first, $here, $second, $exchange;
    select undef, undef, undef, 0.00005;
}
