"""Runs one command as a job of its terminal, as a shell does: in the foreground or the background.

Says on descriptor 3 when the job stops and how it ends; `fg` there makes a stopped job go on.
"""

import fcntl
import os
import signal
import sys
import termios

where, *command = sys.argv[1:]

fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # it is started as the leader of a session
signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # the shell sets the foreground from behind
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    if where == "foreground":
        os.tcsetpgrp(0, os.getpid())
    os.close(3)
    for number in (signal.SIGTTOU, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)

while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        os.write(3, f"ended {os.waitstatus_to_exitcode(status)}\n".encode())
        break
    os.tcsetpgrp(0, os.getpgrp())
    os.write(3, f"stopped {signal.Signals(os.WSTOPSIG(status)).name}\n".encode())
    if os.read(3, 9) != b"fg\n":
        os.killpg(job, signal.SIGKILL)
    os.tcsetpgrp(0, job)
    os.killpg(job, signal.SIGCONT)
