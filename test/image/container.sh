# Runs a command as a container engine does: as process 1, in its own file system.
# The file system has this machine's /usr and one Node.js in place of the base image's files. In mode ro, only /tmp
# is writable. The container shares the machine's network.
#
# Usage: unshare --mount --pid --fork [--user --map-root-user] sh container.sh
#   PLACE IMAGE TMP ro|rw NODE WORKDIR "UNSHARE OPTIONS FOR ITS USER" COMMAND...
# PLACE is an empty folder for the new file system. IMAGE is the folder with the image's files.
set -eu
place=$1 image=$2 tmp=$3 mode=$4 node=$5 workdir=$6 become=$7
shift 7

mount --bind "$place" "$place"
cd "$place"
for name in bin sbin lib lib64; do
  if [ -L "/$name" ]; then
    cp -P "/$name" .
  elif [ -d "/$name" ]; then
    mkdir "$name"
    mount -o bind,ro,nosuid,nodev "/$name" "$name"
  fi
done
mkdir usr proc dev tmp
mount -o bind,ro,nosuid,nodev /usr usr
mount -t tmpfs -o mode=755 tmpfs usr/local
mkdir usr/local/bin
touch usr/local/bin/node
mount -o bind,ro,nosuid,nodev "$node" usr/local/bin/node
mount -o remount,bind,ro usr/local
mount -t proc proc proc
for name in null urandom; do
  touch "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mount --bind "$tmp" tmp
for folder in "$image"/*/; do
  name=$(basename "$folder")
  mkdir "$name"
  mount -o "bind,$mode,nosuid,nodev" "$folder" "$name"
done
if [ "$mode" = ro ]; then mount -o remount,bind,ro "$place"; fi
# Unquoted, because $become holds several options.
# shellcheck disable=SC2086
exec unshare $become --root=. --wd="$workdir" -- "$@"
