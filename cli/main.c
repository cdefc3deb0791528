/* SPDX-License-Identifier: Apache-2.0 */
/* The opendve program: finds the command, runs it, answers its status. */
#include "cli.h"
#include "io/outfile.h"
#include "io/tree.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Outputs that are not finished vanish; the status says which signal it was. */
static void on_signal(int number)
{
    dve_outset_unlink_temporaries();
    dve_tree_unlink_temporaries();
    _exit(128 + number);
}

static void set_signals(void)
{
    static const int ends[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGXCPU,
                               SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM};
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);           /* a reader that went away is a failed write, */
    sigaction(SIGXFSZ, &action, NULL);           /* and so is a limit on the size of files */
    action.sa_handler = on_signal;
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
}

/* A closed standard stream would lend its number to the next file opened, and text would go there. Its
 * place is taken by something that fails as a closed one does. */
static void guard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static dve_status unknown_command(const char *name)
{
    char hint[96];
    cli_guess guess = cli_guess_begin(name);
    for (const cli_command *command = cli_commands; command->name; command++)
        cli_guess_try(&guess, command->name);
    return cli_fail(DVE_E_USAGE, "there is no command \"%.100s\"%s; `opendve help` lists them", name,
                    cli_guess_hint(&guess, "", hint, sizeof hint));
}

static dve_status run(const cli_command *command, int count, char **words)
{
    static cli_arguments arguments;
    dve_status status = cli_parse(command, count, words, &arguments);
    if (status)
        return status;
    if (cli_flag(&arguments, "help")) {
        cli_help_command(stdout, command);
        return DVE_OK;
    }
    return command->run(&arguments);
}

static dve_status dispatch(int count, char **words)
{
    if (count < 2) {
        cli_help_all(stderr);
        return DVE_E_USAGE;
    }
    const char *name = words[1];
    if (strcmp(name, "--version") == 0) {
        printf("opendve %s\n", OPENDVE_VERSION);
        return DVE_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        cli_help_all(stdout);
        return DVE_OK;
    }
    if (name[0] == '-')
        return cli_fail(DVE_E_USAGE, "the command comes first, \"%.100s\" was given; `opendve help` lists the commands",
                        name);
    const cli_command *command = cli_command_named(name);
    return command ? run(command, count - 2, words + 2) : unknown_command(name);
}

int main(int argc, char **argv)
{
    guard_streams();
    set_signals();
    dve_status status = dispatch(argc, argv);
    dve_status flushed = cli_flush();
    return status ? (int)status : (int)flushed;
}
