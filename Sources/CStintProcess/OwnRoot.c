#if defined(__linux__)
#define _GNU_SOURCE

#include "containment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

enum { recursively = 0x8000, attribute_read_only = 1, attribute_no_privileges = 2 };

struct attributes {
  uint64_t set, clear, propagation, namespace;
};

/// The folder on which the new root is mounted while it is built. The mount hides this folder, so it must
/// contain no path of the plan.
static const char *base;
static size_t base_length;
static char buffer[PATH_MAX];

static int names_within(const struct stint_child_plan *plan, const char *folder) {
  size_t length = strlen(folder);
  for (const struct stint_path *path = plan->paths; path->path != NULL; path++)
    if (strncmp(path->path, folder, length) == 0 && (path->path[length] == '/' || path->path[length] == 0))
      return 1;
  return 0;
}

static int choose_base(const struct stint_child_plan *plan) {
  static const char *const candidates[] = {"/proc", "/sys", "/tmp", "/run", "/mnt", "/srv", "/home", "/var"};
  struct stat status;
  for (size_t place = 0; place < sizeof candidates / sizeof candidates[0]; place++) {
    base = candidates[place];
    base_length = strlen(base);
    if (!names_within(plan, base) && stat(base, &status) == 0 && S_ISDIR(status.st_mode)) return 0;
  }
  errno = ENOENT;
  return -1;
}

/// Returns the location that a path of the new root has while this root is built. Returns null when the
/// location is too long.
static char *within(const char *path) {
  size_t length = strlen(path);
  if (length + base_length + 1 > sizeof buffer) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  memcpy(buffer, base, base_length);
  memcpy(buffer + base_length, path, length + 1);
  return buffer;
}

/// Makes the parent folders of a path in the new root, and the path itself when `last` is set. Existing
/// folders stay unchanged.
static void make_folders(char *path, int last) {
  for (char *place = path + base_length + 1; *place != 0; place++) {
    if (*place != '/') continue;
    *place = 0;
    mkdir(path, 0755);
    *place = '/';
  }
  if (last) mkdir(path, 0755);
}

/// Makes a mount in the new root ignore set-user-id bits, and deny writes when `read_only` is set. When
/// `whole` is set, also changes all mounts below this mount.
static int protect(const char *target, int read_only, int whole) {
  struct attributes attributes = {
    (read_only ? attribute_read_only : 0) | attribute_no_privileges, 0, 0, 0,
  };
  int scope = whole ? recursively : 0;
  if (syscall(SYS_mount_setattr, AT_FDCWD, target, scope, &attributes, sizeof attributes) == 0) return 0;
  if (errno != ENOSYS) return -1;
  // On kernels before 5.12, only the mount itself is changed; it keeps its current flags.
  struct statvfs status;
  if (statvfs(target, &status) != 0) return -1;
  unsigned long flags = MS_REMOUNT | MS_BIND | MS_NOSUID | (read_only ? MS_RDONLY : 0);
  if (status.f_flag & ST_RDONLY) flags |= MS_RDONLY;
  if (status.f_flag & ST_NODEV) flags |= MS_NODEV;
  if (status.f_flag & ST_NOEXEC) flags |= MS_NOEXEC;
  if (status.f_flag & ST_NOATIME) flags |= MS_NOATIME;
  if (status.f_flag & ST_RELATIME) flags |= MS_RELATIME;
  return mount(NULL, target, NULL, flags, NULL);
}

/// Binds a file or folder of the system into the new root, at the same path.
static int show(const struct stint_path *path) {
  struct stat status;
  // A path is skipped when it does not exist or the daemon cannot access it.
  if (stat(path->path, &status) != 0) return 0;
  char *target = within(path->path);
  if (target == NULL) return -1;
  make_folders(target, S_ISDIR(status.st_mode));
  struct stat existing;
  if (!S_ISDIR(status.st_mode) && lstat(target, &existing) != 0) {
    int file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
    if (file < 0) return -1;
    close(file);
  }
  if (mount(path->path, target, NULL, MS_BIND | MS_REC, NULL) != 0) return -1;
  return protect(target, !(path->access & stint_path_writable), 1);
}

static int write_all(int file, const uint8_t *bytes, uint64_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count < 1 << 30 ? count : 1 << 30);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return -1;
    bytes += written;
    count -= (uint64_t)written;
  }
  return 0;
}

/// Mounts an empty memory file system over a folder of the new root. The mount hides the contents of the
/// folder on disk.
static int empty_folder(const char *folder) {
  char *target = within(folder);
  if (target == NULL) return -1;
  make_folders(target, 1);
  return mount("stint", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=75%");
}

static int seal(const struct stint_sealed_file *sealed) {
  char *target = within(sealed->path);
  if (target == NULL) return -1;
  make_folders(target, 0);
  int file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return -1;
  int result = write_all(file, sealed->bytes, sealed->count);
  if (result == 0) result = fchmod(file, sealed->is_program ? 0555 : 0444);
  close(file);
  return result;
}

/// Whether a path is inside a folder that contains only sealed files.
static int is_within_seal(const struct stint_child_plan *plan, const char *path) {
  for (const char *const *folder = plan->sealed_folders; *folder != NULL; folder++) {
    size_t length = strlen(*folder);
    if (strncmp(path, *folder, length) == 0 && path[length] == '/') return 1;
  }
  return 0;
}

/// Binds paths of the plan. With 1 for `within_seal`, binds the paths inside sealed folders; with 0, binds
/// all other paths.
static int show_all(const struct stint_child_plan *plan, int within_seal) {
  for (const struct stint_path *path = plan->paths; path->path != NULL; path++)
    if (is_within_seal(plan, path->path) == within_seal && show(path) != 0) return -1;
  return 0;
}

static int seal_all(const struct stint_child_plan *plan) {
  for (const char *const *folder = plan->sealed_folders; *folder != NULL; folder++)
    if (empty_folder(*folder) != 0) return -1;
  for (uint32_t place = 0; place < plan->sealed_count; place++)
    if (seal(&plan->sealed_files[place]) != 0) return -1;
  // Allowed paths inside sealed folders are bound from the disk, which the process still sees at this point.
  if (show_all(plan, 1) != 0) return -1;
  for (const char *const *folder = plan->sealed_folders; *folder != NULL; folder++) {
    char *target = within(*folder);
    if (target == NULL || protect(target, 1, 0) != 0) return -1;
  }
  return 0;
}

/// Mounts a /proc that shows only the processes of the namespace. When the system does not allow the mount,
/// /proc stays empty.
static void show_own_processes(const struct stint_child_plan *plan) {
  char *target = within("/proc");
  if (target == NULL || names_within(plan, "/proc")) return;
  mkdir(target, 0755);
  (void)mount("proc", target, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "subset=pid");
}

int stint_enter_own_root(const struct stint_child_plan *plan) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
  if (choose_base(plan) != 0) return -1;
  if (mount("stint", base, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0) return -1;
  if (show_all(plan, 0) != 0 || seal_all(plan) != 0) return -1;
  show_own_processes(plan);
  if (chdir(base) != 0) return -1;
  if (syscall(SYS_pivot_root, ".", ".") != 0) return -1;
  // The old root is mounted on top of the new root.
  if (umount2(".", MNT_DETACH) != 0) return -1;
  if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) != 0) return -1;
  return chdir("/");
}

#endif
