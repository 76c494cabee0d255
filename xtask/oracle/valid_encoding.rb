STDIN.each_line { |line| puts [line.delete(" \n")].pack("H*").force_encoding("UTF-8").valid_encoding? ? 1 : 0 }
