/* Counts a process's file operations below a folder, and ends the process before one of them, or lets
   one fail as on a full disk. Loaded with LD_PRELOAD, so that native libraries are counted, too.

   What to do is in a file that all processes of a case map: see `struct order`. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT = 0, KILL = 1, FAIL_ONCE = 2, FAIL_ON = 3 };

struct order {
    atomic_long operations, writes, shortened;
    long mode, at;
    long process; /* whose kill ends the case */
    char folder[PATH_MAX];
};

static struct order *order;

void obey(const char *path) {
    static int (*real)(const char *, int, ...);
    if (!real) real = dlsym(RTLD_NEXT, "open");
    int fd = real(path, O_RDWR);
    if (fd < 0) return;
    void *mapped = mmap(0, sizeof(struct order), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    order = mapped == MAP_FAILED ? NULL : mapped;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("NEARDUP_ORDER");
    if (path) obey(path);
}

static int below(const char *path) {
    size_t size = strlen(order->folder);
    return size && !strncmp(path, order->folder, size) && (path[size] == '/' || !path[size]);
}

static int is_ours(int folder, const char *path) {
    char whole[2 * PATH_MAX], link[64];
    if (!order || !path) return 0;
    if (path[0] == '/') return below(path);
    ssize_t size;
    if (folder == AT_FDCWD) {
        if (!getcwd(whole, PATH_MAX)) return 0;
        size = strlen(whole);
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        if ((size = readlink(link, whole, PATH_MAX - 1)) < 0) return 0;
    }
    snprintf(whole + size, PATH_MAX, "/%s", path);
    return below(whole);
}

static int is_open_there(int fd) {
    char whole[PATH_MAX], link[64];
    if (!order) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, whole, sizeof whole - 1);
    if (size < 0) return 0;
    whole[size] = 0;
    return below(whole);
}

/* Count an operation; say whether it is to fail. `needs_room`: it may do so on a full disk. */
static int is_refused(int needs_room) {
    long operation = ++order->operations;
    if (order->mode == KILL && operation == order->at) {
        if (order->process) kill((pid_t)order->process, SIGKILL);
        kill(getpid(), SIGKILL);
    }
    if (!needs_room) return 0;
    long write = ++order->writes;
    if ((order->mode == FAIL_ONCE && write == order->at) || (order->mode == FAIL_ON && write >= order->at)) {
        errno = ENOSPC;
        return 1;
    }
    return 0;
}

/* Half of the write on which the disk gets full still fits. */
static size_t fitting(size_t size) {
    return order->mode == FAIL_ON && order->writes == order->at - 1 && size > 1 && !order->shortened++ ? size / 2 : size;
}

#define REAL(type, name, ...)                       \
    static type (*real)(__VA_ARGS__);               \
    if (!real) real = dlsym(RTLD_NEXT, name);

#define OPEN(name)                                                                                  \
    int name(const char *path, int flags, ...) {                                                    \
        REAL(int, #name, const char *, int, ...)                                                    \
        va_list more;                                                                               \
        va_start(more, flags);                                                                      \
        mode_t mode = va_arg(more, mode_t);                                                         \
        va_end(more);                                                                               \
        if ((flags & (O_CREAT | O_TRUNC)) && is_ours(AT_FDCWD, path) && is_refused(flags & O_CREAT)) \
            return -1;                                                                              \
        return real(path, flags, mode);                                                             \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                              \
    int name(int folder, const char *path, int flags, ...) {                                      \
        REAL(int, #name, int, const char *, int, ...)                                             \
        va_list more;                                                                             \
        va_start(more, flags);                                                                    \
        mode_t mode = va_arg(more, mode_t);                                                       \
        va_end(more);                                                                             \
        if ((flags & (O_CREAT | O_TRUNC)) && is_ours(folder, path) && is_refused(flags & O_CREAT)) \
            return -1;                                                                            \
        return real(folder, path, flags, mode);                                                   \
    }
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t)
    if (!is_open_there(fd)) return real(fd, data, size);
    size_t some = fitting(size);
    if (some < size) return real(fd, data, some);
    return is_refused(1) ? -1 : real(fd, data, size);
}

#define PWRITE(name, offset_type)                                                       \
    ssize_t name(int fd, const void *data, size_t size, offset_type at) {               \
        REAL(ssize_t, #name, int, const void *, size_t, offset_type)                    \
        if (!is_open_there(fd)) return real(fd, data, size, at);                        \
        size_t some = fitting(size);                                                    \
        if (some < size) return real(fd, data, some, at);                               \
        return is_refused(1) ? -1 : real(fd, data, size, at);                           \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int)
    return is_open_there(fd) && is_refused(1) ? -1 : real(fd, parts, count);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
    REAL(size_t, "fwrite", const void *, size_t, size_t, FILE *)
    return is_open_there(fileno(file)) && is_refused(1) ? 0 : real(data, size, count, file);
}

#define ON_FILE(name, needs_room, declared, ...)                         \
    int name declared {                                                  \
        static int(*real) declared;                                      \
        if (!real) real = dlsym(RTLD_NEXT, #name);                       \
        return is_open_there(fd) && is_refused(needs_room) ? -1 : real(__VA_ARGS__); \
    }
ON_FILE(fsync, 1, (int fd), fd)
ON_FILE(fdatasync, 1, (int fd), fd)
ON_FILE(ftruncate, 0, (int fd, off_t size), fd, size)
ON_FILE(ftruncate64, 0, (int fd, off64_t size), fd, size)
ON_FILE(fallocate, 1, (int fd, int mode, off_t at, off_t size), fd, mode, at, size)
ON_FILE(fallocate64, 1, (int fd, int mode, off64_t at, off64_t size), fd, mode, at, size)

#define RESERVE(name, offset_type)                                                       \
    int name(int fd, offset_type at, offset_type size) { /* it returns the error */      \
        REAL(int, #name, int, offset_type, offset_type)                                  \
        return is_open_there(fd) && is_refused(1) ? ENOSPC : real(fd, at, size);         \
    }
RESERVE(posix_fallocate, off_t)
RESERVE(posix_fallocate64, off64_t)

#define ON_PATH(name, needs_room, folder, path, declared, ...)            \
    int name declared {                                                   \
        static int(*real) declared;                                       \
        if (!real) real = dlsym(RTLD_NEXT, #name);                        \
        return is_ours(folder, path) && is_refused(needs_room) ? -1 : real(__VA_ARGS__); \
    }
ON_PATH(mkdir, 1, AT_FDCWD, path, (const char *path, mode_t mode), path, mode)
ON_PATH(mkdirat, 1, folder, path, (int folder, const char *path, mode_t mode), folder, path, mode)
ON_PATH(unlink, 0, AT_FDCWD, path, (const char *path), path)
ON_PATH(unlinkat, 0, folder, path, (int folder, const char *path, int flags), folder, path, flags)
ON_PATH(rmdir, 0, AT_FDCWD, path, (const char *path), path)
ON_PATH(rename, 1, AT_FDCWD, path, (const char *path, const char *to), path, to)
ON_PATH(renameat, 1, folder, path, (int folder, const char *path, int other, const char *to), folder, path, other, to)
ON_PATH(link, 1, AT_FDCWD, to, (const char *path, const char *to), path, to)
ON_PATH(symlink, 1, AT_FDCWD, to, (const char *path, const char *to), path, to)
