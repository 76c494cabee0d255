<?php while (($line = fgets(STDIN)) !== false) echo @iconv('UTF-8', 'UTF-32LE', hex2bin(str_replace([' ', "\n"], '', $line))) !== false ? 1 : 0, "\n";
