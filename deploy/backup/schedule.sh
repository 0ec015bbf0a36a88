#!/usr/bin/env bash
# For the container `backup`: backs up once a day, tests a restore once a week, and writes metrics, for as long as it runs; elsewhere a
# timer does that. Each hour it looks whether something is due, so what was missed or has failed is done soon.
set -euo pipefail
here=$(dirname "$0")
metrics=/var/lib/metrics

repository() {
  pgbackrest --stanza=creator-search --log-level-console=info "$@"
}

# In the background, so that SIGTERM ends it at once.
trap 'exit 0' TERM
wait_for() {
  sleep "$1" &
  wait $!
}

measure() {
  "$here/measure.sh" $metrics/restored > $metrics/.new
  chmod 644 $metrics/.new
  mv $metrics/.new $metrics/creator-search.prom
}

if [ -z "${BACKUP_S3_BUCKET:-}${BACKUP_SFTP_HOST:-}" ]; then
  echo 'WARNING: backups are on this machine only, and are lost with it: set BACKUP_S3_BUCKET or BACKUP_SFTP_HOST (docs/operations/backup.md)'
fi
until repository stanza-create; do
  measure
  wait_for 10
done
while :; do
  # Full on Sundays, and the first time; else what has changed since the last full one.
  if [ "$(date +%u)" = 7 ]; then type=full; else type=diff; fi
  BACKUP_AGE_HOURS_MAX=23 "$here/check.sh" || repository --type=$type backup || true
  if [ -z "$(find $metrics/restored -mtime -7 2> /dev/null)" ]; then
    if "$here/check-restore.sh" /var/lib/restored; then touch $metrics/restored; fi
  fi
  for _ in {1..12}; do
    measure
    wait_for 300
  done
done
