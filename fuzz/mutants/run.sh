#!/usr/bin/env bash
# Applies each mutant of the catalogue to a copy of the tree, rebuilds what it touches, and sees whether a check notices.
#
#   run.sh SOURCE WORK [--shard i/n] [--jobs N] [--filter GLOB]   every mutant, or the i-th of every n; GLOB over their names
#   run.sh SOURCE WORK --list [...]                               names and faults
#   run.sh SOURCE WORK --check                                    every patch reads well and applies; nothing is built
#
# A mutant is NAME.patch below fuzz/mutants; README.md there has its header. WORK/slot.I is worker I's: the tree, its build,
# and `pristine`, the build as it was before any mutant, to which each mutant begins anew. The judge is a program without the
# mutant where it can be: WORK/judge. One line a mutant; the last line is "N killed, N survived". Exit status 0: none
# survived; 1: one did; 2: a mutant does not apply or build.
set -euo pipefail

[ $# -ge 2 ] || { echo "mutants: usage: run.sh SOURCE WORK [...]" >&2; exit 2; }
source=$(realpath "$1") work=$(realpath -m "$2")
shift 2
shard=1 shards=1 jobs=$(nproc) filter='*' action=run
limit_s=600 # a mutant that makes a check hang is killed by it

die() { echo "mutants: $*" >&2; exit 2; }
whole() { [[ $1 =~ ^[1-9][0-9]{0,5}$ ]]; }
value() { [ $# -ge 2 ] || die "$1: expected a value"; }
while [ $# -gt 0 ]; do
  case $1 in
    --shard)
      value "$@"
      shard=${2%%/*} shards=${2#*/}
      { whole "$shard" && whole "$shards" && [ "$shard" -le "$shards" ]; } || die "--shard $2: expected i/n with 1 <= i <= n"
      shift
      ;;
    --jobs) value "$@"; whole "$2" || die "--jobs $2: expected a count from 1"; jobs=$2; shift ;;
    --filter) value "$@"; filter=$2; shift ;;
    --list) action=list ;;
    --check) action=check ;;
    *) die "$1: expected --shard i/n, --jobs N, --filter GLOB, --list or --check" ;;
  esac
  shift
done

patches=$source/fuzz/mutants
field() { sed -n "1,/^--- /s/^# $2: *//p" "$patches/$1.patch"; } # NAME KEY: the values, one a line
files_of() { sed -nE 's,^\+\+\+ b/([^[:space:]]+).*,\1,p' "$patches/$1.patch"; }

# The mutants of this run, by name.
mapfile -t names < <(cd "$patches" && find . -name '*.patch' | sed 's,^\./,,; s,\.patch$,,' | LC_ALL=C sort)
mutants=()
for i in "${!names[@]}"; do
  # shellcheck disable=SC2053 # a glob is meant
  [[ ${names[$i]} == $filter ]] && [ $((i % shards + 1)) -eq "$shard" ] && mutants+=("${names[$i]}")
done
[ "${#mutants[@]}" -gt 0 ] || die "no mutant has this name and shard; --list shows the names"

check_header() { # NAME
  local key kills
  for key in what kind; do [ "$(field "$1" "$key" | grep -c .)" -eq 1 ] || die "$1: expected one line '# $key: ...'"; done
  kills=$(field "$1" kills)
  [[ $kills =~ ^(|mustpass|test\ [A-Za-z0-9_]+)$ ]] || die "$1: kills: '$kills': expected mustpass or test NAME"
  [[ $(field "$1" backend) =~ ^(|hip-cpu|gfx950-sim|simd)$ ]] || die "$1: backend: expected hip-cpu, gfx950-sim or simd"
  [ -n "$(files_of "$1")" ] || die "$1: changes no file"
  patch -d "$source" -p1 --dry-run --force --silent --fuzz=0 <"$patches/$1.patch" >&2 || die "$1: does not apply"
}

case $action in
  list)
    for name in "${mutants[@]}"; do printf '%-50s %-16s %s\n' "$name" "$(field "$name" kind)" "$(field "$name" what)"; done
    exit 0
    ;;
  check)
    for name in "${mutants[@]}"; do check_header "$name"; done
    echo "${#mutants[@]} mutants apply"
    exit 0
    ;;
esac

configure() { # SLOT
  # What the optimiser makes of a fault is of no interest, so that less is spent on it.
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -S "$1/source" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
    "${launcher[@]}" >"$1/log" 2>&1 || { tail -30 "$1/log" >&2; die "the copy does not configure"; }
}
compile() { # SLOT TARGETS...: quiet but for what went wrong, in SLOT/log
  cmake --build "$1/build" -j "$slot_jobs" --target "${@:2}" >"$1/log" 2>&1
}

# The targets that a mutant's run needs, given what it changes.
targets_of() { # NAME
  local kills
  kills=$(field "$1" kills)
  if [[ $kills == test\ * ]]; then
    field "$1" builds | grep . || echo "${kills#test }"
  elif [ "$(field "$1" backend)" = gfx950-sim ] || files_of "$1" | grep -qv '^hip_backend/'; then
    echo adahop_program
  else
    echo adahop_plugin_hip_cpu
  fi
}

prepare_slot() { # SLOT TARGETS
  local slot=$1
  shift
  mkdir -p "$slot"
  # The copy keeps the sources' times, so that a slot of an earlier run builds only what changed since.
  rsync -a --delete --exclude /.git --exclude '/build*' --exclude '/*findings*' "$source/" "$slot/source/"
  configure "$slot"
  compile "$slot" "$@" || { tail -30 "$slot/log" >&2; die "the tree does not build without a mutant"; }
  rsync -a --delete "$slot/build/" "$slot/pristine/"
}

# The checking part of a mutant's run, on a slot that holds it. Prints what noticed, nothing if none did.
check_killed() { # SLOT NAME
  local slot=$1 name=$2 kills backend target program options=() code=0 option cases
  kills=$(field "$name" kills) backend=$(field "$name" backend)
  if [[ $kills == test\ * ]]; then
    timeout "$limit_s" ctest --timeout "$limit_s" --test-dir "$slot/build" -R "^${kills#test }\$" --no-tests=error >"$slot/report" 2>&1 || code=$?
    # ctest gives 8 where a test failed or has no program; another status is a test that does not exist.
    grep -q '\*\*\*Not Run' "$slot/report" && return 2
    case $code in 0) ;; 8) echo "test ${kills#test }" ;; 124) echo "test ${kills#test }: over $limit_s s" ;; *) return 2 ;; esac
    return 0
  fi
  while IFS= read -r option; do [ -z "$option" ] || options+=(--option "$option"); done < <(field "$name" option)
  # A mutant of the kernels is judged by a program without it; one of the reference or of its twins is inside the program.
  program=$judge target=hip-cpu
  if [ "$backend" = gfx950-sim ] || [ "$backend" = simd ]; then
    program=$slot/build/adahop target=$backend
  elif [ "$(targets_of "$name")" = adahop_plugin_hip_cpu ]; then
    target=$slot/build/hip_backend/adahop_hip_cpu.so
  else
    program=$slot/build/adahop
  fi
  # All of mustpass, single operations first: they are quicker.
  for cases in 'any/*' '[RCN][RCN]/*'; do
    (cd "$source" && timeout "$limit_s" "$program" conform --backend "$target" --suite mustpass --filter "$cases" --fail-fast \
      --threads "$slot_jobs" --errors 1 "${options[@]}") >"$slot/report" 2>&1 || code=$?
    case $code in
      0) continue ;;
      1) sed -n 's/^FAILED  *//p' "$slot/report" | head -1 | cut -c1-110 ;;
      2 | 12[567] | 137) return 2 ;; # 125 to 127: it could not be run; 137: killed, for want of memory most likely
      124) echo "mustpass: over $limit_s s" ;;
      *) echo "mustpass: the program ended with status $code" ;;
    esac
    return 0
  done
}

milliseconds() { echo "$((${EPOCHREALTIME/[.,]/} / 1000))"; }
seconds() { printf '%2d.%d' $(($1 / 1000)) $(($1 % 1000 / 100)); } # MILLISECONDS

run_mutant() { # SLOT NAME
  local slot=$1 name=$2 start built what spent file targets equivalent
  mapfile -t targets < <(targets_of "$name")
  patch -d "$slot/source" -p1 --force --silent --fuzz=0 <"$patches/$name.patch" >"$slot/log" 2>&1 || { echo "broken    $name  does not apply"; return 0; }
  start=$(milliseconds)
  if ! compile "$slot" "${targets[@]}"; then
    grep -m1 'error' "$slot/log" >&2 || true
    echo "broken    $name  does not build"
  else
    built=$(milliseconds)
    if ! what=$(check_killed "$slot" "$name"); then
      tail -1 "$slot/report" >&2
      echo "broken    $name  could not be judged"
    else
      spent="$(seconds $((built - start))) s built, $(seconds $(($(milliseconds) - built))) s checked"
      equivalent=$(field "$name" equivalent)
      if [ -n "$what" ]; then
        [ -z "$equivalent" ] && echo "killed    $name  $spent  $what" || echo "broken    $name  argued to be equivalent, but killed by $what"
      elif [ -n "$equivalent" ]; then
        echo "equal     $name  $spent  $equivalent"
      else
        echo "SURVIVED  $name  $spent  $(field "$name" what)"
      fi
    fi
  fi
  # Sources and build get back their bytes and times.
  while IFS= read -r file; do
    if [ -e "$source/$file" ]; then cp -a "$source/$file" "$slot/source/$file"; else rm -f "$slot/source/$file"; fi
  done < <(files_of "$name")
  find "$slot/source" \( -name '*.orig' -o -name '*.rej' \) -delete
  rsync -a --delete "$slot/pristine/" "$slot/build/"
}

for tool in patch rsync; do command -v "$tool" >/dev/null || die "$tool not found (apt-get install $tool)"; done
for name in "${mutants[@]}"; do check_header "$name"; done
[ "$jobs" -le "${#mutants[@]}" ] || jobs=${#mutants[@]}
cores=$(nproc)
slot_jobs=$((cores / jobs))
[ "$slot_jobs" -ge 1 ] || slot_jobs=1
start=$SECONDS

# Every target that any mutant of this run needs, so that a mutant's build is its own change alone.
mapfile -t targets < <({ echo adahop_program; for name in "${mutants[@]}"; do targets_of "$name"; done; } | LC_ALL=C sort -u)
workers=()
for ((i = 0; i < jobs; ++i)); do prepare_slot "$work/slot.$i" "${targets[@]}" & workers+=($!); done
for worker in "${workers[@]}"; do wait "$worker" || exit 2; done
judge=$work/judge
cp "$work/slot.0/build/adahop" "$judge"

# A check that fails without a mutant would count each as killed. Once for each kind of check that this run makes.
declare -A tried=()
one_slot=$slot_jobs
slot_jobs=$cores
for name in "${mutants[@]}"; do
  check="$(field "$name" kills) $(field "$name" backend) $(field "$name" option | tr '\n' ' ') $(targets_of "$name" | tr '\n' ' ')"
  [ -z "${tried[$check]-}" ] || continue
  tried[$check]=yes
  what=$(check_killed "$work/slot.0" "$name") || { tail -1 "$work/slot.0/report" >&2; die "the check of $name cannot be made on the tree without a mutant"; }
  [ -z "$what" ] || die "the check of $name fails without a mutant: $what"
done
slot_jobs=$one_slot
echo "mutants: ${#mutants[@]} of ${#names[@]}, $jobs at once; building the tree without one took $((SECONDS - start)) s"

# One line a mutant as it ends, kept in WORK/results for the counts. A worker takes the next mutant that no other has.
results=$work/results
: >"$results"
echo 0 >"$work/next"
next_index() {
  local n
  exec 9>"$work/lock"
  flock 9
  n=$(cat "$work/next")
  echo $((n + 1)) >"$work/next"
  exec 9>&-
  echo "$n"
}
work_through() { # SLOT
  local i
  while i=$(next_index) && [ "$i" -lt "${#mutants[@]}" ]; do run_mutant "$1" "${mutants[$i]}" | tee -a "$results"; done
}
workers=()
for ((i = 0; i < jobs; ++i)); do work_through "$work/slot.$i" & workers+=($!); done
for worker in "${workers[@]}"; do wait "$worker" || die "a worker stopped"; done

count() { grep -c "^$1 " "$results" || true; }
killed=$(count killed) survived=$(count SURVIVED) equal=$(count equal) broken=$(count broken)
[ $((killed + survived + equal + broken)) -eq "${#mutants[@]}" ] || die "of ${#mutants[@]} mutants some left no result"
by_mustpass=$(grep '^killed ' "$results" | grep -vc ' checked  test ' || true)
echo "of those killed, $by_mustpass by mustpass; argued equivalent: $equal; took $((SECONDS - start)) s"
[ "$broken" -eq 0 ] || die "$broken mutants do not apply, build or run"
echo "$killed killed, $survived survived"
[ "$survived" -eq 0 ]
