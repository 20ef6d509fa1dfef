/* Fail at a chosen system call that writes: loaded by LD_PRELOAD, armed by `fault_arm`.

   Counts the calls of the process that change files. At the chosen call it kills the process, or from this call on it
   fails with an error number, as a full disk (ENOSPC), a read-only file system (EROFS) or a broken disk (EIO) does.
   Removing files still works then, as it does on a full disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls, fault_at = -1;
static int fault_error; /* 0: kill */

/* Fail at call number `at`, counted from 1; -1 for never. */
void fault_arm(long at, int error) { calls = 0; fault_error = error; fault_at = at; }
long fault_calls(void) { return calls; }

/* Count a call; return whether it has to fail. */
static int fails(void) {
    long n = ++calls, at = fault_at;
    if (at < 0 || n < at) return 0;
    if (fault_error == 0) kill(getpid(), SIGKILL);
    errno = fault_error;
    return 1;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)
#define WRITES(flags) ((flags) & (O_WRONLY | O_RDWR | O_CREAT))

#define OPEN(name)                                                                             \
    int name(const char *path, int flags, ...) {                                               \
        REAL(name);                                                                            \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        return WRITES(flags) && fails() ? -1 : real(path, flags, mode);                        \
    }
#define OPENAT(name)                                                                           \
    int name(int at, const char *path, int flags, ...) {                                       \
        REAL(name);                                                                            \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        return WRITES(flags) && fails() ? -1 : real(at, path, flags, mode);                    \
    }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

ssize_t write(int file, const void *from, size_t size) {
    REAL(write);
    return file > 2 && fails() ? -1 : real(file, from, size);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
    REAL(writev);
    return file > 2 && fails() ? -1 : real(file, parts, count);
}
ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    REAL(pwrite);
    return fails() ? -1 : real(file, from, size, at);
}
ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) {
    REAL(pwrite64);
    return fails() ? -1 : real(file, from, size, at);
}
int fsync(int file) { REAL(fsync); return fails() ? -1 : real(file); }
int rename(const char *from, const char *to) { REAL(rename); return fails() ? -1 : real(from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    REAL(renameat2);
    return fails() ? -1 : real(a, from, b, to, flags);
}
int mkdir(const char *path, mode_t mode) { REAL(mkdir); return fails() ? -1 : real(path, mode); }
int ftruncate(int file, off_t size) { REAL(ftruncate); return fails() ? -1 : real(file, size); }
int ftruncate64(int file, off64_t size) { REAL(ftruncate64); return fails() ? -1 : real(file, size); }
int posix_fallocate(int file, off_t at, off_t size) { REAL(posix_fallocate); return fails() ? fault_error : real(file, at, size); }
int posix_fallocate64(int file, off64_t at, off64_t size) { REAL(posix_fallocate64); return fails() ? fault_error : real(file, at, size); }
/* Only killing happens here: an error while cleaning up after an error would prove nothing. */
int unlink(const char *path) { REAL(unlink); if (!fault_error) fails(); return real(path); }
int unlinkat(int at, const char *path, int flags) { REAL(unlinkat); if (!fault_error) fails(); return real(at, path, flags); }
int rmdir(const char *path) { REAL(rmdir); if (!fault_error) fails(); return real(path); }
