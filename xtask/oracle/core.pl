no warnings;
while (<STDIN>) { s/\s//g; my $b = pack("H*", $_); my $plain = $b !~ /[^\x00-\x7f]/; print utf8::decode($b) || $plain ? 1 : 0, "\n" }
