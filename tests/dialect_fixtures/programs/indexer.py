"""A made-up tool that indexes a folder and tells of it in JSON lines of its own."""

import sys

START = '{"level":"info","msg":"indexer 0.3 starts","workers":2}'
ANSWERS = {
    '{"action":"scan","path":"src"}': [
        '{"type":"progress","path":"src","done":1,"of":2}',
        '{"type":"progress","path":"src","done":2,"of":2}',
        '{"level":"error","msg":"cannot read src/köln.txt","errno":13}',
        '{"type":"scanned","path":"src","files":["a.py","b.py"],"took_ms":12}',
    ],
    '{"id":1,"method":"count","params":{"glob":"*.py"}}': ['{"id":1,"result":{"files":2}}'],
    '{"id":2,"method":"forget","params":{}}': ['{"id":2,"error":"no such method: forget"}'],
    '{"seq":0,"type":"request","command":"open","arguments":{"file":"a.py"}}': [
        '{"seq":0,"type":"event","event":"busy","body":{"file":"a.py"}}',
        '{"seq":0,"type":"response","command":"open","request_seq":0,"success":true}',
    ],
    '["ping"]': ["pong (this line is no JSON)", '["pong"]'],
}

print(START, flush=True)
for line in sys.stdin:
    for answer in ANSWERS[line.rstrip("\n")]:
        print(answer, flush=True)
