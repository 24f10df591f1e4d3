# Puts links to a file in the place of the secrets of every run. Arguments: the file.
use strict;
use warnings;

my ($target) = @ARGV;
my $run = "/run/longshore";
while (1) {
    for my $id (1 .. 300) {
        my $secrets = "$run/$id/secrets";
        next unless -e $secrets;
        for my $name (qw(environment environment-exports basic-auth)) {
            next if -l "$secrets/$name";
            rename("$secrets/$name", "$secrets/taken-$name") and symlink($target, "$secrets/$name");
        }
    }
    select undef, undef, undef, 0.001;
}
