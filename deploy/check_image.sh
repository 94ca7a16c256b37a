#!/usr/bin/env bash
# deploy/check_image.sh: builds the Dockerfile and holds the image to its promises:
# small, no shell, any user id, read-only root, quick to serve, exits 0 on
# SIGTERM. Then it bakes through it.
#
#   check_image.sh KILN        KILN is the command line tool to bake with
#
# With a Docker engine it is docker that builds and runs. Without one, buildah
# does: the base image is made from Debian's packages with debootstrap, and the
# image runs in a chroot on a read-only bind mount. That needs root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
kiln=$PWD/$1
image=kiln:check
base=docker.io/library/debian:bookworm-slim
uid=12345            # an id that the image has never heard of
limit_mb=60
goal_mb=40
scratch=$(mktemp -d)
failed=0

fail() { echo "image: $*" >&2; failed=1; }
now_ms() { date +%s%3N; }

# ---------------------------------------------------- engine: Docker itself ---
# Each engine has the same verbs; start sets `address`, stop sets `status`.
# shellcheck disable=SC2317  # called as "${engine}_verb"
docker_build() { docker build -q -t "$image" . >/dev/null; }
docker_files() {
  local container
  container=$(docker create "$image")
  docker export "$container" | tar -t
  docker rm "$container" >/dev/null
}
docker_bytes() { docker image inspect -f '{{.Size}}' "$image"; }
docker_config() {
  docker image inspect -f '{{.Config.User}} {{json .Config.Healthcheck.Test}}' "$image"
}
docker_start() {
  container=$(docker run -d --read-only --user "$uid" --cap-drop ALL \
    --security-opt no-new-privileges -p 127.0.0.1::5456 "$image")
  address=$(docker port "$container" 5456/tcp | head -1)
}
docker_probe() { docker exec "$container" /kilnd --probe >/dev/null 2>&1; }
docker_stop() {
  docker stop "$container" >/dev/null
  status=$(docker wait "$container")
}
docker_logs() { docker logs "$container"; }
docker_clean() { [ -z "${container:-}" ] || docker rm -f "$container" >/dev/null; }

# ------------------------------------------------- engine: buildah + chroot ---
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot

buildah_base() {
  buildah inspect --type image "$base" >/dev/null 2>&1 && return
  local sources=/etc/apt/sources.list.d/debian.sources mirror
  mirror=$(sed -n 's/^URIs: *//p' "$sources" 2>/dev/null | head -1)
  echo "image: making $base with debootstrap, once"
  debootstrap --variant=minbase bookworm "$scratch/root" \
    "${mirror:-http://deb.debian.org/debian}" >"$scratch/debootstrap.log" 2>&1 ||
    { tail -20 "$scratch/debootstrap.log"; return 1; }
  # The build stage reaches the network the way this machine does.
  [ ! -f "$sources" ] || { cp "$sources" "$scratch/root$sources"
    : >"$scratch/root/etc/apt/sources.list"; }
  { grep -lsi proxy /etc/apt/apt.conf.d/* || true; } |
    xargs -r cp -t "$scratch/root/etc/apt/apt.conf.d"
  tar -C "$scratch/root" -cf "$scratch/base.tar" .
  rm -rf "$scratch/root"
  printf 'FROM scratch\nADD base.tar /\nCMD ["bash"]\n' >"$scratch/Dockerfile"
  buildah bud -q -t "$base" -f "$scratch/Dockerfile" "$scratch" >/dev/null
}
buildah_build() {
  buildah_base
  buildah bud --format docker --layers -t "$image" -f Dockerfile . \
    >build/log/image.txt 2>&1 || { tail -40 build/log/image.txt; return 1; }
  buildah_mount
}
# Mounts the image as a hardened pod would see it.
buildah_mount() {
  container=$(buildah from "$image")
  local root
  root=$(buildah mount "$container")
  view=$scratch/view
  mkdir -p "$view" "$root/proc" "$root/dev"
  mount --bind "$root" "$view"
  mount -o remount,ro,bind "$view"
  mount -t proc proc "$view/proc"
  mount --bind /dev "$view/dev"
}
buildah_files() { (cd "$view" && find . -xdev); }
buildah_bytes() { du -sbx "$view" | cut -f1; }
buildah_config() {
  buildah inspect --type image "$image" |
    jq -r '"\(.OCIv1.config.User) \(.Docker.config.Healthcheck.Test)"'
}
buildah_start() {
  address=127.0.0.1:$(free_port)
  confined=(env -i "KILN_LISTEN=$address"
    "$(command -v chroot)" --userspec="$uid:$uid" "$view" /kilnd)
  "${confined[@]}" >"$scratch/log" 2>&1 &
  server=$!
}
buildah_probe() { "${confined[@]}" --probe >/dev/null 2>&1; }
buildah_stop() {
  status=0
  kill -TERM "$server" || true
  wait "$server" || status=$?
  server=
}
buildah_logs() { cat "$scratch/log"; }
buildah_clean() {
  [ -z "${server:-}" ] || kill -KILL "$server" 2>/dev/null || true
  [ -z "${view:-}" ] || umount -l "$view/dev" "$view/proc" "$view" || true
  [ -z "${container:-}" ] || buildah rm "$container" >/dev/null
}
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# ------------------------------------------------------------------- checks ---
if docker info >/dev/null 2>&1; then engine=docker; else engine=buildah; fi
clean() { "${engine}_clean"; rm -rf --one-file-system "$scratch"; }
trap clean EXIT

echo "image: building with $engine"
mkdir -p build/log
"${engine}_build"

mb=$(("$("${engine}_bytes")" / 1000000))
echo "image: $mb MB (limit $limit_mb, goal $goal_mb)"
[ "$mb" -le "$limit_mb" ] || fail "larger than $limit_mb MB"

"${engine}_files" >"$scratch/files"
forbidden='(^|/)(sh|bash|dash|busybox|apt|apt-get|dpkg|perl|python3?)$'
if grep -E "$forbidden" "$scratch/files"; then
  fail "holds a shell or a package manager"
fi
"${engine}_config" | grep -E '^65532.*--probe' >/dev/null ||
  fail "user or health check is wrong: $("${engine}_config")"

# The probe is a process of its own, so its time is told apart.
await() {
  until "$@"; do
    [ $(($(now_ms) - begin)) -lt 10000 ] || { fail "no $1 within 10 s"; break; }
  done
}
accepts() { (exec 3<>"/dev/tcp/${address/://}") 2>/dev/null; }
begin=$(now_ms)
"${engine}_start"
await accepts
accepted=$(now_ms)
await "${engine}_probe"
echo "image: accepts connections after $((accepted - begin)) ms and was probed" \
  "healthy $(($(now_ms) - accepted)) ms later, as uid $uid on a read-only root"

"$kiln" sample --out "$scratch/sample.vox" >/dev/null
"$kiln" bake "$scratch/sample.vox" --server "$address" ||
  fail "could not bake through $address"

"${engine}_stop"
[ "$status" -eq 0 ] || fail "exited with $status on SIGTERM"
[ "$failed" -eq 0 ] || "${engine}_logs" | tail -20
exit "$failed"
