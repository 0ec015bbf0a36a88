#!/usr/bin/env bash
# Makes the secrets of docker-compose.yml in deploy/compose/secrets, once: what is there already stays.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p secrets
# Nobody else enters the directory; the files themselves are read by the users of the containers.
chmod 700 secrets

secret() {
  [ -s "secrets/$1" ] || openssl rand -hex 24 > "secrets/$1"
}

content() {
  [ -s "secrets/$1" ] || cat > "secrets/$1"
}

for name in admin_token postgres_password catalog_database_password billing_database_password \
  gateway_redis_password catalog_redis_password billing_redis_password health_redis_password; do
  secret "$name"
done

for service in catalog billing; do
  content "${service}_database_url" <<< "postgres://$service:$(cat "secrets/${service}_database_password")@postgres:5432/$service"
done
for service in gateway catalog billing; do
  content "${service}_redis_url" <<< "redis://$service:$(cat "secrets/${service}_redis_password")@redis:6379"
done

hash() {
  printf '%s' "$(cat "secrets/$1_redis_password")" | openssl dgst -sha256 -r | cut -d ' ' -f 1
}

# What each service does, and no more: scripts run with the rights of whoever sends them.
every='-@all +ping +hello +auth +info +select +client|setname +time +eval +evalsha'
server="+blmpop +llen +spublish +ssubscribe +sunsubscribe +zadd +zremrangebyscore +pexpire +quit"
client="+zcount +llen +lpush +ssubscribe +sunsubscribe"
content redis_users <<ACL
user default off
user health on #$(hash health) resetkeys resetchannels -@all +ping
user gateway on #$(hash gateway) resetkeys resetchannels ~rpc:{catalog}:* ~rpc:{billing}:* ~rate-limit:* &rpc:reply:* &rpc:broadcast:* $every $client +lrange +ltrim +pexpire +quit
user catalog on #$(hash catalog) resetkeys resetchannels ~rpc:{catalog}:* &rpc:reply:* &rpc:broadcast:* $every $server
user billing on #$(hash billing) resetkeys resetchannels ~rpc:{billing}:* &rpc:reply:* &rpc:broadcast:* $every $server
ACL
chmod 444 secrets/*
echo 'The secrets are in deploy/compose/secrets.'
