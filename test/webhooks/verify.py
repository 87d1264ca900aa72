"""Verifies deliveries with the function of .docs/webhooks.md, whose file is named first.

Standard input has one JSON object a line: secret, headers, body. It prints true or false for each.
"""
import json, sys

exec(open(sys.argv[1]).read())
for line in sys.stdin:
    delivery = json.loads(line)
    verified = verify(delivery["secret"], delivery["headers"], delivery["body"].encode())
    print(json.dumps(verified))
