"""Calls a method with metadata of each size, then without, and prints the codes of both."""
import sys

import grpc

address, method, *sizes = sys.argv[1:]
with grpc.insecure_channel(address) as channel:
    call = channel.unary_unary(method)

    def code(*metadata):
        try:
            call(b"", timeout=120, metadata=metadata, wait_for_ready=True)
            return "OK"
        except grpc.RpcError as error:
            return error.code().name

    for size in sizes:
        print(f"{size} {code(('x-large', 'x' * int(size)))}, then {code()}")
