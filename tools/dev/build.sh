# Sourced by the other scripts: goes on in the right environment, and offers
#
#   top           the top of the working tree
#   configure PRESET
#                 makes the build folder ready for Ninja; sets `folder` to it
#   build PRESET TARGET...
#                 configures and builds the targets
#   sources PATTERN...
#                 prints the tree's files whose name matches one of the patterns, each on a line
#
# and KA_PRESET and KA_BUILD_DIR as build-folder.sh sets them.

dev=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
top=$(cd "$dev/../.." && pwd -P)

if [ -z "${KA_ENTERED:-}" ]; then
  exec "$dev/enter" "$0" "$@"
fi

. "$dev/build-folder.sh"
mkdir -p "$KA_BUILD_DIR"

# A tree that was built before, elsewhere, is built from the cache: paths in the tree do not count.
export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1 CCACHE_ABSSTDERR=1

configure() {
  local preset=$1 environment fresh=()
  folder=$KA_BUILD_DIR/$preset
  # What CMake found in another environment is not to be believed in this one.
  environment=$(cat /etc/ka-environment 2>/dev/null || echo host)
  if [ -e "$folder/CMakeCache.txt" ] &&
    [ "$(cat "$folder/environment" 2>/dev/null)" != "$environment" ]; then
    fresh=(--fresh)
  fi
  mkdir -p "$folder"
  if ! (cd "$top" && cmake --preset "$preset" -B "$folder" "${fresh[@]}") \
    >"$folder/configure.log" 2>&1; then
    cat "$folder/configure.log" >&2
    return 1
  fi
  echo "$environment" >"$folder/environment"
}

build() {
  configure "$1" || return
  shift
  cmake --build "$folder" --target "$@"
}

sources() {
  local file
  (
    cd "$top"
    # Without git, in an unpacked archive, everything that is not built belongs to the tree.
    git ls-files --cached --others --exclude-standard -- "$@" 2>/dev/null ||
      for pattern in "$@"; do find . -path ./build -prune -o -name "$pattern" -print; done
  ) | while read -r file; do
    [ ! -f "$top/$file" ] || echo "$top/$file"
  done
}
