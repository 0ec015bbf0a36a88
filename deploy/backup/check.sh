#!/usr/bin/env bash
# Fails, and says why, unless PostgreSQL archives its WAL now and the newest backup is recent: check.sh [--verify]
# --verify also compares every file of the repository with its checksum, which reads all of it. Run it as the user postgres, from a
# timer or a monitoring agent. BACKUP_AGE_HOURS_MAX: default 26, for a backup each day.
set -euo pipefail

fail() {
  echo "check.sh: $1" >&2
  exit 1
}

repository() {
  pgbackrest --stanza=creator-search "$@"
}

hours=${BACKUP_AGE_HOURS_MAX:-26}
info=$(repository --output=json info)
newest=$(grep -oE '"stop":[0-9]+' <<< "$info" | cut -d : -f 2 | sort -n | tail -n 1) \
  || fail "there is no backup: $(repository info | tail -n +2 | xargs)"
age=$((($(date +%s) - newest) / 3600))
[ "$age" -lt "$hours" ] || fail "the newest backup is $age hours old"
# Pages whose checksum was wrong, where the cluster has checksums.
! grep -q '"error":true' <<< "$info" || fail "a backup has damaged pages: pgbackrest --stanza=creator-search info --set LABEL"
# PostgreSQL is made to switch to a new WAL file, and the old one has to arrive.
repository check
if [ "${1:-}" = --verify ]; then
  # Its exit status is 0 whatever it finds.
  found=$(repository --output=text verify)
  ! grep -q 'status: error' <<< "$found" || fail "the repository is damaged: $found"
fi
echo "The newest backup is $age hours old, and WAL is archived."
