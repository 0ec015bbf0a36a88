import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/*
 * A shell that waits for the end of its standard input, which comes when this process ends for any reason. Then it
 * stops what is still listed: not even a `kill -9` of a test run leaves a server behind.
 */
const script = `
trap '' INT TERM HUP QUIT
servers=
while read -r verb subject; do
  case $verb in
    watch) servers="$servers $subject" ;;
    forget)
      kept=
      for server in $servers; do [ "$server" = "$subject" ] || kept="$kept $server"; done
      servers=$kept ;;
    remove) set -- "$@" "$subject" ;;
  esac
done
for server in $servers; do kill -s "\${server#*:}" -- "\${server%%:*}" 2>/dev/null; done
tries=0
for server in $servers; do
  while kill -0 -- "\${server%%:*}" 2>/dev/null && [ $tries -lt 80 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL -- "\${server%%:*}" 2>/dev/null
done
[ $# -eq 0 ] || rm -rf -- "$@"
`;

let input: Socket | undefined;

function sendToGuardian(line: string): void {
  input ??= startGuardian();
  input.write(`${line}\n`);
}

function startGuardian(): Socket {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  if (!(child.stdin instanceof Socket)) throw new Error('the standard input of a child is not a pipe');
  child.unref();
  child.stdin.unref();
  child.stdin.on('error', () => undefined);
  return child.stdin;
}

/**
 * Sends the process, or the group -`pid`, `signal` when this process ends first. Returns the function to call once it has ended.
 */
export function guardProcess(pid: number, signal: 'TERM' | 'INT' | 'QUIT'): () => void {
  const subject = `${pid}:${signal}`;
  sendToGuardian(`watch ${subject}`);
  return () => sendToGuardian(`forget ${subject}`);
}

/** Removes the directory when this process ends. */
export function guardDirectory(path: string): void {
  sendToGuardian(`remove ${path}`);
}
