// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/process.h"

#include "common/say.h"
#include "common/text.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int process_run(char *const *command, const char *advice) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    return fail("cannot start a process: %s; end some programs and try again.", strerror(errno));
  if (child == 0) {
    execvp(command[0], command);
    fail("cannot run '%s': %s; %s.", command[0], strerror(errno), advice);
    _exit(EXIT_NOT_FOUND);
  }
  void (*interrupt)(int) = signal(SIGINT, SIG_IGN); /* the program gets it too, and decides */
  void (*quit)(int) = signal(SIGQUIT, SIG_IGN);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  signal(SIGINT, interrupt); /* the next program inherits it */
  signal(SIGQUIT, quit);
  if (WIFSIGNALED(status)) {
    note("the program was ended by signal %d (%s).", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
  }
  return WEXITSTATUS(status);
}

static void run_for_output(char *const *command, int to) {
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(to, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  execvp(command[0], command);
  _exit(EXIT_NOT_FOUND);
}

bool process_read(char *const *command, struct text *out) {
  int ends[2], status = -1;
  char part[4096];
  fflush(NULL);
  if (pipe2(ends, O_CLOEXEC))
    return false;
  const pid_t child = fork();
  if (child == 0)
    run_for_output(command, ends[1]);
  close(ends[1]);
  for (ssize_t count; child > 0 && (count = read(ends[0], part, sizeof part)) > 0;)
    text_bytes(out, part, (size_t)count);
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char *temporary_folder(void) {
  const char *below = getenv("TMPDIR");
  char *folder = format_string("%s/gpuprof-XXXXXX", below && *below ? below : "/tmp");
  if (mkdtemp(folder))
    return folder;
  fail("cannot make a folder like '%s': %s; set TMPDIR to a folder that is writable.", folder,
       strerror(errno));
  free(folder);
  return NULL;
}

void temporary_folder_remove(char *folder) {
  glob_t found = {0};
  char *pattern = format_string("%s/*", folder);
  if (!glob(pattern, 0, NULL, &found))
    for (size_t i = 0; i < found.gl_pathc; ++i)
      unlink(found.gl_pathv[i]);
  globfree(&found);
  rmdir(folder);
  free(pattern);
  free(folder);
}
