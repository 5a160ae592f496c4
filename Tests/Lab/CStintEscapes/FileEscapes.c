#if defined(__linux__)
#define _GNU_SOURCE

#include "EscapeAttempts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

typedef const struct stint_escape_target target;

static char buffers[2][PATH_MAX];

static const char *path_in(target *it, const char *name, int place) {
  snprintf(buffers[place], sizeof buffers[place], "%s/%s", it->folder, name);
  return buffers[place];
}

#define SECRET path_in(it, "secret", 0)
#define JOURNAL path_in(it, "journal", 0)
#define PROGRAM path_in(it, "program", 0)
#define OTHER path_in(it, "other", 1)

#define ATTEMPT(name, expression) \
  static int name(target *it) { \
    (void)it; \
    return STINT_WORKED(expression); \
  }

static int opened(const char *path, int flags) {
  int file = open(path, flags | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  close(file);
  return 0;
}

static int read_secret(target *it) { return opened(SECRET, O_RDONLY); }
static int write_secret(target *it) { return opened(SECRET, O_WRONLY); }
static int append_to_journal(target *it) { return opened(JOURNAL, O_WRONLY | O_APPEND); }
static int create_beside(target *it) { return opened(OTHER, O_WRONLY | O_CREAT); }
static int create_hidden(target *it) { return opened(it->folder, O_WRONLY | O_TMPFILE); }
static int list_folder(target *it) { return opened(it->folder, O_RDONLY | O_DIRECTORY); }
static int read_passwords(target *it) { return (void)it, opened("/etc/shadow", O_RDONLY); }
static int read_users(target *it) { return (void)it, opened("/etc/passwd", O_RDONLY); }
static int write_temporary(target *it) { return (void)it, opened("/tmp/stint-escape", O_WRONLY | O_CREAT); }
static int write_shared(target *it) { return (void)it, opened("/dev/shm/stint-escape", O_RDWR | O_CREAT); }
static int write_own_folder(target *it) { return (void)it, opened("stint-escape", O_WRONLY | O_CREAT); }
static int write_library(target *it) { return (void)it, opened("/usr/lib/stint-escape", O_WRONLY | O_CREAT); }
static int set_kernel(target *it) { return (void)it, opened("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int open_terminal(target *it) { return (void)it, opened("/dev/tty0", O_RDWR); }
static int open_memory(target *it) { return (void)it, opened("/dev/mem", O_RDONLY); }
static int open_disk(target *it) { return (void)it, opened("/dev/vda", O_RDONLY); }

static int reach_host_folder(target *it) {
  snprintf(buffers[1], sizeof buffers[1], "/proc/1/root%s/secret", it->folder);
  return opened(buffers[1], O_RDONLY);
}

static int own_program(target *it, int (*change)(const char *path)) {
  (void)it;
  char path[PATH_MAX];
  ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
  if (count <= 0) return EPERM;
  path[count] = 0;
  return STINT_WORKED(change(path));
}

static int change_mode(const char *path) { return chmod(path, 0777); }
static int remove_file(const char *path) { return unlink(path); }
static int chmod_own(target *it) { return own_program(it, change_mode); }
static int unlink_own(target *it) { return own_program(it, remove_file); }

static int set_flags(target *it) {
  (void)it;
  int file = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno;
  long flags = 0;
  // The first request is FS_IOC_GETFLAGS. The second is FS_IOC_SETFLAGS with the folder's current flags.
  int number = STINT_WORKED(ioctl(file, _IOR('f', 1, long), &flags));
  if (number == 0) number = STINT_WORKED(ioctl(file, _IOW('f', 2, long), &flags));
  close(file);
  return number;
}

static int change_time(target *it) {
  struct timespec times[2] = {{1, 0}, {1, 0}};
  return STINT_WORKED(utimensat(AT_FDCWD, JOURNAL, times, 0));
}

static int change_time_in_old_way(target *it) {
  struct timeval times[2] = {{1, 0}, {1, 0}};
  return STINT_WORKED(utimes(JOURNAL, times));
}

static int change_mode_of_library(target *it) {
  (void)it;
  struct stat status;
  if (stat("/usr/lib", &status) != 0) return errno;
  return STINT_WORKED(chmod("/usr/lib", status.st_mode));
}

static int handle(target *it) {
  struct {
    unsigned int bytes;
    int type;
    unsigned char data[128];
  } place = {128, 0, {0}};
  int mount;
  return STINT_WORKED(syscall(SYS_name_to_handle_at, AT_FDCWD, it->folder, &place, &mount, 0));
}

ATTEMPT(truncate_journal, truncate(JOURNAL, 0))
ATTEMPT(set_user_bit, chmod(PROGRAM, 04755))
ATTEMPT(close_secret, syscall(SYS_fchmodat, AT_FDCWD, SECRET, 0))
ATTEMPT(close_in_new_way, syscall(452, AT_FDCWD, SECRET, 0, 0))
ATTEMPT(give_away, chown(SECRET, 65534, 65534))
ATTEMPT(give_link_away, lchown(SECRET, 65534, 65534))
ATTEMPT(set_attribute, setxattr(SECRET, "user.escape", "1", 1, 0))
ATTEMPT(remove_attribute, removexattr(SECRET, "user.kept"))
ATTEMPT(remove_journal, unlink(JOURNAL))
ATTEMPT(rename_journal, rename(JOURNAL, OTHER))
ATTEMPT(exchange, syscall(SYS_renameat2, AT_FDCWD, JOURNAL, AT_FDCWD, OTHER, 1))
ATTEMPT(link_secret, link(SECRET, OTHER))
ATTEMPT(link_by_name, symlink("/etc/shadow", OTHER))
ATTEMPT(make_folder, mkdir(OTHER, 0777))
ATTEMPT(remove_folder, rmdir(it->folder))
ATTEMPT(make_device, mknod(OTHER, S_IFCHR | 0666, (1 << 8) | 1))
ATTEMPT(make_pipe, mkfifo(OTHER, 0666))
ATTEMPT(go_there, chdir(it->folder))
ATTEMPT(change_root, chroot("/usr"))
ATTEMPT(write_all_back, (sync(), errno) == EPERM ? -1 : 0)
ATTEMPT(open_by_handle, syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0) == -1 && errno == EFAULT ? 0 : -1)

const struct stint_escape stint_file_escapes[] = {
  {"read a file that was not given to it", read_secret},
  {"write a file that was not given to it", write_secret},
  {"append to a file of the daemon", append_to_journal},
  {"truncate a file of the daemon", truncate_journal},
  {"set the set-user-id bit of a program", set_user_bit},
  {"remove all permissions of a file", close_secret},
  {"remove all permissions of a file by fchmodat2", close_in_new_way},
  {"change the owner of a file", give_away},
  {"change the owner of a link", give_link_away},
  {"change a file's time", change_time},
  {"change a file's time by utimes", change_time_in_old_way},
  {"set an attribute of a file", set_attribute},
  {"remove an attribute of a file", remove_attribute},
  {"remove a file of the daemon", remove_journal},
  {"rename a file of the daemon", rename_journal},
  {"exchange two files", exchange},
  {"link a file", link_secret},
  {"make a symbolic link", link_by_name},
  {"make a folder", make_folder},
  {"remove a folder", remove_folder},
  {"make a device", make_device},
  {"make a named pipe", make_pipe},
  {"create a file", create_beside},
  {"create a file without a name", create_hidden},
  {"list a folder", list_folder},
  {"change to a folder", go_there},
  {"read the passwords", read_passwords},
  {"read the list of users", read_users},
  {"write to the temporary folder", write_temporary},
  {"write to shared memory", write_shared},
  {"write to its own folder", write_own_folder},
  {"write to the libraries", write_library},
  {"change the mode of the libraries' folder", change_mode_of_library},
  {"set flags of a folder of the system", set_flags},
  {"change the mode of its own program", chmod_own},
  {"remove its own program", unlink_own},
  {"set a parameter of the kernel", set_kernel},
  {"open a terminal", open_terminal},
  {"open the machine's memory", open_memory},
  {"open the disk", open_disk},
  {"read a file through the root of another process", reach_host_folder},
  {"get a handle of a file", handle},
  {"open by a handle", open_by_handle},
  {"change its root", change_root},
  {"write all cached data to disk", write_all_back},
  {NULL, NULL},
};

#endif
