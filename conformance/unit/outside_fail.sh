#!/usr/bin/env bash
# A full disk, a failing device, missing rights, and things that are no files: exit status 2, one line that names the file,
# the old output as it was and nothing beside it. [spec:12.5] [spec:12.6]
#   outside_fail.sh PROGRAM SHIM FAULTY_BACKEND SOURCE_ROOT
source "$(dirname "$0")/outside_support.sh"

# refused TEXT WHAT: after a run, what must hold; old outputs stand in out/, one line each.
refused() {
  checks=$((checks + 1))
  [ "$code" -eq 2 ] || complain "$2: expected status 2, found $code: $(cat stderr.txt)"
  one_line "$2"
  grep -qF -- "$1" stderr.txt || complain "$2: expected '$1', found: $(cat stderr.txt)"
}
# The errors of errno.h on Linux, and their texts.
EIO=5 EACCES=13 EXDEV=18 EROFS=30 ENOSPC=28 EDQUOT=122
declare -A text=([$EIO]='Input/output error' [$EACCES]='Permission denied' [$EXDEV]='Invalid cross-device link'
  [$EROFS]='Read-only file system' [$ENOSPC]='No space left on device' [$EDQUOT]='Disk quota exceeded')

for writer in "${writers[@]}"; do
  files=${writer%%|*}
  read -ra arguments <<<"${writer#*|}"
  for fault in create:$EACCES create:$EROFS create:$ENOSPC write:$ENOSPC write:$EDQUOT write:$EIO fsync:$EIO close:$ENOSPC \
    rename:$EACCES rename:$EXDEV access:$EROFS fchmod:$EROFS; do
    find out -mindepth 1 -delete
    for file in $files; do echo "old $file" >"out/$file"; done
    shimmed "fail:$fault" out/ "${arguments[@]}"
    refused "${text[${fault#*:}]}" "$fault: ${arguments[*]}"
    grep -q ' out/' stderr.txt || complain "$fault: ${arguments[*]}: names no output: $(cat stderr.txt)"
    for file in $files; do
      [ "$(cat "out/$file")" = "old $file" ] || complain "$fault: ${arguments[*]}: the old $file was touched"
    done
    [ "$(ls -A out | wc -l)" -eq "$(wc -w <<<"$files")" ] || complain "$fault: ${arguments[*]}: left behind: $(ls -A out)"
  done
  # A directory, a pipe, a device where the first output goes.
  first=${files%% *}
  find out -mindepth 1 -delete && mkdir "out/$first"
  shimmed none none "${arguments[@]}"
  refused 'found a directory' "directory: ${arguments[*]}"
  rmdir "out/$first" && mkfifo "out/$first"
  shimmed none none "${arguments[@]}"
  refused 'found a pipe' "pipe: ${arguments[*]}"
  rm "out/$first" && ln -s /dev/full "out/$first"
  shimmed none none "${arguments[@]}"
  refused 'found a device' "device: ${arguments[*]}"
  [ -L "out/$first" ] || complain "device: ${arguments[*]}: the link was replaced"
  find out -mindepth 1 -delete
done

# A limit on the size of files is an error of write, not a signal.
find out -mindepth 1 -delete
echo old >out/layers.safetensors
(
  ulimit -f 1
  exec "$program" quantize in/layers.safetensors out/layers.safetensors --tensor a.x >stdout.txt 2>stderr.txt
)
code=$?
refused 'File too large' 'ulimit -f'
[ "$(cat out/layers.safetensors)" = old ] || complain 'ulimit -f: the old output was touched'
[ "$(ls -A out)" = layers.safetensors ] || complain "ulimit -f: left behind: $(ls -A out)"
find out -mindepth 1 -delete

# A folder that cannot be made.
for arguments in "linear in/layers.safetensors --plan in/plan.json --out out/new" \
  "conform --backend reference --threads 1 --filter ${report_case//_/?} --report out/new"; do
  # shellcheck disable=SC2086
  shimmed fail:mkdir:$EACCES out/ $arguments
  refused 'out/new: cannot be created: Permission denied' "mkdir: $arguments"
done

# A backend that is a pipe: loading it would wait for ever.
mkfifo in/pipe.so
timeout -s KILL 60 "$program" quantize in/x.npy out/o.safetensors --backend in/pipe.so >stdout.txt 2>stderr.txt
code=$?
refused 'backend in/pipe.so: expected a file, found a pipe' 'a pipe for a backend'

# Inputs. Every reader of the program, FILE standing for the input.
tensor_file=minilm_l6.layer0.attention_query.safetensors
cp "$data/manifest.json" "$data"/*.safetensors in/
"$program" conform --backend "$faulty" --threads 1 --report in --filter "${report_case//_/?}" >/dev/null
readers=(
  "x.npy|quantize FILE out/o.safetensors" "layers.safetensors|quantize FILE out/o.safetensors --tensor a.x"
  "q.safetensors|dequantize FILE out/o.npy" "x.npy|inspect FILE" "q.safetensors|inspect FILE"
  "x.npy|matmul FILE in/x.npy out/o.npy" "x.npy|matmul in/x.npy FILE out/o.npy" "q.safetensors|certify FILE in/q.safetensors"
  "layers.safetensors|calibrate FILE --out out/o.json" "layers.safetensors|linear FILE --plan in/plan.json --out out"
  "plan.json|linear in/layers.safetensors --plan FILE --out out"
  "$report_case.json|explain FILE" "$report_case.safetensors|explain in/$report_case.json"
  "manifest.json|conform --threads 1 --filter RC/*/33x64x40/* --data in --report out"
  "$tensor_file|conform --threads 1 --filter RC/*/33x64x40/* --data in --report out"
)
if "$program" sim --help >/dev/null 2>&1; then
  printf '{"format":"adahop-sim-coverage/1","kernels":[]}' >in/coverage.json
  printf '# none\n' >in/list.txt
  printf '\x7fELF' >in/object.co
  readers+=("coverage.json|sim coverage FILE" "list.txt|sim coverage in/coverage.json --unreachable FILE"
    "object.co|sim listing k --code-object FILE")
fi
# Readers of tensors map their files, and read one that cannot be mapped.
ENODEV=19 ENOMEM=12
for reader in "${readers[@]:0:10}"; do
  file=in/${reader%%|*}
  read -ra arguments <<<"${reader#*|}"
  arguments=("${arguments[@]/#FILE/$file}")
  run "${arguments[@]}"
  [ "$code" -eq 0 ] || complain "'${arguments[*]}' failed: $(cat stderr.txt)"
  rm -rf new && mv out new && mkdir out && mv stdout.txt expected.txt
  shimmed fail:mmap:$ENODEV "$file" "${arguments[@]}"
  checks=$((checks + 1))
  [ "$code" -eq 0 ] || complain "'${arguments[*]}' without mappings failed: $(cat stderr.txt)"
  cmp -s stdout.txt expected.txt && diff -r out new >/dev/null || complain "'${arguments[*]}' without mappings gave something else"
  find out -mindepth 1 -delete
  shimmed fail:mmap:$ENOMEM "$file" "${arguments[@]}"
  refused "$file: read: no memory for" "no room to map: ${arguments[*]}"
  [ -z "$(ls -A out)" ] || { complain "no room to map: ${arguments[*]}: left behind: $(ls -A out)"; find out -mindepth 1 -delete; }
done

for reader in "${readers[@]}"; do
  file=in/${reader%%|*}
  read -ra arguments <<<"${reader#*|}"
  arguments=("${arguments[@]/#FILE/$file}")
  what="$file: ${arguments[*]}"
  for fault in open:$EACCES read:$EIO; do
    shimmed "fail:$fault" "$file" "${arguments[@]}"
    refused "${text[${fault#*:}]}" "$fault: $what"
  done
  mv "$file" kept
  for put in ': >' 'mkdir' 'mkfifo' 'truncate -s 4G' 'ln -s /dev/zero'; do
    eval "$put $file"
    timeout -s KILL 60 "$program" "${arguments[@]}" >stdout.txt 2>stderr.txt
    code=$?
    case $put in
      ': >') refused 'empty file' "$what" ;;
      mkdir) refused 'found a directory' "$what" ;;
      mkfifo) refused 'found a pipe' "$what" ;;
      ln*) refused 'found a device' "$what" ;;
      *) refused "$file" "4 GB of zeros: $what" ;;
    esac
    rm -rf "$file"
  done
  mv kept "$file"
  [ -z "$(ls -A out)" ] || { complain "$what: left behind: $(ls -A out)"; find out -mindepth 1 -delete; }
done
finish
