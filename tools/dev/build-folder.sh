# Sourced by the other scripts, which have set `top` to the top of the working tree. Says where things
# are built, in
#
#   KA_PRESET     the preset that scripts build when nothing else is asked for; default release
#   KA_BUILD_DIR  holds one build folder for each preset; default: build in the working tree, or
#                 when that cannot be written ${XDG_CACHE_HOME:-~/.cache}/ka/build/<tree>

: "${KA_PRESET:=release}"
if [ -z "${KA_BUILD_DIR:-}" ]; then
  KA_BUILD_DIR=$top/build
  if ! [ -w "$KA_BUILD_DIR" ] && ! { [ ! -e "$KA_BUILD_DIR" ] && [ -w "$top" ]; }; then
    KA_BUILD_DIR=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/ka/build/$(
      printf %s "$top" | sha256sum | cut -c1-12
    )
  fi
fi
case $KA_BUILD_DIR in
/*) ;;
*) KA_BUILD_DIR=$PWD/$KA_BUILD_DIR ;;
esac
