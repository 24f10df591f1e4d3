# Does what harm it can, at random, until it is ended. Arguments: a seed, then files and directories of others. What it can
# read of them it leaves in files named seen-… in the project's home.
use strict;
use warnings;
use Fcntl qw(:DEFAULT :flock :mode);
use File::Find;
use IO::Socket::INET;
use Socket;

my ($seed, @targets) = @ARGV;
my $home = $ENV{HOME};
my $project = $home =~ s{/home$}{}r;
my $seen = 0;
$SIG{PIPE} = "IGNORE";
open STDERR, ">", "/dev/null";

sub pick { $_[ int rand @_ ] }
sub rubbish { join "", map { chr int rand 256 } 1 .. 1 + int rand 2000 }
sub rest { select undef, undef, undef, $_[0] }

sub append {
    my ($path, $text) = @_;
    sysopen my $file, $path, O_WRONLY | O_APPEND | O_NONBLOCK or return;
    syswrite $file, $text;
}

sub take_lock {
    my ($path) = @_;
    sysopen my $file, $path, O_RDONLY or return;
    return flock($file, LOCK_EX | LOCK_NB) ? $file : ();
}

sub look_at {
    my ($path) = @_;
    sysopen my $file, $path, O_RDONLY | O_NONBLOCK or return;
    sysread $file, my $text, 65536 or return;
    return unless $text =~ /(canary-[0-9a-f]{24})/;
    open my $report, ">", "$home/seen-$$-" . $seen++ or return;
    print $report "$path: $1\n";
}

# What the project owns, but for this program and what it has seen.
sub own { grep { !m{/attack(/|$)|/seen-|/shared/report-} } map { glob "$project/$_" } @_ }

sub swap_files {
    my @own = own("home/*", "shared/*", "cache/*", "releases/*/*", "releases/*/.longshore", "releases/*/.longshore/*");
    my $path = @own ? pick(@own) : "$home/nothing";
    my $to = pick(@targets);
    my $aside = "$home/aside-" . int rand 20;
    my $do = int rand 12;
    if ($do == 0) { rename $path, $aside; symlink $to, $path }
    elsif ($do == 1) { symlink $to, "$aside.link"; syscall 316, -100, "$aside.link", -100, $path, 2 }
    elsif ($do == 2) { rename $path, $aside; require POSIX; POSIX::mkfifo($path, 0666) }
    elsif ($do == 3) { rename $path, $aside; socket my $socket, PF_UNIX, SOCK_STREAM, 0; bind $socket, pack_sockaddr_un($path) }
    elsif ($do == 4) { rename $aside, $path }
    elsif ($do == 5) { link $to, "$aside.hard" }
    elsif ($do == 6) { chmod pick(0, 0600, 0755, 0777, 06777), $path }
    elsif ($do == 7) { syscall 316, -100, $path, -100, pick(@own), 2 if @own }
    elsif ($do == 8) { append($path, rubbish()) }
    elsif ($do == 9) { symlink $to, "$_/leak" for glob "$project/releases/*" }
    elsif ($do == 10) { look_at($_) for own("environments/*/*", "state/*", "current/*", "current/.env") }
    else { rename $path, "$aside.moved"; mkdir $path, 0777 }
}

sub swap_runs {
    for my $run (grep { -e "/run/longshore/$_" } 1 .. 900) {
        for my $name (qw(environment environment-exports basic-auth deploy_key)) {
            my $secret = "/run/longshore/$run/secrets/$name";
            rename $secret, "$secret.old" and symlink pick(@targets), $secret;
        }
        append("/run/longshore/$run/facts/$_", pick("commit nothing\n", "deploy_key nothing\n", "maintenance on\n", rubbish()))
            for 0 .. 25;
        append("/var/lib/longshore/runs/$run/$_", rubbish()) for qw(journal plan ended decided state/passed);
    }
    rest(0.002);
}

sub send_rubbish {
    my @found;
    my @places = grep { -d } qw(/run /tmp /var/tmp /var/spool /var/lib/longshore /dev/shm /srv);
    find({ no_chdir => 1, wanted => sub { $File::Find::prune = 1 if m{^/run/host}; push @found, $_ if -p || -S } }, @places);
    for my $path (@found) {
        if (-p $path) { append($path, rubbish()); next }
        for my $type (SOCK_STREAM, SOCK_DGRAM) {
            socket my $socket, PF_UNIX, $type | 04000, 0 or next;
            connect $socket, pack_sockaddr_un($path) and syswrite $socket, rubbish();
        }
    }
    rest(1);
}

sub take_ports {
    my @taken = map {
        IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 20000 + int rand 40, Listen => 5, ReuseAddr => 1) || ()
    } 1 .. 5;
    my $peer = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => pick(22, 80, 443, 20000 .. 20040), Timeout => 1);
    if ($peer) { $peer->blocking(0); syswrite $peer, rubbish() }
    rest(0.2);
}

sub lock_files {
    my @files = ("/run/longshore/nginx.lock", map { "/run/longshore/jobs-$_.lock" } 1 .. 40);
    my @held = map { take_lock($_) } @files;
    rest(rand 2);
}

sub read_others {
    find({ no_chdir => 1, wanted => sub { look_at($_) if -f } }, grep { -e } @targets);
    look_at($_) for glob "/proc/[0-9]*/{environ,cmdline}";
    rest(0.5);
}

sub plan_ahead {
    open my $crontab, "|-", pick("crontab - > /dev/null 2>&1", "at now > /dev/null 2>&1") or return;
    print $crontab pick("* * * * * touch $home/later\n", rubbish());
    close $crontab;
    rest(2);
}

my @attacks = (\&swap_files, \&swap_runs, \&send_rubbish, \&take_ports, \&lock_files, \&read_others, \&plan_ahead);
for my $number (0 .. $#attacks) {
    next if fork;
    srand $seed * 100 + $number;
    while (1) { $attacks[$number]->(); rest(0.005 + rand 0.01) }
}
1 while wait > 0;
