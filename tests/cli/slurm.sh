#!/bin/bash
# The recipe for Slurm of docs/SCALE.md, as it stands there, on a cluster of one node that lives as long
# as the test. Skipped if Slurm is not installed or cannot be started.
. "$(dirname "$0")/../library.sh"

skip() { echo "skipped: $1"; exit 0; }
for program in slurmctld slurmd sbatch munged; do
    command -v $program > /dev/null || skip "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip "not root"

ended() {
    for name in slurmd slurmctld munged; do
        [ -s "$folder/$name.pid" ] && kill "$(cat "$folder/$name.pid")" 2> /dev/null || true
    done
    sleep 1
    rm -rf "$folder"
}
trap ended EXIT
chmod 755 "$folder"
mkdir state spool work bin
head -c 1024 /dev/urandom > key
chmod 400 key
munged --key-file="$folder/key" --socket="$folder/socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/seed" --force || skip "munged does not start"
port=$((20000 + $$ % 20000))
cat > slurm.conf << END
ClusterName=one
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
MpiDefault=none
SlurmdParameters=config_overrides
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$folder/slurm.conf
slurmctld -f "$SLURM_CONF" || skip "slurmctld does not start"
slurmd -f "$SLURM_CONF" || skip "slurmd does not start"
for ((tries = 0; tries < 100; tries++)); do
    sinfo -h -o %T 2> /dev/null | grep -q idle && break
    sleep 0.1
done
sinfo -h -o %T 2> /dev/null | grep -q idle || skip "the node does not become idle"

# The text between ```NAME and ``` in the document.
recipe() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$root/docs/SCALE.md" | sed '1d;$d'; }

ln -s "$heddle" bin/heddle
export PATH=$folder/bin:$PATH
cd work
expect 0 "$heddle" check --json -DN=10 "$root/bench/c/lastzero.c"
wanted=$(jq -c '[.executions, .events]' out)
expect 3 "$heddle" check --max-executions=300 --checkpoint=state -DN=10 "$root/bench/c/lastzero.c"
expect 0 "$heddle" split --parts=6 state
recipe part > part.sh
recipe slurm | sed 's/1-100/1-6/; s/heddle merge/heddle merge --json/' > submit
grep -q 'array=1-6' submit || fail "no recipe in docs/SCALE.md"
bash -e submit > out 2> err || fail "sbatch failed"
for ((tries = 0; tries < 1200; tries++)); do
    [ -z "$(squeue -h)" ] && break
    sleep 0.1
done
last="the jobs of docs/SCALE.md"
[ -s result.txt ] || fail "no result"
cp result.txt out
json '.verdict == "verified"'
[ "$(jq -c '[.executions, .events]' out)" = "$wanted" ] || fail "the result differs"
