import sys
for line in sys.stdin:
    try:
        bytes.fromhex(line).decode("utf-8")
        print(1)
    except UnicodeDecodeError:
        print(0)
