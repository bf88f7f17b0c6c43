#!/bin/bash
# Random programs by several processes, MPI ranks, in parts, with interruptions and kills, against one
# process: a few here, as many as wanted with scripts/scale.sh. And a heddle that lies is caught.
. "$(dirname "$0")/../library.sh"
export HEDDLE=$heddle
seed=${HEDDLE_SEED:-1}

expect 0 "$root/scripts/scale.sh" random 3 "$seed"
says out '^3 programs, 0 kills, 0 differences'
expect 0 "$root/scripts/scale.sh" random-kills 2 2 "$seed"
says out '^2 programs, [0-9]+ kills, 0 differences'

cat > liar << END
#!/bin/bash
case "\$*" in
    *'-j 3'*) "$heddle" "\$@" | jq '.executions += 1' ;;
    *) exec "$heddle" "\$@" ;;
esac
END
chmod +x liar
HEDDLE=$PWD/liar expect 1 "$root/scripts/scale.sh" random 1 "$seed"
says out '^DIFFERENCE: -j 3: heddle check'
says out '^1 programs, 0 kills, 1 differences'
