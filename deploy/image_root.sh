#!/usr/bin/env bash
# deploy/image_root.sh: lays out the root of the image: one stripped program, the
# shared libraries it loads at the paths it expects, and a passwd with the user.
#
#   image_root.sh PROGRAM DIRECTORY
set -euo pipefail
program=$1 root=$2

mkdir -p "$root/etc" "$root/tmp"
chmod 1777 "$root/tmp"
strip -o "$root/$(basename "$program")" "$program"
# ldd prints "name => /path (address)" and, for the loader, "/path (address)".
ldd "$program" | grep -oE '/[^ ]+' | sort -u | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  # Follows the link to the file; a stripped copy is what Debian ships already.
  cp -L "$library" "$root$library"
done
echo 'kiln:x:65532:65532:kiln:/:/nonexistent' >"$root/etc/passwd"
echo 'kiln:x:65532:' >"$root/etc/group"
du -sm "$root" | sed 's/\t.*/ MB in the image/'
