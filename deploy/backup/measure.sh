#!/usr/bin/env bash
# Prints what the alerts about backups and the certificate need, for node_exporter's directory of text files:
# measure.sh [FILE]. FILE: changed at the last successful restore test. PUBLIC_URL: whose certificate is looked at, if it has one.
set -euo pipefail

gauge() {
  printf '# HELP creator_search_%s %s\n# TYPE creator_search_%s gauge\ncreator_search_%s %s\n' "$1" "$2" "$1" "$1" "$3"
}

info=$(pgbackrest --stanza=creator-search --output=json info || true)
newest=$(grep -oE '"stop":[0-9]+' <<< "$info" | cut -d : -f 2 | sort -n | tail -n 1) || newest=0
gauge backup_newest_timestamp_seconds 'End of the newest base backup; 0: there is none.' "$newest"

tested=0
if [ -e "${1:-}" ]; then tested=$(stat --format=%Y "$1"); fi
gauge backup_restored_timestamp_seconds 'Last successful test of a restore; 0: there was none.' "$tested"

local=1
if [ -n "${BACKUP_S3_BUCKET:-}${BACKUP_SFTP_HOST:-}" ] \
  || grep -rqsE '^repo[0-9]+-(type=(s3|sftp|azure|gcs)|host=)' /etc/pgbackrest; then local=0; fi
gauge backup_is_local 'Whether the only repository is on this machine.' $local

if [[ "${PUBLIC_URL:-}" =~ ^https://([^/:]+)(:([0-9]+))? ]]; then
  host=${BASH_REMATCH[1]} port=${BASH_REMATCH[3]:-443}
  ends=$(timeout 10 openssl s_client -connect "$host:$port" -servername "$host" < /dev/null 2> /dev/null \
    | openssl x509 -noout -enddate 2> /dev/null | cut -d = -f 2) || ends=
  # What doesn't answer has no certificate that expires.
  if [ -n "$ends" ]; then
    gauge certificate_expiry_timestamp_seconds 'When the certificate of PUBLIC_URL expires.' "$(date --date="$ends" +%s)"
  fi
fi
