# 90 s; needs 2 GPUs. The sample multi_gpu with 1 and 2 ranks, and with 4 where there are 4 GPUs, all-reduces of PyTorch, and forks.
# Exit 0: all ran, with equal weights; 1: something failed. NCCL adds the gradients of four ranks in another order: those may differ.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
status=0
# ended STATUS NAME [TEXT]: prints how something ended, and remembers a failure.
ended() {
  echo "$2: exit $1${3:+: $3}"
  [ "$1" -eq 0 ] || status=1
}
export LD_LIBRARY_PATH=$PWD/lib:$LD_LIBRARY_PATH
export NCCL_NVLS_ENABLE=0 # multicast over NVLink is not everywhere
nccl=$(python3 -c 'import nvidia.nccl, os; print(os.path.join(list(nvidia.nccl.__path__)[0], "lib"))' 2>/dev/null)
[ -n "$nccl" ] && export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$nccl
out=${OUTDIR:-out}
mkdir -p "$out"
preload=$PWD/lib/libgpuprof-communication.so.0

gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
[ "$gpus" -ge 4 ] && numbers="1 2 4" || numbers="1 2"
for ranks in $numbers; do
  for way in nccl shared; do
    [ $ranks$way = 1shared ] && continue
    [ $way = nccl ] && use=1 || use=0
    name=$ranks-$way
    MULTI_GPU_NCCL=$use LD_PRELOAD=$preload GPUPROF_TRACE=$out/trace-$name-%r.json GPUPROF_OUTPUT=$out/run-$name.json timeout 40 sh ./start $ranks ./multi_gpu >"$out/log-$name" 2>&1
    ended $? "$name" "$(grep -h 'ranks*,\|iteration 20\|weights' "$out/log-$name" | tr '\n' ' ')"
    ./gpuprof merge "$out"/run-$name*.json -o "$out/all-$name.json" && rm "$out"/run-$name*.json || ended 1 "merge of $name"
  done
done
[ "$(grep -h weights "$out"/log-[12]-* $(ls "$out"/log-4-shared 2>/dev/null) | sort -u | wc -l)" -eq 1 ] || ended 1 "equal weights"
./gpuprof merge --trace "$out"/trace-2-nccl-*.json "$out/all-2-nccl.json" -o "$out/trace.json" && python3 -c "
import json, sys
events = json.load(open('$out/trace.json'))['traceEvents']
print('trace:', len(events), 'events of', len({e.get('pid') for e in events}), 'processes')" || ended 1 "merge of traces"
rm -f "$out"/trace-*.json
python3 - "$out/all-2-nccl.json" <<'EOF' || ended 1 "communication"
import json, sys
document = json.load(open(sys.argv[1]))
print("communication:", {k: v for k, v in document.get("communication", {}).items() if k != "common_ends"})
EOF
timeout 30 ./forked >"$out/log-forked" 2>&1
ended $? forked
cut -c-150 "$out/log-forked"
rm -f gpuprof-*.json
if python3 -c 'import torch' 2>/dev/null; then
  LD_PRELOAD=$preload GPUPROF_OUTPUT=$out/torch.json timeout 60 python3 -m torch.distributed.run --standalone --nproc-per-node 2 all_reduce.py >"$out/log-torch" 2>&1
  ended $? torch "$(grep mean "$out/log-torch")"
  ./gpuprof merge "$out"/torch-rank*.json -o "$out/all-torch.json" || ended 1 "merge of torch"
  ./gpuprof report --regions "$out/all-torch.json" | sed -n 6,12p
else
  echo "torch: left out, since python3 has no torch"
fi
COLUMNS=110 ./gpuprof diff "$out/all-1-nccl.json" "$out/all-2-nccl.json" "$out/all-2-shared.json" --ratios >"$out/diff.txt"
difference=$? # 1: copies of the all-reduce are of two ranks alone
head -7 "$out/diff.txt"
[ $difference -le 1 ] || ended $difference diff
COLUMNS=110 ./gpuprof report --regions "$out/all-2-nccl.json" | head -34
[ ! -f "$out/all-4-nccl.json" ] || COLUMNS=110 ./gpuprof report --regions "$out/all-4-nccl.json" | head -24
du -sh "$out" | cut -f1
exit $status
