#!/usr/bin/env python3
"""icecast.py TREE [SECONDS]: starts TREE/src/icecast, with sources, listeners and an administrator, and ends it.

What `racerx confirm` runs to see findings of icecast2 happen. Icecast does not run as root, so neither should this.
"""
import base64
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PORT = 28000
SETTINGS = """<icecast>
 <limits><clients>100</clients><sources>10</sources><queue-size>102400</queue-size><source-timeout>2</source-timeout>
  <burst-size>1000</burst-size></limits>
 <authentication><source-password>secret</source-password><relay-password>secret</relay-password>
  <admin-user>admin</admin-user><admin-password>secret</admin-password></authentication>
 <hostname>localhost</hostname><listen-socket><port>%d</port></listen-socket>
 <mount type="normal"><mount-name>/a</mount-name><fallback-mount>/b</fallback-mount>
  <fallback-override>1</fallback-override></mount>
 <fileserve>1</fileserve>
 <paths><basedir>%s</basedir><logdir>%s</logdir><webroot>%s/web</webroot><adminroot>%s/admin</adminroot></paths>
 <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>4</loglevel>
  <logsize>100</logsize></logging>
</icecast>"""
ADMIN = ["/admin/stats", "/admin/listclients?mount=/a", "/admin/listclients?mount=/b", "/admin/listmounts",
         "/admin/metadata?mount=/a&mode=updinfo&song=one", "/admin/metadata?mount=/b&mode=updinfo&song=two",
         "/admin/killsource?mount=/b", "/admin/moveclients?mount=/a&destination=/b",
         "/admin/fallbacks?mount=/a&fallback=/b", "/status.xsl", "/icecast.png"]


def connect():
    connection = socket.create_connection(("127.0.0.1", PORT))
    connection.settimeout(1)
    return connection


def head(line, user, *more):
    lines = [line + " HTTP/1.0", "Icy-MetaData: 1", *more]
    if user:
        lines.append("Authorization: Basic " + base64.b64encode((user + ":secret").encode()).decode())
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def fetch(path, user, seconds):
    connection = connect()
    connection.sendall(head("GET " + path, user))
    end = time.time() + seconds
    while connection.recv(4096) and time.time() < end:
        pass
    connection.close()


def source(chance, end):
    connection = connect()
    connection.sendall(head("SOURCE " + chance.choice(["/a", "/b"]), "source", "Content-Type: audio/mpeg", "ice-public: 0"))
    stop = min(end, time.time() + chance.choice([0.2, 0.5, 1]))
    while time.time() < stop:
        connection.sendall(os.urandom(2000))
        time.sleep(0.005)
    connection.close()


def listener(chance, end):
    fetch(chance.choice(["/a", "/b"]), None, chance.choice([0.05, 0.2, 0.6]))


def admin(chance, end):
    fetch(chance.choice(ADMIN), "admin", 0)


def repeat(what, number, end):
    chance = random.Random(number)
    while time.time() < end:
        try:
            what(chance, end)
        except OSError:
            time.sleep(0.02)


def main():
    tree = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as place:
        with open(place + "/icecast.xml", "w") as out:
            out.write(SETTINGS % (PORT, tree, place, tree, tree))
        program = subprocess.Popen([tree + "/src/icecast", "-c", place + "/icecast.xml"])
        time.sleep(0.3)
        end = time.time() + seconds
        users = [threading.Thread(target=repeat, args=(what, i, end))
                 for i, what in enumerate([source] * 3 + [listener] * 6 + [admin] * 3)]
        for thread in users:
            thread.start()
        time.sleep(1)
        program.send_signal(signal.SIGHUP)
        for thread in users:
            thread.join()
        if program.poll() is not None:
            print("it ended by itself, status", program.returncode)
        program.send_signal(signal.SIGTERM)
        try:
            program.wait(4)
        except subprocess.TimeoutExpired:
            program.kill()


main()
