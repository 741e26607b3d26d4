# Sourced by `hocket` if something is missing. Installs the packages of the command's groups in packages.txt,
# and the Python packages of requirements.lock.
#
# `hocket` sets: root, venv, group, groups, say(), stop(), current(), ready(), start(). The first network request
# is made once and with short timeouts, so that a missing network is reported within seconds.

# shellcheck shell=sh disable=SC2154

# Prints the name of a Python 3.11 or later that can create environments.
find_python() {
  for candidate in python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' \
      >/dev/null 2>&1; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# Succeeds if the content of a package is installed.
found() {
  case $1 in
    python:*) find_python >/dev/null ;;
    /*)
      for file in $1; do # unquoted: the list may contain *
        [ -e "$file" ] && return 0
      done
      return 1
      ;;
    *) command -v -- "$1" >/dev/null 2>&1 ;;
  esac
}

# Prints, of NAME|OTHER, the first that apt's sources have, as far as apt knows. Otherwise the first.
first_known() {
  case $1 in *"|"*) ;; *) printf '%s\n' "$1" && return ;; esac
  for name in $(printf '%s\n' "$1" | tr '|' ' '); do
    ! apt-cache --quiet --no-all-versions show "$name" >/dev/null 2>&1 || { printf '%s\n' "$name" && return; }
  done
  printf '%s\n' "${1%%|*}"
}

# Sets `missing` (package names) and `reasons` (one line each) from the package list.
look_for_packages() {
  missing=
  reasons=
  while read -r of_group package probe why; do
    case " $groups " in
      *" $of_group "*) ;;
      *) continue ;;
    esac
    case "$missing " in *" $package "*) continue ;; esac # two groups may list one package
    if ! found "$probe"; then
      package=$(first_known "$package")
      missing="$missing $package"
      reasons="$reasons
  $package: $why"
    fi
  done <"$root/tools/packages.txt"
  missing=${missing# }
}

# Prints an administrator's command in the form in which the user can type it on this system.
as_administrator() {
  if [ "$(id -u)" = 0 ]; then
    printf '%s\n' "$1"
  elif command -v sudo >/dev/null 2>&1; then
    printf "sudo sh -c '%s'\n" "$1"
  else # -l: dpkg needs the administrator's PATH
    printf "su -l -c '%s'\n" "$1"
  fi
}

# Prints the command that installs packages.
installation() {
  as_administrator "apt-get update && apt-get install --yes --no-install-recommends $*"
}

# Replaces `hocket doctor` if its Python environment cannot be created: the same list, without versions. Checks the
# packages of all groups.
report_packages() {
  printf 'hocket in %s, without a Python environment so far\n' "$root"
  row='%-7s  %-30s  %-22s  %s\n'
  # shellcheck disable=SC2059  # one format for all rows
  printf "$row" '' package 'needed by' why
  sed -n 's/^#: *\([a-z0-9]*\) */\1 /p' "$root/tools/packages.txt" >"$log"
  while read -r of_group needed_by; do
    while read -r its_group package probe why; do
      [ "$its_group" = "$of_group" ] || continue
      state=ok
      found "$probe" || state=MISSING
      # shellcheck disable=SC2059
      printf "$row" "$state" "${package%%|*}" "$needed_by" "$why"
    done <"$root/tools/packages.txt"
  done <"$log"
  while read -r groups needed_by; do
    look_for_packages
    [ -z "$missing" ] || printf 'for %s, run: %s\n' "$needed_by" "$(installation "$missing")"
  done <"$log"
}

# Ends the set-up with an error. For `hocket doctor` it first reports the packages.
fail() {
  [ "$verb" != doctor ] || report_packages
  stop "$@"
}

# Runs a command silently. Its output goes to a log. The end of the log is shown if the command fails.
quietly() {
  "$@" >"$log" 2>&1 && return 0
  tail -n 25 -- "$log" >&2
  return 1
}

# The resolver gives up after this time if no name server answers (see resolv.conf(5)).
short_waits='RES_OPTIONS=timeout:2 attempts:1'

no_network() { # cause, command to run by hand
  fail "there is no network" "$1" "connect this computer and run hocket again; by hand: $2"
}

# Refreshes apt's package lists, with a single attempt. The installation itself retries.
refresh_lists() { # command prefix for root, command to run by hand
  # shellcheck disable=SC2086  # nothing, or two words
  if ! $1 env LC_ALL=C "$short_waits" apt-get update -o APT::Update::Error-Mode=any -o Acquire::Retries=0 \
    -o Acquire::http::Timeout=4 -o Acquire::https::Timeout=4 >"$log" 2>&1; then
    if grep -q '^Err:' "$log" && ! grep -qE '^(Get|Hit):' "$log"; then
      no_network "no source of packages answers apt-get:$(sed -n '/^Err:/{n;p;q;}' "$log")" "$2"
    fi
    tail -n 25 -- "$log" >&2
    say "the package lists could not be refreshed; going on with the old ones"
  fi
}

install_packages() {
  look_for_packages
  [ -n "$missing" ] || return 0
  [ "$verb" != doctor ] || return 0 # doctor reports what is missing
  say "these packages are missing:$reasons"
  by_hand=$(installation "$missing")
  if ! command -v apt-get >/dev/null 2>&1; then
    stop "cannot install packages on this system" "there is no apt-get: Hocket installs by itself on Debian and Ubuntu only" \
      "install what is named above with this system's own tool, then run hocket again"
  fi
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
  else
    stop "packages must be installed first" "that needs the administrator's rights" \
      "run: $by_hand"
  fi
  say "installing them with apt-get (this takes a few minutes once)"
  refresh_lists "$as_root" "$by_hand"
  # Container images exclude documentation, to which the stock sketches belong.
  # shellcheck disable=SC2086  # a list of words
  quietly $as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    -o 'Dpkg::Options::=--path-include=/usr/share/doc/arduino/*' $missing ||
    stop "apt-get could not install: $missing" "the last lines of apt-get are above" \
      "fix what it says, or run: $by_hand"
  look_for_packages
  [ -z "$missing" ] ||
    stop "still missing after the installation: $missing" "the packages of this release of the system do not bring them" \
      "use Debian 12 or later, or Ubuntu 24.04 or later"
}

no_python() {
  needs="Hocket needs Python 3.11 or later with the module venv"
  if other=$(python3 -c 'import sys; sys.exit(print(sys.version.split()[0]) or sys.version_info >= (3, 11))' 2>/dev/null); then
    fail "the Python of this system is too old: $other" "$needs" "use Debian 12 or later, or Ubuntu 24.04 or later"
  fi
  fail "no usable Python was found" "$needs" "run: $(installation python3-venv)"
}

install_python_packages() {
  python=$(find_python) || no_python
  # The environment is kept if it works and its Python still exists. Otherwise it is created again.
  if ! "$venv/bin/python" -c 'import pip' >/dev/null 2>&1; then
    say "making a Python environment in .venv"
    quietly "$python" -m venv --clear "$venv" ||
      fail "cannot make the Python environment $venv" "the last lines of '$python -m venv' are above" \
        "fix what they say and run hocket again"
  fi
  # The lock has three parts: small, all and test. Each adds to the ones before. Files are checked by their hashes.
  lock=$root/tools/requirements.lock
  case $group in
    small) kind=small && until='/^# all$/' ;;
    test) kind=test && until='$' ;;
    *) kind=all && until='/^# test$/' ;;
  esac
  sed "1,${until}!d" "$lock" >"$venv/.hocket-lock-$kind"
  sed '/==/!d; q' "$lock" >"$venv/.hocket-lock-first"
  set -- --require-hashes -r "$venv/.hocket-lock-$kind"
  wanted=$(cksum <"$venv/.hocket-lock-$kind")
  installed=$venv/.hocket-python-$kind
  [ "$(cat "$installed" 2>/dev/null)" != "$wanted" ] || return 0
  say "installing the Python packages of tools/requirements.lock into .venv"
  # Installs the first package alone, with one retry: pip takes half a minute to detect a missing network.
  pip="$venv/bin/python -m pip install"
  if ! env "$short_waits" "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --quiet \
    --no-deps --retries 1 --timeout 5 --require-hashes -r "$venv/.hocket-lock-first" >"$log" 2>&1; then
    ! grep -qE 'NewConnectionError|NameResolutionError|ProxyError|(Connect|Read)Timeout' "$log" ||
      no_network "no index of Python packages answers pip" "$pip$(printf ' %s' "$@")"
    tail -n 25 -- "$log" >&2
    fail "the Python packages could not be installed" "the last lines of pip are above" \
      "fix what they say, then run hocket again; by hand: $pip$(printf ' %s' "$@")"
  fi
  quietly "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --quiet "$@" ||
    fail "the Python packages could not be installed" "the last lines of pip are above" \
      "check the network, then run hocket again"
  echo "$wanted" >"$installed"
}

mkdir -p -- "$root/build" "$venv" 2>/dev/null && [ -w "$root/build" ] && [ -w "$venv" ] ||
  stop "cannot set Hocket up in $root" "this folder cannot be written" \
    "run hocket once as its owner, or copy the project to a folder of your own"
log=$root/build/setup-$group.log
verb=${1-}

# Only one set-up runs at a time. After the wait another one may have installed everything.
if command -v flock >/dev/null 2>&1; then
  exec 9>"$root/build/setup.lock"
  flock -n 9 || { say "waiting for another hocket that is setting up"; flock 9; }
  if ready "$venv/.hocket-$group"; then
    exec 9>&-
    start "$@"
  fi
fi
install_packages
install_python_packages
if [ -z "$missing" ]; then
  # Every group includes what the small commands need.
  for of in "$group" $([ "$group" = small ] || echo small any); do current >"$venv/.hocket-$of"; done
  say "set up: all that this command needs is installed"
fi
exec 9>&-
start "$@"
