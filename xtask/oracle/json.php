<?php while (($line = fgets(STDIN)) !== false) echo json_encode(hex2bin(str_replace([' ', "\n"], '', $line))) !== false ? 1 : 0, "\n";
