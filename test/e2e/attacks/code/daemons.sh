#!/bin/bash
# Leaves processes behind that ignore what they are asked, print without end and start others in their place.
daemon='trap "" TERM HUP INT PIPE; while :; do echo noise; setsid --fork sleep 300; sleep 0.1; done'
setsid --fork bash -c "$daemon"
setsid --fork bash -c "$daemon" > /dev/null 2>&1 < /dev/null
(trap '' HUP; (bash -c "$daemon" &))
