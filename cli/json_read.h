/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that comes from users. Messages are printed here, with the file and the JSON path. */
#ifndef DVE_CLI_JSON_READ_H
#define DVE_CLI_JSON_READ_H

#include "cli.h"

/* The only document of a file, - is stdin; NULL with a message. */
json_object *cli_json_read(const char *path);
/* The same of a file that a directory is to hold: it must be a regular one, a FIFO is refused and not waited for. */
json_object *cli_json_read_regular(const char *path);

/* DVE_E_INPUT: "FILE: WHERE.NAME: ...". `where` is the path of the object that has the member; NAME may be "". */
dve_status cli_json_wrong(const char *file, const char *where, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The member of an object, DVE_E_INPUT unless it is there and of that type. */
dve_status cli_json_take(const char *file, const char *where, json_object *object, const char *name, json_type type,
                         json_object **out);

#endif
