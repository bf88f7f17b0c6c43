#!/bin/bash
# C programs that cannot be built, and what surrounds them: a message that says what is wrong, the
# right exit status, and nothing left in the directory for temporary files.
. "$(dirname "$0")/../library.sh"

mkdir temporary
export TMPDIR=$folder/temporary
clean() { [ -z "$(ls temporary)" ] || fail "left behind: $(ls temporary)"; }
wrong() {
    local pattern=$1
    shift
    expect 2 "$heddle" check "$@"
    says err "$pattern"
    says err '^heddle: '
    silent out
    clean
}

echo 'int main(void) { return 0; }' > good.c
echo 'int main(void) { return x; }' > wrong.c
: > empty.c
echo 'int other(void) { return 0; }' > no_main.c
cp good.c good.cpp
mkdir folder.c
wrong "wrong.c:1:25: error: .x. undeclared" wrong.c
wrong 'the program does not compile' good.c wrong.c
wrong 'the program has no main' empty.c
wrong 'the program has no main' no_main.c
wrong 'cannot read folder.c: is a directory' folder.c
wrong 'cannot read none.c: No such file' none.c
wrong 'good.cpp: heddle checks C programs, not C\+\+' good.cpp
wrong 'multiple definition of .main' good.c good.c
wrong 'cannot find -lnone' good.c -lnone
wrong 'good.c cannot be compiled without nobody' --cc=nobody good.c
expect 2 env PATH=/nowhere "$heddle" check good.c
says err 'good.c cannot be compiled without gcc'
clean
expect 2 env TMPDIR=/nowhere "$heddle" check good.c
says err '^heddle: cannot create a directory in /nowhere: No such file'
if [ "$(id -u)" != 0 ]; then
    chmod 0 good.cpp
    cp good.c secret.c
    chmod 0 secret.c
    wrong 'cannot read secret.c: Permission denied' secret.c
fi

# Objects that are none.
expect 0 "$heddle" cc -c good.c -o good.o
clean
head -c 100 /dev/urandom > noise.o
head -c 700 good.o > cut.o
printf '!<arch>\nand then something else' > noise.a
for file in noise.o cut.o noise.a; do
    wrong "$file is not an object file or archive" $file
done
wrong 'noise.o is not an object file' good.c noise.o
wrong 'was not linked by heddle-cc; build it with CC=heddle-cc' /bin/ls
wrong 'unknown kind of file' /etc/passwd

# Names with spaces, directories with spaces, directories given as they are seen from here.
mkdir -p 'temporary/a b' near
cp good.c 'a file.c'
expect 0 env TMPDIR="$folder/temporary/a b" "$heddle" check 'a file.c'
expect 0 env TMPDIR=near "$heddle" check good.c
rmdir 'temporary/a b' near

# What heddle cc says; what it made says how it is to be run.
expect 1 "$heddle" cc wrong.c
says err 'undeclared'
expect 1 "$heddle" cc -c wrong.c
expect 1 "$heddle" cc none.c -o none
clean
expect 0 "$heddle" cc good.o -o good
expect 0 ./good
expect 0 "$heddle" check ./good
expect 0 "$heddle" cc -MMD -c good.c -o made.o
says made.d '^made.o: good.c$'
expect 0 "$heddle" cc --version
clean

# A compiler that takes its time, and somebody who does not wait.
mkfifo started
cat > slow << 'END'
#!/bin/sh
echo > started
exec sleep 100
END
chmod +x slow
for signal in INT TERM; do
    last="interrupted by $signal"
    env --default-signal=INT,TERM "$heddle" check --cc="$folder/slow" good.c > out 2> err &
    process=$!
    read -r _ < started
    kill -$signal "$process"
    status=0
    wait "$process" || status=$?
    [ "$status" = 3 ] || fail "exit status $status instead of 3"
    says err '^heddle: interrupted while the program was built$'
    clean
done

# Shared libraries are found where the linker found them. Their code is not covered.
mkdir library
echo 'int twice(int x) { return 2 * x; }' > twice.c
cat > locked.c << 'END'
#include <pthread.h>
static pthread_mutex_t mutex;
int twice(int x) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return 2 * x; }
END
echo 'int twice(int); int main(void) { return twice(1) - 2; }' > user.c
gcc -shared -fPIC twice.c -o library/libtwice.so
gcc -shared -fPIC locked.c -o library/liblocked.so
expect 3 "$heddle" check user.c -Llibrary -ltwice
says out 'does not control was called: twice of libtwice\.so \(user\.c:1\)$'
expect 3 "$heddle" check user.c -L library -llocked
says out 'twice of liblocked\.so \(user\.c:1\)$'
expect 0 "$heddle" cc user.c -Llibrary -llocked -o user
expect 3 "$heddle" check ./user
says out 'twice of liblocked\.so \(user\.c:1\)$'
clean

# Too little address space.
(ulimit -v 4000000; expect 2 "$heddle" check user.c -Llibrary -ltwice)
says err 'too little address space'
clean

# A null pointer in the place of a semaphore is the program's mistake.
printf '#include <semaphore.h>\nint main(void) { return sem_wait((sem_t *)0); }\n' > null.c
expect 1 "$heddle" check -w --json null.c
json '.errors[0].kind == "crash"'
