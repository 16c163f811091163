#!/bin/sh
# Writes what a fleet keeps secret: the broker's certificate and its authority, the passwords of its two users, and the key that signs
# what the controller says. Usage: sh deploy/secrets.sh FOLDER HOST...   (the names by which the broker is reached)
set -eu
[ $# -ge 2 ] || { echo 'usage: sh deploy/secrets.sh FOLDER HOST...' >&2; exit 2; }
folder=$1
shift
[ ! -e "$folder/fleet.env" ] || { echo "error: $folder/fleet.env exists; remove the folder to make new secrets" >&2; exit 2; }
umask 077
mkdir -p "$folder"
cd "$folder"

names=$(printf 'DNS:%s,' "$@")
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj '/CN=assay fleet' \
  -addext 'keyUsage=critical,keyCertSign' -keyout ca.key -out ca.crt 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout tls.key -out tls.csr 2>/dev/null
printf 'subjectAltName=%sIP:127.0.0.1\n' "$names" > tls.ext
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile tls.ext -out tls.crt 2>/dev/null
rm tls.csr tls.ext ca.key ca.srl

password=$(openssl rand -hex 24)
hash=$(printf %s "$password" | openssl dgst -sha256 -r | cut -d' ' -f1)
least='~assay:* resetchannels -@all +@read +@write +@connection +@transaction +@scripting +time -@dangerous +info'
{
  echo 'user default off'
  echo "user agent on #$hash $least"
  echo "user controller on #$hash $least"
} > users.acl
{
  echo "ASSAY_FLEET_PASSWORD=$password"
  echo "ASSAY_FLEET_KEY=$(openssl rand -hex 32)"
} > fleet.env
# The broker runs as another user.
chmod 644 users.acl ca.crt tls.crt tls.key
chmod 755 .
