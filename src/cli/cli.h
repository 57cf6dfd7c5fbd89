/* SPDX-License-Identifier: MIT */
/* The command line: the only room that prints or decides the exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

/* Runs one command and returns the exit status of the process. */
int cli_main(int argc, char **argv);

#endif
