# Takes each port that is free, as soon as it is free, and answers visitors on it. Arguments: seconds, ports.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;

my ($seconds, @ports) = @ARGV;
my %taken;
my $sockets = IO::Select->new;
my $end = time + $seconds;
while (time < $end) {
    for my $port (grep { !$taken{$_} } @ports) {
        my $socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $port, Listen => 64, ReuseAddr => 1) or next;
        $taken{$port} = $socket;
        $sockets->add($socket);
    }
    for my $socket ($sockets->can_read(0.002)) {
        my $visitor = $socket->accept or next;
        sysread $visitor, my $request, 4096;
        print $visitor "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nstolen";
    }
}
