#!/usr/bin/env bash
# Restores what is in the repository into a new directory, starts PostgreSQL there, reads every row of both databases, and removes
# it again: check-restore.sh DIRECTORY. Run it as the user postgres. Fails, and says why, unless everything that was committed when
# it began came back. DIRECTORY needs as much space as the databases.
set -euo pipefail

fail() {
  echo "check-restore.sh: $1" >&2
  exit 1
}

# query DATABASE STATEMENT [OPTION...]
query() {
  psql --no-psqlrc --no-align --tuples-only --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2" "${@:3}"
}

parent=${1:?name a directory: check-restore.sh DIRECTORY}
data=$parent/restored
control() { PATH=$PATH:/usr/lib/postgresql/$(cat "$data/PG_VERSION")/bin pg_ctl -D "$data" "$@"; }
run=$(mktemp -d)
clean_up() {
  if [ -e "$data/postmaster.pid" ]; then control --mode=immediate stop > /dev/null || true; fi
  rm -rf "$data" "$run"
}
trap clean_up EXIT
rm -rf "$data"
mkdir --mode=700 "$data"

size=$(query postgres 'SELECT sum(pg_database_size(oid)) * 1.1 FROM pg_database')
free=$(df --block-size=1 --output=avail "$parent" | tail -n 1)
[ "${size%.*}" -lt "$free" ] || fail "not enough space in $parent for ${size%.*} bytes"

position=$(query postgres 'SELECT pg_current_wal_lsn()')
# Archives the WAL up to here.
pgbackrest --stanza=creator-search check
pgbackrest --stanza=creator-search --pg1-path="$data" --archive-mode=off restore

# A small server that only this script reaches, with a configuration of its own: that of the restored one may be anywhere.
cat > "$run/postgresql.conf" << CONF
data_directory = '$data'
hba_file = '$run/pg_hba.conf'
listen_addresses = ''
unix_socket_directories = '$run'
port = 5432
shared_buffers = 64MB
archive_mode = off
fsync = off
# Connections are possible once everything was applied, not before.
hot_standby = off
CONF
echo 'local all all trust' > "$run/pg_hba.conf"
control --log="$run/log" --options="-c config_file=$run/postgresql.conf" start > /dev/null \
  || fail "PostgreSQL does not start: $(tail -n 20 "$run/log")"
restored=(--host="$run" --port=5432 --username=postgres)
until pg_isready --quiet "${restored[@]}"; do
  control status > /dev/null || fail "PostgreSQL ended: $(tail -n 20 "$run/log")"
  sleep 1
done
[ "$(query postgres "SELECT pg_current_wal_lsn() >= '$position'" "${restored[@]}")" = t ] \
  || fail "what was committed last is missing: $(tail -n 20 "$run/log")"
for database in catalog billing; do pg_dump "${restored[@]}" --file=/dev/null "$database"; done
creators=$(query catalog 'SELECT count(*) FROM creators' "${restored[@]}")
accounts=$(query billing 'SELECT count(*) FROM accounts' "${restored[@]}")
entries=$(query billing 'SELECT count(*) FROM ledger_entries' "${restored[@]}")
echo "Restored and read: $creators creators, $accounts accounts, $entries entries of the ledger."
