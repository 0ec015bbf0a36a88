#!/bin/sh
# Writes the configuration of Alertmanager, which reads no variables itself, and starts it: alertmanager.sh [OPTION...]
#   ALERTS_TO           addresses that get each alert, separated by commas, through the service's mail server (MAIL_URL, MAIL_FROM)
#   ALERTS_WEBHOOK_URL  gets each alert as JSON (https://prometheus.io/docs/alerting/latest/configuration/#webhook_config)
#   WATCHDOG_URL        gets a request every minute or two for as long as Prometheus and Alertmanager work
# NAME_FILE is the path of a file with the value of NAME.
set -eu
# The file has passwords.
umask 077
file=${ALERTMANAGER_CONFIG:-/tmp/alertmanager.yml}

fail() {
  echo "alertmanager.sh: $1" >&2
  exit 1
}

# Sets the variable from its file, unless it has a value.
read_setting() {
  eval "value=\${$1:-}; path=\${$1_FILE:-}"
  if [ -z "$value" ] && [ -n "$path" ] && [ -r "$path" ]; then value=$(cat "$path"); fi
  case $value in *[[:cntrl:]]*) fail "$1 must be a single line" ;; esac
  eval "$1=\$value"
}
for name in ALERTS_TO ALERTS_WEBHOOK_URL WATCHDOG_URL MAIL_URL MAIL_FROM; do read_setting $name; done

# As a string of YAML.
quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}

# %40 is @.
decoded() {
  TEXT=$1 LC_ALL=C awk 'BEGIN {
    text = ENVIRON["TEXT"]; digits = "0123456789abcdef"
    while (match(text, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
      code = tolower(substr(text, RSTART + 1, 2))
      value = 16 * (index(digits, substr(code, 1, 1)) - 1) + index(digits, substr(code, 2, 1)) - 1
      printf "%s%c", substr(text, 1, RSTART - 1), value
      text = substr(text, RSTART + 3)
    }
    printf "%s", text
  }'
}

# The server in MAIL_URL: smtp[s]://[user:password@]host[:port][?requireTLS=true]
mail_server() {
  address=${MAIL_URL#*://} port=587 tls=false implicit=false
  case $MAIL_URL in
    smtp://*) ;;
    smtps://*) port=465 implicit=true ;;
    *) fail "ALERTS_TO needs a mail server: MAIL_URL must be smtp://... or smtps://..." ;;
  esac
  [ -n "$MAIL_FROM" ] || fail "ALERTS_TO needs a sender: MAIL_FROM is not set"
  case $address in *\?requireTLS=true) tls=true ;; esac
  address=${address%%[/?]*}
  host=${address##*@}
  case ${host##*]} in *:*) port=${host##*:} host=${host%:*} ;; esac
  echo "  smtp_smarthost: $(quoted "$host:$port")"
  echo "  smtp_from: $(quoted "$MAIL_FROM")"
  case $address in
    *@*)
      login=${address%@*}
      echo "  smtp_auth_username: $(quoted "$(decoded "${login%%:*}")")"
      echo "  smtp_auth_password: $(quoted "$(decoded "${login#*:}")")"
      # A password is never sent in plain text.
      tls=true
      ;;
  esac
  if [ $implicit = true ]; then
    tls=false
    # Port 465 is always so, also in versions that don't know this setting.
    [ "$port" = 465 ] || echo "  smtp_force_implicit_tls: true"
  fi
  echo "  smtp_require_tls: $tls"
}

# The routes of a channel. Its receiver is named after where alerts arrive: `alerts test` shows that.
channel() {
  cat << YAML
    - receiver: $(quoted "$1")
      continue: true
      routes:
        - { matchers: ['alertname="TestAlert"'], group_by: ['...'], group_wait: 0s, group_interval: 10s }
        - { matchers: ['severity="ticket"'], repeat_interval: 1d }
        - { matchers: ['severity="info"'], repeat_interval: 7d }
YAML
}

mail="mail to $ALERTS_TO"
# Without its path, which is often a secret.
webhook="webhook at $(printf %s "$ALERTS_WEBHOOK_URL" | sed 's|^\([a-z]*://\)\([^/?]*@\)\{0,1\}\([^/?]*\).*|\3|')"
# In a subshell, `fail` would end only that.
server=
[ -z "$ALERTS_TO" ] || server=$(mail_server)

{
  [ -z "$server" ] || printf 'global:\n%s\n' "$server"
  cat << 'YAML'
route:
  receiver: none
  group_by: [alertname]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 4h
  routes:
    - matchers: ['alertname="Watchdog"']
      receiver: watchdog
      group_wait: 0s
      group_interval: 1m
      repeat_interval: 50s
YAML
  [ -z "$ALERTS_TO" ] || channel "$mail"
  [ -z "$ALERTS_WEBHOOK_URL" ] || channel "$webhook"
  cat << YAML
receivers:
  - name: none
  - name: watchdog
YAML
  [ -z "$WATCHDOG_URL" ] || echo "    webhook_configs: [{ url: $(quoted "$WATCHDOG_URL"), send_resolved: false }]"
  if [ -n "$ALERTS_TO" ]; then
    cat << YAML
  - name: $(quoted "$mail")
    email_configs:
      - to: $(quoted "$ALERTS_TO")
YAML
    cat << 'YAML'
        send_resolved: true
        headers:
          Subject: '{{ if eq .Status "resolved" }}Ended{{ else }}Alert{{ with .CommonLabels.severity }} ({{ . }}){{ end }}{{ end }}: {{ .GroupLabels.alertname }}'
        html: ''
        text: |
          {{ range .Alerts }}{{ if eq .Status "resolved" }}Ended: {{ end }}{{ .Annotations.summary }}
          Since {{ .StartsAt.UTC.Format "2006-01-02 15:04:05 UTC" }}. What to do: {{ .Annotations.runbook }}
          {{ range .Labels.SortedPairs }}{{ .Name }}={{ .Value }} {{ end }}

          {{ end }}
YAML
  fi
  if [ -n "$ALERTS_WEBHOOK_URL" ]; then
    cat << YAML
  - name: $(quoted "$webhook")
    webhook_configs: [{ url: $(quoted "$ALERTS_WEBHOOK_URL"), send_resolved: true }]
YAML
  fi
} > "$file"

[ -n "$ALERTS_TO$ALERTS_WEBHOOK_URL" ] || echo 'alertmanager.sh: WARNING: alerts are not sent anywhere: set ALERTS_TO or ALERTS_WEBHOOK_URL' >&2
[ -n "$WATCHDOG_URL" ] || echo 'alertmanager.sh: WARNING: the loss of this machine goes unnoticed: set WATCHDOG_URL' >&2
exec "${ALERTMANAGER:-alertmanager}" --config.file="$file" "$@"
