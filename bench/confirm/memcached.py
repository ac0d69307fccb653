#!/usr/bin/env python3
"""memcached.py PROGRAM [SECONDS [OPTION…]]: starts memcached in the foreground, talks to it in eight connections, and ends it.

What `racerx confirm` runs to see findings of memcached happen: every command that a client can give, now and then.
"""
import random
import signal
import socket
import subprocess
import sys
import threading
import time

PORT = 21211
RARE = ["stats", "stats items", "stats slabs", "stats settings", "stats conns", "stats sizes", "flush_all 1",
        "verbosity 0", "cache_memlimit 64", "lru_crawler crawl all", "lru mode segmented", "slabs automove 1",
        "slabs reassign -1 3", "stats reset", "lru_crawler tocrawl 10", "stats detail on", "stats detail dump",
        "lru_crawler metadump all", "stats sizes_enable", "stats sizes_disable"]


def command(chance):
    key = "k%d" % chance.randrange(2000)
    what = chance.randrange(14)
    if what < 5:
        size = chance.choice([10, 900, 5000])
        return "set %s 0 %d %d\r\n%s" % (key, chance.choice([0, 1, 100]), size, "x" * size)
    if what < 8:
        return "get %s" % key
    return {8: "delete %s", 9: "incr %s 1", 10: "touch %s 10", 11: "gat 5 %s"}.get(what, chance.choice(RARE)).replace("%s", key)


def client(number, end):
    chance = random.Random(number)
    try:
        connection = socket.create_connection(("127.0.0.1", PORT))
        connection.settimeout(2)
        while time.time() < end:
            connection.sendall((command(chance) + "\r\n").encode())
            try:
                connection.recv(65536)
            except socket.timeout:
                pass
    except OSError:
        pass


def main():
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3
    program = subprocess.Popen([sys.argv[1], "-p", str(PORT), "-t", "4", "-u", "root", "-m", "8"] + sys.argv[3:])
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", PORT)).close()
            break
        except OSError:
            time.sleep(0.05)
    end = time.time() + seconds
    clients = [threading.Thread(target=client, args=(i, end)) for i in range(8)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    if program.poll() is not None:
        print("it ended by itself, status", program.returncode)
    program.send_signal(signal.SIGTERM)
    try:
        program.wait(3)
    except subprocess.TimeoutExpired:
        program.kill()


main()
