# check_units.sh PYTHON exact|listed PROGRAM [ARGUMENT ...]: runs the program of first_unit.cu and
# second_unit.cu on the CPU device. Its results are right and its counts are exact. With `exact`, counts not
# listed are 0 (at -O0 variables are in local memory, with bytes depending on the compiler). The steps of
# both units have one name, so one row: 1000 additions of the first, 2000 multiplications of the second.
set -e
python=$1 counts= program=$3
[ "$2" = listed ] || counts=counts
shift 3
has=$(dirname "$0")/../../run/Inputs/kernel_has.py
rm -f "$program.json"
GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=$program.json "$program" "$@" | grep -qx 'all right'
$python "$has" "$program.json" step $counts launches=2 threads=2048 flops.fp32.add=1000 flops.fp32.mul=2000 flops.total=3000 bytes.global.load=8000 bytes.global.store=8000
$python "$has" "$program.json" scale $counts launches=2 threads=2048 flops.fp32.mul=2000 flops.total=2000 bytes.global.load=8000 bytes.global.store=8000
$python "$has" "$program.json" region:first.add $counts flops.fp32.add=1000 flops.total=1000 bytes.global.load=4000 bytes.global.store=4000
$python "$has" "$program.json" region:second.multiply $counts flops.fp32.mul=2000 flops.total=2000 bytes.global.load=4000 bytes.global.store=4000
