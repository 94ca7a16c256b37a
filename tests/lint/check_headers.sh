#!/usr/bin/env bash
# tests/lint/check_headers.sh: each header opens with its own path and guards
# itself by it: `// core/voxel/box.h` and KILN_CORE_VOXEL_BOX_H_.
#
#   check_headers.sh [ROOT]    prints each header that does not, exits 1
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

bad=0
complain() {
  echo "$1: $2"
  bad=1
}
for header in $(find core proto server client tests -name '*.h' 2>/dev/null | sort); do
  guard=KILN_$(echo "$header" | tr 'a-z/.-' 'A-Z___')_
  head -3 "$header" | grep -qF "// $header" ||
    complain "$header" "does not open with \"// $header\""
  [ "$(grep -cE "^#(ifndef|define) $guard\$" "$header")" -eq 2 ] ||
    complain "$header" "has no include guard $guard"
done
exit "$bad"
