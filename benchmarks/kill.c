/* Preloaded into a command and every program it starts: kills all of them at one chosen step.
 *
 * A step is a call that changes the disk (a write to a file, a rename, a new link or folder, a
 * deletion, a truncation, an fsync) or that starts a program. Steps of all processes count together, in
 * eight bytes of a file that they share. At the chosen step half of a write reaches the file, any other
 * call is not made, and the whole process group gets SIGKILL.
 *
 * SILT_KILL_COUNTER names the file; SILT_KILL_AT is the number of the step, 0 to count alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long long *counter, at;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SILT_KILL_COUNTER"), *number = getenv("SILT_KILL_AT");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return;
    at = number ? strtoull(number, NULL, 10) : 0;
    counter = shared;
}

static int is_last(void) { return counter && __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST) == at; }

static void end(void) {
    kill(0, SIGKILL);
    for (;;) pause();
}

static int is_file(int descriptor) {
    struct stat found;
    return fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
}

#define NEXT(result, name, types) result (*next) types = (result (*) types)dlsym(RTLD_NEXT, name)

#define WRITE(name, parameters, types, arguments, half)        \
    ssize_t name parameters {                                  \
        NEXT(ssize_t, #name, types);                           \
        if (is_file(file) && is_last()) {                      \
            if (next half < 0) perror(#name);                  \
            end();                                             \
        }                                                      \
        return next arguments;                                 \
    }

WRITE(write, (int file, const void *data, size_t size), (int, const void *, size_t),
      (file, data, size), (file, data, size / 2))
WRITE(pwrite, (int file, const void *data, size_t size, off_t where), (int, const void *, size_t, off_t),
      (file, data, size, where), (file, data, size / 2, where))
WRITE(pwrite64, (int file, const void *data, size_t size, off_t where), (int, const void *, size_t, off_t),
      (file, data, size, where), (file, data, size / 2, where))

#define STEP(name, parameters, types, arguments) \
    int name parameters {                        \
        NEXT(int, #name, types);                 \
        if (is_last()) end();                    \
        return next arguments;                   \
    }

STEP(rename, (const char *from, const char *to), (const char *, const char *), (from, to))
STEP(renameat, (int a, const char *from, int b, const char *to), (int, const char *, int, const char *),
     (a, from, b, to))
STEP(link, (const char *from, const char *to), (const char *, const char *), (from, to))
STEP(unlink, (const char *path), (const char *), (path))
STEP(unlinkat, (int folder, const char *path, int flags), (int, const char *, int), (folder, path, flags))
STEP(mkdir, (const char *path, mode_t mode), (const char *, mode_t), (path, mode))
STEP(rmdir, (const char *path), (const char *), (path))
STEP(ftruncate, (int file, off_t size), (int, off_t), (file, size))
STEP(ftruncate64, (int file, off_t size), (int, off_t), (file, size))
STEP(fsync, (int file), (int), (file))
STEP(fdatasync, (int file), (int), (file))
STEP(execve, (const char *path, char *const words[], char *const env[]),
     (const char *, char *const[], char *const[]), (path, words, env))
STEP(execv, (const char *path, char *const words[]), (const char *, char *const[]), (path, words))
