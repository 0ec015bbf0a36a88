#!/usr/bin/env bash
# Backs up once a day for as long as it runs, for the container of deploy/compose/backup.yml; elsewhere a timer does that. Each hour it
# looks whether a backup is due, so one that was missed or has failed is made soon.
set -euo pipefail

repository() {
  pgbackrest --stanza=creator-search --log-level-console=info "$@"
}

# In the background, so that SIGTERM ends it at once.
trap 'exit 0' TERM
wait_for() {
  sleep "$1" &
  wait $!
}

until repository stanza-create; do wait_for 10; done
while :; do
  # Full on Sundays, and the first time; else what has changed since the last full one.
  if [ "$(date +%u)" = 7 ]; then type=full; else type=diff; fi
  BACKUP_AGE_HOURS_MAX=23 "$(dirname "$0")/check.sh" || repository --type=$type backup || true
  wait_for 3600
done
