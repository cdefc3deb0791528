/* SPDX-License-Identifier: Apache-2.0 */
/* Shell completion, from the table of commands: `opendve help --completion SHELL`. */
#include "manual.h"
#include <stdlib.h>
#include <string.h>

/* Words that are collected for one place of the command line. */
static char *words;
static size_t used, room;

static void add(const char *word, size_t length)
{
    if (used + length + 2 > room) {
        size_t more = 2 * room + length + 256;
        char *bigger = realloc(words, more);
        if (!bigger)
            return;
        words = bigger;
        room = more;
    }
    if (used)
        words[used++] = ' ';
    memcpy(words + used, word, length);
    used += length;
    words[used] = '\0';
}

static void begin(void)
{
    used = 0;
    add("", 0);
    used = 0;
}

static void add_settings(void)
{
    size_t rows;
    const dve_assumption_info *row = dve_isa_assumptions(&rows);
    for (size_t i = 0; i < rows; i++)
        for (const char *value = row[i].values; *value;) {
            char text[96];
            size_t length = strcspn(value, " ");
            int size = snprintf(text, sizeof text, "%s=%.*s", row[i].id, (int)length, value);
            add(text, (size_t)size);
            value += length + (value[length] == ' ');
        }
}

const char *cli_words_of_value(const cli_option *option)
{
    size_t rows;
    begin();
    if (strcmp(option->name, "gen") == 0) {
        const dve_generation_info *row = dve_isa_generations(&rows);
        for (size_t i = 0; i < rows; i++)
            add(row[i].name, strlen(row[i].name));
    } else if (strcmp(option->name, "assume") == 0) {
        add_settings();
    } else if (option->value && strcmp(option->value, "COMMAND") == 0) {
        for (const cli_command *command = cli_commands; command->name; command++)
            add(command->name, strlen(command->name));
    } else if (option->value && strchr(option->value, '|') && !strpbrk(option->value, "./ ")) {
        for (const char *word = option->value; *word;) {
            size_t length = strcspn(word, "|");
            add(word, length);
            word += length + (word[length] == '|');
        }
    }
    return words;
}

/* Alternatives in lower case are words; MNEMONIC and COMMAND stand for theirs. */
const char *cli_words_of_operands(const cli_command *command)
{
    size_t rows;
    begin();
    const char *synopsis = command->synopsis;
    if (strstr(synopsis, "MNEMONIC")) {
        const dve_opcode_info *row = dve_isa_opcodes(&rows);
        for (size_t i = 0; i < rows; i++)
            add(row[i].mnemonic, strlen(row[i].mnemonic));
    }
    if (strstr(synopsis, "[COMMAND]"))
        for (const cli_command *c = cli_commands; c->name; c++)
            add(c->name, strlen(c->name));
    size_t first = strcspn(synopsis, " ");
    if (strspn(synopsis, "abcdefghijklmnopqrstuvwxyz-|") == first && memchr(synopsis, '|', first))
        for (const char *word = synopsis; word < synopsis + first;) {
            size_t length = strcspn(word, "| ");
            add(word, length);
            word += length + 1;
        }
    return words;
}

/* ---- bash ---- */

static void bash_command(FILE *stream, const cli_command *command)
{
    const cli_option *option;
    fprintf(stream, "    %s)\n        options='", command->name);
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++)
        fprintf(stream, "%s--%s", n ? " " : "", option->name);
    fputs("'\n        case $before in\n", stream);
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++)
        if (option->value) {
            fprintf(stream, "        --%s", option->name);
            if (option->letter)
                fprintf(stream, " | -%c", option->letter);
            fprintf(stream, ") words='%s' value=1 ;;\n", cli_words_of_value(option));
        }
    fprintf(stream, "        *) words='%s' ;;\n        esac ;;\n", cli_words_of_operands(command));
}

static void put_bash(FILE *stream)
{
    fputs("# " CLI_LICENCE "\n"
          "# Completion of opendve for bash; made by `opendve help --completion bash`.\n"
          "_opendve() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' words='' value=''\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W '",
          stream);
    for (const cli_command *command = cli_commands; command->name; command++)
        fprintf(stream, "%s ", command->name);
    fputs("--help --version' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", stream);
    for (const cli_command *command = cli_commands; command->name; command++)
        bash_command(stream, command);
    fputs("    *) return ;;\n    esac\n"
          "    if [[ $word == -* && -z $value ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    fi\n"
          "}\n"
          "complete -o default -F _opendve opendve\n",
          stream);
}

/* ---- zsh ---- */

/* Inside single quotes and _arguments' brackets. */
static void zsh_text(FILE *stream, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            fputs("'\\''", stream);
        else if (strchr("[]:\\", *c))
            fprintf(stream, "\\%c", *c);
        else
            fputc(*c, stream);
}

static void zsh_action(FILE *stream, const char *words_here)
{
    if (words_here && *words_here)
        fprintf(stream, "(%s)", words_here);
    else
        fputs("_files", stream);
}

static void zsh_command(FILE *stream, const cli_command *command)
{
    const cli_option *option;
    fprintf(stream, "    %s)\n        _arguments -s \\\n", command->name);
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++) {
        fprintf(stream, "            '*--%s%s[", option->name, option->value ? "=" : "");
        zsh_text(stream, option->help);
        fputc(']', stream);
        if (option->value) {
            fputc(':', stream);
            zsh_text(stream, option->value);
            fputc(':', stream);
            zsh_action(stream, cli_words_of_value(option));
        }
        fputs("' \\\n", stream);
    }
    fputs("            '*:operand:", stream);
    zsh_action(stream, cli_words_of_operands(command));
    fputs("' ;;\n", stream);
}

static void put_zsh(FILE *stream)
{
    fputs("#compdef opendve\n# " CLI_LICENCE "\n"
          "# Completion of opendve for zsh; made by `opendve help --completion zsh`.\n"
          "local -a commands\ncommands=(\n",
          stream);
    for (const cli_command *command = cli_commands; command->name; command++) {
        fprintf(stream, "    '%s:", command->name);
        zsh_text(stream, command->summary);
        fputs("'\n", stream);
    }
    fputs(")\nif ((CURRENT == 2)); then\n    _describe 'command' commands\n    return\nfi\n"
          "local command=$words[2]\nshift words\n((CURRENT--))\ncase $command in\n",
          stream);
    for (const cli_command *command = cli_commands; command->name; command++)
        zsh_command(stream, command);
    fputs("esac\n", stream);
}

/* ---- fish ---- */

static void fish_text(FILE *stream, const char *text)
{
    fputc('\'', stream);
    for (const char *c = text; *c; c++)
        if (*c == '\'' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else
            fputc(*c, stream);
    fputc('\'', stream);
}

static void fish_command(FILE *stream, const cli_command *command)
{
    const cli_option *option;
    const char *operands = cli_words_of_operands(command);
    fputs("complete -c opendve -n __fish_use_subcommand -f -a ", stream);
    fprintf(stream, "%s -d ", command->name);
    fish_text(stream, command->summary);
    fputc('\n', stream);
    if (operands && *operands)
        fprintf(stream, "complete -c opendve -n '__fish_seen_subcommand_from %s' -a '%s'\n", command->name, operands);
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++) {
        fprintf(stream, "complete -c opendve -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
        if (option->letter)
            fprintf(stream, " -s %c", option->letter);
        if (option->value) {
            const char *values = cli_words_of_value(option);
            fputs(" -r", stream);
            if (values && *values)
                fprintf(stream, " -f -a '%s'", values);
        }
        fputs(" -d ", stream);
        fish_text(stream, option->help);
        fputc('\n', stream);
    }
}

static void put_fish(FILE *stream)
{
    fputs("# " CLI_LICENCE "\n"
          "# Completion of opendve for fish; made by `opendve help --completion fish`.\n",
          stream);
    for (const cli_command *command = cli_commands; command->name; command++)
        fish_command(stream, command);
}

dve_status cli_completion(FILE *stream, const char *shell)
{
    static const struct { const char *name; void (*put)(FILE *stream); } shells[] = {
        {"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    for (unsigned i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].put(stream);
            free(words);
            words = NULL;
            used = room = 0;
            return DVE_OK;
        }
    return cli_fail(DVE_E_USAGE, "option --completion: \"%.40s\" was given, allowed are bash, zsh and fish", shell);
}
