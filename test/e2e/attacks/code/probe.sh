#!/bin/bash
# Tries what takes one attempt, and prints what it came to. Arguments: the id of another project, its domain, a text on the
# command line of its process, the port of its process.
victim=$1 domain=$2 argument=$3 port=$4

# By the shell itself: another program would have the text on its own command line.
cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\0' '\n' |
  while read -r word; do [[ $word != "$argument" ]] || echo "sees a process"; done

grep -rslF --devices=skip -e "$domain" -e "projects/$victim/" /etc /run /usr/local /var/log /var/lib/longshore |
  grep -vE '^/etc/passwd-?$' | sed 's/^/reads a file: /'

perl -MIO::Socket::INET -e '
  my $process = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0], Timeout => 3) or exit;
  print $process "GET / HTTP/1.0\r\n\r\n";
  my $answer = join "", <$process>;
  print "gets an answer: ", $answer =~ /\r\n\r\n(.*)/s, "\n";
' -- "$port"

crontab - <<< '0 0 1 1 * true' > /dev/null 2>&1 && echo "has a crontab"
at now + 1 year <<< true > /dev/null 2>&1 && echo "has an at job"
loginctl enable-linger > /dev/null 2>&1 && echo "lingers"
echo "[probed]"
