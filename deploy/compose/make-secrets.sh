#!/usr/bin/env bash
# Creates the secrets of docker-compose.yml, once: existing ones are kept. make-secrets.sh [DIRECTORY]
# Without a directory: deploy/compose/secrets. POSTGRES_ADDRESS and REDIS_ADDRESS: where these are, if not in the compose file.
set -euo pipefail

# The oldest version that was tried: others read docker-compose.yml differently. Elsewhere than in its directory, secrets are not for it.
needed=2.26.0
if [ $# = 0 ]; then
  found=$(docker compose version --short 2> /dev/null || true)
  if [ "$(printf '%s\n' "$needed" "${found#v}" | sort -V | head -n 1)" != "$needed" ]; then
    {
      echo "This needs Docker Compose $needed or later; here is ${found:-none}."
      echo "Install Docker from its own packages, which have it: https://docs.docker.com/engine/install/"
      echo "then run this again. (Nothing has been written.)"
    } >&2
    exit 1
  fi
fi

postgres=${POSTGRES_ADDRESS:-postgres:5432}
redis=${REDIS_ADDRESS:-redis:6379}
directory=${1:-$(dirname "$0")/secrets}
mkdir -p "$directory"
cd "$directory"
# Only the owner can enter the directory, and write the files; they are readable for the users of the containers.
chmod 700 .

secret() {
  [ -s "$1" ] || openssl rand -hex 24 > "$1"
}

content() {
  [ -s "$1" ] || cat > "$1"
}

for name in admin_token profile_tag_secret postgres_password catalog_database_password billing_database_password \
  catalog_owner_password billing_owner_password \
  gateway_redis_password website_redis_password catalog_redis_password billing_redis_password health_redis_password; do
  secret "$name"
done

for service in catalog billing; do
  content "${service}_database_url" <<< "postgres://$service:$(cat "${service}_database_password")@$postgres/$service"
  content "${service}_migration_database_url" \
    <<< "postgres://${service}_owner:$(cat "${service}_owner_password")@$postgres/$service"
done
for service in gateway website catalog billing; do
  content "${service}_redis_url" <<< "redis://$service:$(cat "${service}_redis_password")@$redis"
done

# Empty until you write into them: the URL of a mail server, the keys of an account at Stripe to sell packs by card, the client
# secret at an OpenID provider, where alerts go, and the keys of a repository of backups elsewhere.
for name in mail_url stripe_secret_key stripe_webhook_secret oidc_client_secret alerts_webhook_url watchdog_url \
  backup_s3_key_secret backup_sftp_key backup_sftp_known_hosts; do
  [ -e "$name" ] || : > "$name"
done

# Configuration of pgBackRest that only PostgreSQL's machine may read. Keep a copy of the passphrase elsewhere: without it no backup can
# be restored.
content backup_repository <<< "[global]
repo1-cipher-pass=$(openssl rand -hex 24)"

hash() {
  printf '%s' "$(cat "$1_redis_password")" | openssl dgst -sha256 -r | cut -d ' ' -f 1
}

# What each service needs, and no more: each (...) has commands for its own keys or channels, and a script has the rights of the
# user that runs it. Gateway and website push requests into queues of their own, and receive the answers to these; gateways receive
# notifications of changed keys, too. A service takes its own requests and answers on its own channels, so that it can neither read
# nor forge another's answers. Only billing announces keys.
every='resetkeys resetchannels -@all +ping +hello +auth +info +select +client|setname +time +quit'
serve='+eval +evalsha +blmpop +llen +zadd +zremrangebyscore +pexpire'
asker() {
  echo "user $1 on #$(hash "$1") $every (~rpc:{*}:replicas* ~rpc:{*}:$1:* +eval +evalsha) (~rpc:{*}:replicas* +zcount) (~rpc:{*}:$1:* +llen +lpush) (&rpc:reply:*:$1:* +ssubscribe +sunsubscribe)"
}
content redis_users <<ACL
user default off
user health on #$(hash health) resetkeys resetchannels -@all +ping
$(asker gateway) (~rate-limit:* +eval +evalsha +lrange +lpush +ltrim +pexpire) (&rpc:broadcast:* +ssubscribe +sunsubscribe)
$(asker website) (~website:limit:* +eval +evalsha +lrange +lpush +ltrim +pexpire +incr +pttl)
user catalog on #$(hash catalog) $every (~rpc:{catalog}:* $serve) (&rpc:reply:catalog:* +spublish)
user billing on #$(hash billing) $every (~rpc:{billing}:* $serve) (&rpc:reply:billing:* &rpc:broadcast:* +spublish)
ACL
chmod 644 ./*
echo "The secrets are in $directory."
