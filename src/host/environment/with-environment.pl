# Runs a command with the environment variables of a project: FILE SETTING... -- COMMAND ARGUMENT...
#
# FILE has `export NAME=value` for each variable, quoted for a shell, after a colon if a shell cannot have the name; it may be missing.
# No shell reads it: some names belong to shells, and others would change what programs of the platform do. A setting is NAME=value,
# which replaces that of the project; NAME?=value, for where the project has none; NAME^=value, which goes before that of the project;
# or ~PATTERN: variables with other names are left out.
# Without single quotes: scripts that are written by scripts hold this text.
use strict;
my $file = shift;
my @settings;
push @settings, shift while @ARGV && $ARGV[0] ne "--";
shift;
my ($names) = map { /^~(.*)/s } @settings;
# An empty pattern would be the last one that matched.
$names //= ".";
my $exports = "";
if (-e $file) {
  open my $in, "<", $file or die "The environment variables of the project cannot be read: $!.\n";
  local $/;
  $exports = <$in> // "";
}
my %own;
while ($exports =~ /\G\s*(?:: )?export ([^\s=]+)=/gc) {
  my ($name, $value) = ($1, "");
  while ($exports =~ /\G(?:\x27([^\x27]*)\x27|\\(\x27)|([^\s\x27\\]+))/gc) { $value .= $1 // $2 // $3 }
  $own{$name} = $value if $name =~ /$names/i;
}
# Directories of the project before those of the system, which stay: commands need them.
if (defined(my $path = delete $own{PATH})) {
  $ENV{PATH} =~ s{(?=/usr/local/s?bin:)}{$path:} or $ENV{PATH} .= ":$path";
}
# npm reads its settings in capitals, too.
my $plain = sub { $_[0] =~ /^npm_config_/i ? lc $_[0] : $_[0] };
my %has = map { $plain->($_) => 1 } keys %own;
delete @ENV{ grep { $has{ $plain->($_) } } keys %ENV };
@ENV{ keys %own } = values %own;
for (@settings) {
  next unless /^([^=?^]+)([?^]?)=(.*)$/s;
  my ($name, $kind, $value) = ($1, $2, $3);
  next if $kind eq "?" && ($has{ $plain->($name) } || exists $ENV{$name});
  $ENV{$name} = $kind eq "^" && length($ENV{$name} // "") ? "$value $ENV{$name}" : $value;
}
exec { $ARGV[0] } @ARGV;
print STDERR "$ARGV[0] could not be started: $!.\n";
exit 127;
