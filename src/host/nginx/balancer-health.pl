#!/usr/bin/perl
# Longshore: asks the nodes of balanced projects how they are, and keeps the flags that nginx looks at.
# Perl, since perl-base is essential on all systems that servers have: one small process asks all nodes of all projects at once, with a
# time limit for each, where a shell would start a program for each node and second.
# Arguments: the projects' directory, the heartbeat, the port of the nodes.
use strict;
use warnings;
use Socket qw(:DEFAULT getaddrinfo AI_NUMERICHOST);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);

my ($projects, $heartbeat, $port) = @ARGV;
my ($out_after, $in_after, $patience, $pause) = (2, 2, 2, 1);
my %seen;      # flag of a node => { state, good, bad }
my %silent;    # address => rounds without a sign of life
$SIG{PIPE} = 'IGNORE';
$| = 1;

while (1) {
    my @asked = map { nodes_of($_) } glob "$projects/*/balance";
    ask(@asked);
    update_flag($_) for @asked;
    drop_connections(@asked);
    forget(@asked);
    write_heartbeat();
    select undef, undef, undef, $pause;
}

sub nodes_of {
    my ($file) = @_;
    open my $handle, '<', $file or return;
    my ($project, $host, @nodes) = ('', '');
    while (<$handle>) {
        if (/^project (\d+)$/) { $project = $1 }
        elsif (/^host (\S+)$/) { $host = $1 }
        elsif (/^node (\d+) ([0-9a-fA-F.:]+)$/) { push @nodes, { id => $1, address => $2 } }
    }
    (my $directory = $file) =~ s{/balance$}{};
    return map { { %$_, project => $project, host => $host, flag => "$directory/state/out-$_->{id}", answer => '' } } @nodes;
}

# All at once: begins to connect, and sees to each what comes until its time is over.
sub ask {
    my @open = grep { begin($_) } @_;
    my $end = now() + $patience;
    while (@open and (my $left = $end - now()) > 0) {
        my ($read, $write) = ('', '');
        for (@open) { vec($_->{sent} ? $read : $write, fileno $_->{socket}, 1) = 1 }
        next if (select $read, $write, undef, $left) < 0;
        @open = grep {
            my $number = fileno $_->{socket};
            vec($read, $number, 1) ? not receive($_) : vec($write, $number, 1) ? send_request($_) : 1;
        } @open;
    }
    # Neither taken nor refused.
    for (@open) { $_->{silent} = 1 if not $_->{sent} }
    for (@_) { close $_->{socket} if $_->{socket} }
}

sub begin {
    my ($node) = @_;
    my ($error, $address) = getaddrinfo($node->{address}, $port, { flags => AI_NUMERICHOST, socktype => SOCK_STREAM });
    return 0 if $error or not socket my $socket, $address->{family}, SOCK_STREAM, 0;
    fcntl $socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK;
    $node->{socket} = $socket;
    return connect($socket, $address->{addr}) || $!{EINPROGRESS};
}

# False when the connection was not accepted.
sub send_request {
    my ($node) = @_;
    my $text = "GET / HTTP/1.0\r\nHost: $node->{host}\r\nUser-Agent: longshore\r\n"
        . "X-Longshore-Balancer: $node->{project} probe\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n";
    my $written = syswrite $node->{socket}, $text;
    $node->{silent} = 1 if $!{EHOSTUNREACH} and not defined $written;
    return $node->{sent} = defined $written && $written == length $text;
}

# True when the status is known, or will never be.
sub receive {
    my ($node) = @_;
    my $count = sysread $node->{socket}, $node->{answer}, 512, length $node->{answer};
    return !$count || length $node->{answer} >= 12;
}

sub update_flag {
    my ($node) = @_;
    my $known = $seen{$node->{flag}} ||= { state => flagged($node->{flag}), good => 0, bad => 0 };
    my ($status) = $node->{answer} =~ m{^HTTP/1\.[01] (\d{3})};
    if (($status || 0) == 421) {
        @$known{qw(good bad)} = (0, 0);
        put($node, $known, 'draining');
    }
    elsif ($status and $status < 500) {
        $known->{bad} = 0;
        $known->{good}++;
        put($node, $known, '') if $known->{state} eq 'draining' or $known->{good} >= $in_after;
    }
    else {
        $known->{good} = 0;
        $known->{bad}++;
        put($node, $known, 'unreachable') if $known->{bad} >= $out_after;
    }
}

# Visitors at a machine that vanished silently would wait for minutes. nginx asks another one as soon as the connection ends.
sub drop_connections {
    my %count;
    for (@_) { $count{$_->{address}}{$_->{silent} ? 'silent' : 'answered'}++ }
    for my $address (keys %count) {
        if ($count{$address}{answered}) { delete $silent{$address}; next }
        next if ++$silent{$address} != $out_after;
        print "$address: no sign of life, connections are given up\n";
        my $peer = $address =~ /:/ ? "[$address]" : $address;
        system "ss -K dst '$peer' dport = $port > /dev/null 2>&1";
    }
}

sub flagged {
    my ($flag) = @_;
    open my $handle, '<', $flag or return '';
    my $state = <$handle> // '';
    chomp $state;
    return $state;
}

sub put {
    my ($node, $known, $state) = @_;
    my $flag = $node->{flag};
    return if $known->{state} eq $state and ($state eq '') != (-e $flag ? 1 : 0);
    print "Project $node->{project}, node $node->{id} ($node->{address}): ", $state || 'serving', "\n" if $known->{state} ne $state;
    $known->{state} = $state;
    if ($state eq '') { unlink $flag; return }
    open my $handle, '>', "$flag.new" or return;
    print $handle "$state\n";
    close $handle and rename "$flag.new", $flag;
}

# Nodes that were taken away.
sub forget {
    my %asked = map { $_->{flag} => 1 } @_;
    for (grep { not $asked{$_} } keys %seen) { unlink $_; delete $seen{$_} }
}

sub write_heartbeat {
    open my $handle, '>', $heartbeat or return;
    close $handle;
}

# Without Time::HiRes, which not every system has: the clock of the kernel's own uptime.
sub now {
    open my $handle, '<', '/proc/uptime' or return time;
    return (split ' ', <$handle>)[0];
}
