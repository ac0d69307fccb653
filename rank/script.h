// script.h: what the files of rank/ share. In the order of the pipeline: settings, the finding as scripts see it,
// the ranking itself.
#ifndef RANK_SCRIPT_H
#define RANK_SCRIPT_H

#include "annotators/host.h"
#include "rank/rank.h"

#define VETOED -10.0 // log-odds of what a script does not want to see

// settings.c ------------------------------------------------------------------
typedef struct {
    double value;
    bool fixed; // by --set: no script changes it
} Setting;
typedef struct {
    Intern names;          // of the settings
    Array(Setting) values; // by id; 0 is no setting
} Settings;
void settings_free(Settings *self);
const Setting *settings_find(const Settings *self, const char *name); // NULL when there is none
void settings_list(const Settings *self, FindingList *list);          // all of them, kept with what is ranked by them
void settings_assign(Settings *self, const char *assignment);         // NAME=VALUE of the command line
// Makes `settings` a global of the script: settings { name = 1 } and settings.name. `defines`: the names are new.
// While *scoring is not NULL nothing can be set.
void settings_open(Settings *self, Host *host, bool defines, Finding *const *scoring);

// view.c ----------------------------------------------------------------------
// Pushes a finding: read-only, its parts made when they are asked for. After view_close() it answers no more.
void *view_push(lua_State *lua, const Finding *finding);
void view_close(void *view);
void view_open(Host *host); // once for each script

#endif
