#!/usr/bin/env python3
"""redis.py PROGRAM [SECONDS]: starts redis with four I/O threads, talks to it in eight connections, and ends it."""
import random
import socket
import subprocess
import sys
import threading
import time

PORT = 21212
WORDS = ["SET k%d x", "GET k%d", "INCR n%d", "LPUSH l%d a b c", "LRANGE l%d 0 -1", "DEL k%d", "HSET h%d f v", "HGETALL h%d",
         "EXPIRE k%d 1", "UNLINK l%d", "INFO", "CONFIG SET maxmemory 10mb", "BGSAVE", "FLUSHALL ASYNC", "MEMORY STATS"]


def client(number, end):
    chance = random.Random(number)
    try:
        connection = socket.create_connection(("127.0.0.1", PORT))
        connection.settimeout(2)
        while time.time() < end:
            words = [chance.choice(WORDS if chance.random() < 0.1 else WORDS[:10]) for _ in range(20)]
            text = "".join((word % chance.randrange(50) if "%d" in word else word) + "\r\n" for word in words)
            connection.sendall(text.encode())
            try:
                connection.recv(1 << 20)
            except socket.timeout:
                pass
    except OSError:
        pass


def main():
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2
    program = subprocess.Popen([sys.argv[1], "--port", str(PORT), "--io-threads", "4", "--io-threads-do-reads", "yes", "--save", "",
                                "--dbfilename", "racerx-test.rdb", "--dir", "/tmp"])
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
    program.terminate()
    try:
        program.wait(10)
    except subprocess.TimeoutExpired:
        program.kill()


main()
