#!/bin/bash
# Three programs in other environments, as many as wanted with scripts/stable.sh; and a heddle whose
# result depends on the environment is caught.
. "$(dirname "$0")/../library.sh"
export HEDDLE=$heddle PREBUILT=1
programs=$root/tests/native
expect 0 "$root/scripts/stable.sh" "$root/examples/bank.c" "$programs/restore/environment.c" \
    "$programs/spin/peterson.c -DBUG"
says out '^0 differences$'
grep '^skipped: ' out || true

cat > liar << END
#!/bin/bash
case \$1-\${TZ:-} in
    check-Asia/Tokyo) exec "$heddle" "\$@" --max-executions=1 ;;
    *) exec "$heddle" "\$@" ;;
esac
END
chmod +x liar
chmod 755 . # one of the environments is that of another user
HEDDLE=$PWD/liar expect 1 "$root/scripts/stable.sh" "$programs/restore/environment.c"
says out 'environment.c: zone differs'
says out '^1 differences$'
