// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the document goes: each case is a process of its own, started as a user starts it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/device.h"
#include "fake_device.h"
#include "sanitized.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

/* ---- Programs ---- */

static const char sheet[] = "gpuprof-sheet\t1\n"
                            "kernel\t0\tscale\tgroups=1\n"
                            "cost\t0\t0\t-\t-\t0\tfp32_fma=1\n"
                            "end\n";
static const char *const names[] = {"scale", NULL};
static struct fake_unit unit;

static void launch(void) {
  uint64_t threads = 32;
  gp_device_override(&fake_device);
  fake.next_unique_bytes = 64;
  fake_register(&unit, sheet, names);
  fake_launch(&unit, 0, NULL, 32, &threads, 1);
}

static void say(int descriptor, const char *text) {
  if (write(descriptor, text, strlen(text)) < 0)
    _exit(9);
}

/* Messages are out by then. */
static void train(void) {
  launch();
  say(STDERR_FILENO, "main ends\n");
}

static void print_and_train(void) {
  say(STDOUT_FILENO, "results\n");
  launch();
}

static void launch_nothing(void) {}

static void only_register(void) {
  gp_device_override(&fake_device);
  fake_register(&unit, sheet, names);
  say(STDERR_FILENO, "main ends\n");
}

static void change_folder(void) {
  if (chdir("/"))
    _exit(9);
  launch();
}

/* The program's handlers are its own business. */
static void signalled(int signal) {
  (void)signal;
  _exit(7);
}
static void train_with_handlers(void) {
  signal(SIGPIPE, signalled);
  signal(SIGXFSZ, signalled);
  launch();
}

/* Data get the number of a stream closed before the program began. */
static void open_data(void) {
  int data = open("data", O_RDWR | O_CREAT, 0666);
  if (data != STDOUT_FILENO && data != STDERR_FILENO)
    _exit(9);
  say(data, "data\n");
  launch();
}

static void close_errors_and_open_data(void) {
  close(STDERR_FILENO);
  open_data();
}

static void use_up_descriptors(void) {
  launch();
  while (open("/dev/null", O_RDONLY) >= 0)
    ;
}

static const struct program {
  const char *name;
  void (*run)(void);
} programs[] = {{"train", train},
                {"print_and_train", print_and_train},
                {"launch_nothing", launch_nothing},
                {"only_register", only_register},
                {"change_folder", change_folder},
                {"train_with_handlers", train_with_handlers},
                {"open_data", open_data},
                {"close_errors_and_open_data", close_errors_and_open_data},
                {"use_up_descriptors", use_up_descriptors}};

static int run_program(const char *name) {
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    if (!strcmp(programs[i].name, name)) {
      programs[i].run();
      return 0;
    }
  return 8;
}

/* ---- The folder of a case, the program's current folder ---- */

static char top[] = "/tmp/gpuprof-output-XXXXXX", folder[64], errors[1 << 16], self[4096];
static const char program_path[] = "program";

static void in_folder(char *path, size_t size, const char *name) {
  if (snprintf(path, size, "%s/%s", folder, name) >= (int)size)
    abort();
}

static void put(const char *name, const char *text, mode_t mode) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(chmod(name, mode), 0);
}

static char *contents(const char *name) {
  static char text[1 << 18];
  FILE *file = fopen(name, "r");
  if (!file)
    return NULL;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

static int is_document(const char *name) {
  struct stat facts;
  const char *text = lstat(name, &facts) || S_ISREG(facts.st_mode) ? contents(name) : NULL;
  return text && strstr(text, "\"schema\": \"gpuprof.roofline\"") && !strcmp(text + strlen(text) - 2, "}\n");
}

static unsigned mode_of(const char *name) {
  struct stat facts;
  assert_int_equal(lstat(name, &facts), 0);
  return facts.st_mode & 07777;
}

/* ---- Existing files in the place ---- */

static void nothing(void) {}
static void old_document(void) { put("report.json", "old\n", 0640); }
static void a_file_for_a_folder(void) { put("file", "text\n", 0644); }
static void a_folder(void) { assert_int_equal(mkdir("report.json", 0755), 0); }
static void a_pipe(void) { assert_int_equal(mkfifo("report.json", 0644), 0); }
static void a_link(void) {
  put("target.json", "old\n", 0644);
  assert_int_equal(symlink("target.json", "report.json"), 0);
}
static void a_dangling_link(void) { assert_int_equal(symlink("target.json", "report.json"), 0); }
static void a_loop_of_links(void) { assert_int_equal(symlink("report.json", "report.json"), 0); }
static void a_link_of_another_user(void) {
  a_link();
  assert_int_equal(lchown("report.json", NOBODY, NOBODY), 0);
}
static void a_file_of_another_user(void) {
  put("report.json", "old\n", 0666);
  assert_int_equal(chown("report.json", NOBODY, NOBODY), 0);
}
static void a_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "report.json"};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
  close(listener);
}
static void a_stale_part(void) { put("report.json.part", "half", 0644); }
static void a_planted_part(void) {
  put("victim", "victim\n", 0644);
  assert_int_equal(symlink("victim", "report.json.part"), 0);
}
static int held = -1;
static void a_part_of_a_living_process(void) {
  put("report.json.part", "half", 0644);
  held = open("report.json.part", O_RDONLY);
  assert_int_equal(flock(held, LOCK_EX), 0);
}
static void a_closed_folder(void) {
  assert_int_equal(chmod(".", 0555), 0);
  assert_int_equal(mkdir("tmp", 0700), 0);
  if (!geteuid())
    assert_int_equal(chown("tmp", NOBODY, NOBODY), 0);
}

/* ---- How the program is started, in its process ---- */

static void plain(void) {}
static void as_nobody(void) {
  if (!geteuid() && (setgid(NOBODY) || setuid(NOBODY)))
    _exit(9);
}
static void as_nobody_with_folder_for_temporary_files(void) {
  char path[128];
  in_folder(path, sizeof path, "tmp");
  setenv("TMPDIR", path, 1);
  as_nobody();
}
static void with_output_of_nobody(int descriptor) {
  int ends[2];
  if (pipe(ends) || dup2(ends[1], descriptor) < 0)
    _exit(9);
  close(ends[0]);
  close(ends[1]);
}
static void with_a_closed_pipe_as_output(void) { with_output_of_nobody(STDOUT_FILENO); }
static void with_a_closed_pipe_for_errors(void) { with_output_of_nobody(STDERR_FILENO); }
static void with_output_to_a_file(void) {
  int file = open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (dup2(file, STDOUT_FILENO) < 0)
    _exit(9);
  close(file);
}
static void without_output(void) { close(STDOUT_FILENO); }
static void without_errors(void) { close(STDERR_FILENO); }
static void with_small_files(void) {
  struct rlimit limit = {1024, 1024};
  setrlimit(RLIMIT_FSIZE, &limit);
}
static void with_few_descriptors(void) {
  struct rlimit limit = {16, 4096};
  setrlimit(RLIMIT_NOFILE, &limit);
}
static void as_rank_three(void) { setenv("RANK", "3", 1); }
static void with_a_long_name(void) {
  char *name = malloc(1 << 16);
  memset(name, 'x', 1 << 16);
  name[(1 << 16) - 1] = 0;
  setenv("GPUPROF_OUTPUT", name, 1);
  free(name);
}
static void with_a_pipe_for_settings(void) {
  if (mkfifo("settings", 0666))
    _exit(9);
  setenv("GPUPROF_CONFIG", "settings", 1);
}
static void with_a_filter_that_is_wrong(void) { setenv("GPUPROF_FILTER", "(", 1); }

/* ---- Running ---- */

struct scene {
  const char *name;
  void (*before)(void);
  const char *output;
  void (*start)(void);
  const char *program;
  const char *document; /* where it is; null: in gpuprof-PID.json, after two sentences; "": nowhere */
  const char *why;      /* in the first of them */
  int root;             /* other users are needed for it */
};

static int exec_program(const struct scene *scene, const char *path, int errors_to) {
  if (dup2(errors_to, STDERR_FILENO) < 0 || chdir(folder))
    return 9;
  close(errors_to);
  umask(022);
  setenv("GPUPROF_OUTPUT", scene->output, 1);
  unsetenv("TMPDIR");
  const int program = open(path, O_RDONLY | O_CLOEXEC); /* nobody may not enter its folder */
  scene->start();
  execl(path, path, scene->program, (char *)NULL);
  fexecve(program, (char *[]){(char *)path, (char *)scene->program, NULL}, environ);
  return 9;
}

/* Returns the process's status, and its messages in `errors`. */
static int run(const struct scene *scene, const char *path, pid_t *process) {
  int ends[2];
  size_t used = 0;
  assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
  if (!(*process = fork()))
    _exit(exec_program(scene, path, ends[1]));
  close(ends[1]);
  for (ssize_t n; (n = read(ends[0], errors + used, sizeof errors - 1 - used)) > 0;)
    used += (size_t)n;
  errors[used] = 0;
  close(ends[0]);
  int status = -1;
  waitpid(*process, &status, 0);
  return status;
}

static int count_parts(void) {
  int count = 0;
  DIR *stream = opendir(".");
  for (struct dirent *entry; (entry = readdir(stream));)
    count += strstr(entry->d_name, ".part") != NULL;
  closedir(stream);
  return count;
}

static void begin(const char *name) {
  static int number;
  snprintf(folder, sizeof folder, "%s/%d", top, number++);
  assert_int_equal(mkdir(folder, 0777), 0);
  assert_int_equal(chdir(folder), 0);
  (void)name;
}

static int lines(const char *text) {
  int count = 0;
  for (; (text = strchr(text, '\n')); text++)
    count++;
  return count;
}

static void fallback_path(char *path, size_t size, const struct scene *scene, pid_t process) {
  const int below_folder = scene->start != as_nobody, in_tmp = scene->before == a_closed_folder;
  snprintf(path, size, "%s%s/gpuprof-%d.json", below_folder ? folder : "", in_tmp ? "/tmp" : "", (int)process);
}

static void check_fallback(const struct scene *scene, pid_t process) {
  char path[192], told[256];
  fallback_path(path, sizeof path, scene, process);
  if (!is_document(path))
    fail_msg("%s: no document in '%s': %s", scene->name, path, errors);
  if (scene->start == as_nobody)
    unlink(path);
  snprintf(told, sizeof told, "the report is in '%s'", path);
  const char *failed = strstr(errors, "cannot be written to '");
  if (!failed || !strstr(failed, scene->why) || !strstr(failed, told))
    fail_msg("%s: '%s' lacks '%s'", scene->name, errors, told);
}

static void check(const struct scene *scene) {
  pid_t process;
  if (scene->root && geteuid()) {
    print_message("not run, since only root can give files to other users: %s\n", scene->name);
    return;
  }
  begin(scene->name);
  scene->before();
  int status = run(scene, self, &process);
  if (status)
    fail_msg("%s: ended with status %#x: %s", scene->name, (unsigned)status, errors);
  if (!scene->document)
    check_fallback(scene, process);
  else if (scene->document[0] && !is_document(scene->document))
    fail_msg("%s: no document in '%s': %s", scene->name, scene->document, errors);
  else if (scene->document[0] && lines(errors) > (strcmp(scene->program, "train") == 0))
    fail_msg("%s: '%s'", scene->name, errors);
  if (count_parts() != (scene->before == a_planted_part) + (scene->before == a_part_of_a_living_process))
    fail_msg("%s: a part is left, or gone", scene->name);
}

static const struct scene scenes[] = {
    {"a new file", nothing, "report.json", plain, "train", "report.json", 0, 0},
    {"folders are made", nothing, "a/b/report.json", plain, "train", "a/b/report.json", 0, 0},
    {"patterns", nothing, "a-%r/r%%.json", as_rank_three, "train", "a-3/r%.json", 0, 0},
    {"the folder in which it was started", nothing, "report.json", plain, "change_folder", "report.json", 0, 0},
    {"below a file", a_file_for_a_folder, "file/report.json", plain, "train", NULL, "Not a directory", 0},
    {"a folder", a_folder, "report.json", plain, "train", NULL, "it is a folder", 0},
    {"a folder that is none yet", nothing, "out/", plain, "train", NULL, "it is a folder", 0},
    {"a socket", a_socket, "report.json", plain, "train", NULL, "it is a socket", 0},
    {"a pipe that nobody reads", a_pipe, "report.json", plain, "train", NULL, "nobody reads from it", 0},
    {"a full device", nothing, "/dev/full", plain, "train", NULL, "No space left on device", 0},
    {"a device", nothing, "/dev/null", plain, "train", "", 0, 0},
    {"a link", a_link, "report.json", plain, "train", "target.json", 0, 0},
    {"a dangling link", a_dangling_link, "report.json", plain, "train", "target.json", 0, 0},
    {"a loop of links", a_loop_of_links, "report.json", plain, "train", NULL, "Too many levels of symbolic links", 0},
    {"a link of another user", a_link_of_another_user, "report.json", plain, "train", "report.json", 0, 1},
    {"a file of another user", a_file_of_another_user, "report.json", plain, "train", "report.json", 0, 1},
    {"a stale part", a_stale_part, "report.json", plain, "train", "report.json", 0, 0},
    {"a planted part", a_planted_part, "report.json", plain, "train", "report.json", 0, 0},
    {"a living part", a_part_of_a_living_process, "report.json", plain, "train", "report.json", 0, 0},
    {"no folder but TMPDIR", a_closed_folder, "report.json", as_nobody_with_folder_for_temporary_files, "train", NULL,
     "Permission denied", 0},
    {"no folder but /tmp", a_closed_folder, "report.json", as_nobody, "train", NULL, "Permission denied", 0},
    {"a very long name", nothing, "", with_a_long_name, "train", NULL, "File name too long", 0},
    {"standard output is closed", nothing, "/dev/stdout", without_output, "train", NULL, "descriptor is closed", 0},
    {"standard output is a closed pipe", nothing, "/dev/stdout", with_a_closed_pipe_as_output, "train_with_handlers", NULL,
     "its reader has gone", 0},
    {"standard output is a file", nothing, "/dev/stdout", with_output_to_a_file, "print_and_train", "", 0, 0},
    {"standard output is a file of the program's", nothing, "/dev/stdout", without_output, "open_data", NULL,
     "a file of its own", 0},
    {"a descriptor that is not there", nothing, "/dev/fd/77", plain, "train", NULL, "descriptor is closed", 0},
    {"errors go to a closed pipe", a_folder, "report.json", with_a_closed_pipe_for_errors, "train_with_handlers", "", 0, 0},
    {"standard error is a file of the program's", a_folder, "report.json", without_errors, "open_data", "", 0, 0},
    {"standard error became a file of the program's", a_folder, "report.json", plain, "close_errors_and_open_data", "", 0, 0},
    {"too large a file", old_document, "report.json", with_small_files, "train_with_handlers", "", 0, 0},
    {"no descriptor is left", nothing, "report.json", with_few_descriptors, "use_up_descriptors", "report.json", 0, 0},
    {"kernels are not launched", a_file_for_a_folder, "file/report.json", plain, "only_register", NULL, "Not a directory", 0},
    {"nothing is launched", nothing, "a/report.json", plain, "launch_nothing", "", 0, 0},
};

static const struct scene *scene_of(const char *name) {
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    if (!strcmp(scenes[i].name, name))
      return &scenes[i];
  fail_msg("no scene '%s'", name);
  return NULL;
}

static void assert_contents(const char *name, const char *expected) {
  const char *text = contents(name);
  assert_non_null(text);
  assert_string_equal(text, expected);
}

/* ---- Tests ---- */

static void document_goes_where_it_can(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    check(&scenes[i]);
}

static void mode_is_that_of_the_old_document(void **state) {
  (void)state;
  check(scene_of("a new file"));
  assert_int_equal(mode_of("report.json"), 0644);
  const struct scene again = {"again", old_document, "report.json", plain, "train", "report.json", 0, 0};
  check(&again);
  assert_int_equal(mode_of("report.json"), 0640);
  if (geteuid())
    return;
  check(scene_of("a file of another user"));
  assert_int_equal(mode_of("report.json"), 0644);
}

static void links_are_followed_if_they_are_ours(void **state) {
  (void)state;
  struct stat facts;
  check(scene_of("a link"));
  assert_int_equal(lstat("report.json", &facts), 0);
  assert_true(S_ISLNK(facts.st_mode));
  check(scene_of("a planted part"));
  assert_contents("victim", "victim\n");
  if (geteuid())
    return;
  check(scene_of("a link of another user"));
  assert_contents("target.json", "old\n");
}

static void part_of_a_living_process_is_left_alone(void **state) {
  (void)state;
  check(scene_of("a living part"));
  assert_contents("report.json.part", "half");
}

static void old_document_outlives_a_failure(void **state) {
  (void)state;
  check(scene_of("too large a file"));
  assert_contents("report.json", "old\n");
  assert_non_null(strstr(errors, "File too large"));
  assert_int_equal(lines(errors), 1);
}

/* On a full disk the fallback is another disk. */
static void full_disk_keeps_the_old_document(void **state) {
  (void)state;
  pid_t process;
  begin("full");
  assert_int_equal(mkdir("disk", 0777), 0);
  if (mount("none", "disk", "tmpfs", 0, "size=8k")) {
    print_message("not run, since no small disk can be mounted: %s\n", strerror(errno));
    return;
  }
  put("disk/report.json", "old\n", 0644);
  const struct scene scene = {"full", nothing, "disk/report.json", plain, "train", NULL, "No space left on device", 0};
  int status = run(&scene, self, &process), parts = !access("disk/report.json.part", F_OK);
  char old[64];
  snprintf(old, sizeof old, "%.63s", contents("disk/report.json"));
  umount("disk");
  assert_int_equal(status, 0);
  assert_string_equal(old, "old\n");
  assert_false(parts);
  check_fallback(&scene, process);
}

static void streams_get_the_document_behind_what_was_printed(void **state) {
  (void)state;
  check(scene_of("standard output is a file"));
  const char *text = contents("out.txt");
  assert_non_null(text);
  assert_memory_equal(text, "results\n{", 9);
  check(scene_of("nothing is launched"));
  assert_int_equal(access("a", F_OK), -1);
}

static void files_of_the_program_get_nothing(void **state) {
  (void)state;
  static const char *const all[] = {"standard output is a file of the program's", "standard error is a file of the program's",
                                    "standard error became a file of the program's"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    check(scene_of(all[i]));
    assert_contents("data", "data\n");
  }
}

static void devices_are_written_not_replaced(void **state) {
  (void)state;
  struct stat facts;
  check(scene_of("a device"));
  assert_string_equal(errors, "main ends\n");
  assert_int_equal(stat("/dev/null", &facts), 0);
  assert_true(S_ISCHR(facts.st_mode));
}

static void what_is_wrong_is_said_at_the_first_launch(void **state) {
  (void)state;
  check(scene_of("below a file"));
  const char *failed = strstr(errors, "cannot be written"), *end = strstr(errors, "main ends"), *told = strstr(errors, "is in '");
  assert_true(failed && end && told && failed < end && end < told);
  assert_int_equal(lines(errors), 3);
  check(scene_of("kernels are not launched"));
  assert_ptr_equal(strstr(errors, "main ends"), errors);
}

static void settings_in_a_pipe_are_not_waited_for(void **state) {
  (void)state;
  pid_t process;
  begin("settings");
  const struct scene scene = {"settings", nothing, "report.json", with_a_pipe_for_settings, "train", "report.json", 0, 0};
  assert_int_equal(run(&scene, self, &process), 0);
  assert_true(is_document("report.json"));
  assert_non_null(strstr(errors, "cannot read 'settings'"));
}

/* Reads a pipe as slowly as it likes. */
static pid_t start_reader(int reads) {
  pid_t reader = fork();
  if (reader)
    return reader;
  int pipe = open("report.json", O_RDONLY), copy = open("copy.json", O_WRONLY | O_CREAT, 0666);
  char bytes[512];
  fcntl(pipe, F_SETPIPE_SZ, 4096);
  if (!reads)
    pause();
  for (ssize_t n; (n = read(pipe, bytes, sizeof bytes)) > 0;)
    if (write(copy, bytes, (size_t)n) != n)
      _exit(9);
  _exit(0);
}

/* The reader must have opened the pipe. */
static void await_reader(void) {
  int pipe;
  while ((pipe = open("report.json", O_WRONLY | O_NONBLOCK)) < 0 && errno == ENXIO)
    usleep(1000);
  held = pipe; /* kept open: the reader would take its close for the end */
}

static int run_to_reader(int reads, pid_t *process) {
  const struct scene scene = {"pipe", nothing, "report.json", plain, "train_with_handlers", NULL, NULL, 0};
  begin("pipe");
  a_pipe();
  pid_t reader = start_reader(reads);
  await_reader();
  int status = run(&scene, self, process);
  close(held);
  if (!reads)
    kill(reader, SIGKILL);
  waitpid(reader, NULL, 0);
  return status;
}

static void pipes_get_the_document(void **state) {
  (void)state;
  pid_t process;
  assert_int_equal(run_to_reader(1, &process), 0);
  assert_true(is_document("copy.json"));
  assert_string_equal(errors, "");
  assert_int_equal(run_to_reader(0, &process), 0);
  assert_non_null(strstr(errors, "its reader has stopped reading"));
  char path[64];
  snprintf(path, sizeof path, "gpuprof-%d.json", (int)process);
  assert_true(is_document(path));
}

/* A program with more rights than its caller could be made to write anywhere. */
static void program_with_rights_of_another_user_writes_nothing(void **state) {
  (void)state;
  char command[8192];
  pid_t process;
  SKIP_IF(geteuid(), "only root can make a program that has another user's rights");
  SKIP_IF(SANITIZED, "such a program does not read a sanitizer's options, and ends when leaks are looked for");
  begin("rights");
  snprintf(command, sizeof command, "cp '%s' %s && chown %d %s && chmod 4755 %s && chmod 777 .", self, program_path, NOBODY,
           program_path, program_path);
  assert_int_equal(system(command), 0);
  const struct scene scene = {"rights", nothing, "report.json", with_a_filter_that_is_wrong, "train", "", 0, 0};
  int status = run(&scene, "./program", &process);
  unlink(program_path);
  assert_int_equal(status, 0);
  assert_string_equal(errors, "main ends\n");
  assert_int_equal(access("report.json", F_OK), -1);
  assert_int_equal(rmdir(folder), 0); /* nothing else either */
}

static int make_top(void **state) {
  (void)state;
  return mkdtemp(top) && !chmod(top, 0755) ? 0 : -1;
}

static int remove_top(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", top);
  return chdir("/") || system(command);
}

int main(int count, char **arguments) {
  if (count > 1)
    return run_program(arguments[1]);
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(document_goes_where_it_can),
      cmocka_unit_test(mode_is_that_of_the_old_document),
      cmocka_unit_test(links_are_followed_if_they_are_ours),
      cmocka_unit_test(part_of_a_living_process_is_left_alone),
      cmocka_unit_test(old_document_outlives_a_failure),
      cmocka_unit_test(full_disk_keeps_the_old_document),
      cmocka_unit_test(streams_get_the_document_behind_what_was_printed),
      cmocka_unit_test(files_of_the_program_get_nothing),
      cmocka_unit_test(devices_are_written_not_replaced),
      cmocka_unit_test(what_is_wrong_is_said_at_the_first_launch),
      cmocka_unit_test(settings_in_a_pipe_are_not_waited_for),
      cmocka_unit_test(pipes_get_the_document),
      cmocka_unit_test(program_with_rights_of_another_user_writes_nothing),
  };
  return cmocka_run_group_tests(tests, make_top, remove_top);
}
