#!/usr/bin/env bash
# Prints the third-party images with the current digests of their tags, as a file to put beside docker-compose.yml:
# deploy/compose/pin-images.sh [FILE ...] > docker-compose.override.yml
# FILE: the files of COMPOSE_FILE, if there are more than docker-compose.yml.
# Run it again, and compare, whenever a tag in one of these files or in the Dockerfile changes.
set -euo pipefail
cd "$(dirname "$0")/../.."

pinned() {
  local digest
  digest=$(docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}')
  [[ $digest == sha256:* ]] || { echo "The registry returned no digest for $1." >&2; return 1; }
  printf '%s@%s' "$1" "$digest"
}

overrides='services:'
# Lines `  service:` and `    image: name`, where the name has no variable: those are our own.
while read -r service image; do
  image=$(pinned "$image")
  overrides+=$'\n'"  $service { image: '$image' }"
done < <(awk '/^  [a-z-]+:$/ { service = $1 } /^    image: [^$]+$/ { print service, $2 }' "${@:-docker-compose.yml}")

node_image=$(pinned "$(sed -n 's/^ARG NODE_IMAGE=//p' Dockerfile)")
for service in gateway website catalog billing catalog-migrate billing-migrate \
  $(awk '/^  billing-archive:$/ { print "billing-archive" }' "${@:-docker-compose.yml}"); do
  overrides+=$'\n'"  $service: { build: { args: { NODE_IMAGE: '$node_image' } } }"
done
# All or nothing: half a file would look complete.
echo "$overrides"
