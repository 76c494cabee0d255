<?php while (($line = fgets(STDIN)) !== false) echo preg_match('//u', hex2bin(str_replace([' ', "\n"], '', $line))) === 1 ? 1 : 0, "\n";
