#!/bin/busybox sh
# First process of the Linux beside: makes the usual file systems, loads the modules in their list, then
# starts the job if there is one (/hocket/job), else a shell on the console. Lines that begin with
# `hocket-linux:` are read by the tool (tools/hocket/linux/console.py).
export PATH=/usr/local/bin:/usr/bin:/usr/sbin HOME=/root TERM=linux
b=/usr/bin/busybox
$b mount -t devtmpfs dev /dev
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b --install -s # in no program's place
mkdir -p /dev/pts /dev/shm
mount -t devpts pts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
mount -t debugfs dbg /sys/kernel/debug 2>/dev/null

modules=/usr/lib/modules/$(uname -r)
for list in "$modules/order" /hocket/modules/order; do
  [ -r "$list" ] || continue
  while read -r name; do
    insmod "${list%/*}/$name.ko" || echo "hocket-linux: the module $name cannot be loaded"
  done <"$list"
done
ip link set lo up
hostname hocket
read -r up _ </proc/uptime
echo "hocket-linux: up $(uname -r) cores $(nproc) uptime $up"

end=stay
for word in $(cat /proc/cmdline); do
  case $word in hocket.end=*) end=${word#hocket.end=} ;; esac
done

if [ -e /hocket/job ]; then
  cd /hocket || exit 1
  # By the root's own shell also where it has no `#!`: this one would take busybox's programs for all others.
  [ -x job ] && set -- /bin/sh -c ./job || set -- /bin/sh ./job
  "$@" </dev/null
  status=$?
  read -r up _ </proc/uptime
  echo "hocket-linux: job ended with status $status uptime $up"
  cd /
fi
if [ "$end" = off ]; then
  sync
  poweroff -f
fi
# A shell on the console; a new one when it is left. This process also waits for orphans.
while :; do
  setsid cttyhack /bin/sh -l
  sleep 1
done
