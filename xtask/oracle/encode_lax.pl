use Encode;
no warnings;
while (<STDIN>) { s/\s//g; my $b = pack("H*", $_); print eval { decode("utf8", $b, Encode::FB_CROAK); 1 } ? 1 : 0, "\n" }
