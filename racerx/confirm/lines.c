// lines.c: where the code of a line is, and which line code is of, by the DWARF in a program or shared object.
// In: its path. Out: ranges of addresses, as linked; functions with file and line, inlined ones included.
//
// The table of lines says it for inlined code as well: each of its rows names the line that the code was written on,
// wherever the compiler put it. Paths are compared from their ends: those of racerx begin where the analysis did, those
// of the compiler where it ran.
#include "racerx/confirm/steer.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

enum {
    NEAR = 3,         // lines that a statement's code may be off by
    SCOPES_MOST = 32, // inlined into each other
};

typedef struct {
    const char *file; // as the compiler knew it
    u32 line;         //
    CodeRange range;  //
} LineRow;
typedef struct {
    u64 address, size;
    const char *name;
} Symbol;
struct Module {
    int descriptor;
    Dwarf *dwarf;
    Elf *elf;
    Array(LineRow) rows;       // by file (its pointer), then line
    Array(const char *) files; // each once
    Array(Symbol) symbols;     // by address
    bool steered;              // it calls the runtime
};

// reading -------------------------------------------------------------------------

static int row_order(const void *a, const void *b) {
    const LineRow *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : x->range.start < y->range.start ? -1 : 1;
}

static void read_rows(Module *self, Dwarf_Die *unit) {
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count))
        return;
    for (size_t i = 0; i + 1 < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr start, end;
        int number;
        bool ends;
        const char *file = dwarf_linesrc(line, NULL, NULL);
        if (file && !dwarf_lineno(line, &number) && !dwarf_lineaddr(line, &start) && !dwarf_lineaddr(next, &end) &&
            !dwarf_lineendsequence(line, &ends) && !ends && number > 0 && end > start)
            array_push(&self->rows, ((LineRow){file, (u32)number, {start, end}}));
    }
}

static void read_lines(Module *self) {
    Dwarf_Off at = 0, next;
    size_t header;
    while (!dwarf_nextcu(self->dwarf, at, &next, &header, NULL, NULL, NULL)) {
        Dwarf_Die unit;
        if (dwarf_offdie(self->dwarf, at + header, &unit))
            read_rows(self, &unit);
        at = next;
    }
    if (self->rows.count)
        qsort(self->rows.items, self->rows.count, sizeof *self->rows.items, row_order);
    for (u32 i = 0; i < self->rows.count; i++)
        if (!i || self->rows.items[i].file != self->rows.items[i - 1].file)
            array_push(&self->files, self->rows.items[i].file);
}

static int symbol_order(const void *a, const void *b) {
    const Symbol *x = a, *y = b;
    return x->address != y->address ? (x->address < y->address ? -1 : 1) : 0;
}

static void read_symbols(Module *self, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            continue;
        const char *name = elf_strptr(self->elf, header->sh_link, symbol.st_name);
        int type = GELF_ST_TYPE(symbol.st_info);
        if (!name)
            continue;
        self->steered |= symbol.st_shndx == SHN_UNDEF && !strcmp(name, "__tsan_init");
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_value && (type == STT_OBJECT || type == STT_FUNC))
            array_push(&self->symbols, ((Symbol){symbol.st_value, symbol.st_size, name}));
    }
}

static void read_sections(Module *self) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(self->elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            read_symbols(self, section, &header);
    }
    if (self->symbols.count)
        qsort(self->symbols.items, self->symbols.count, sizeof *self->symbols.items, symbol_order);
}

Module *module_open(const char *path) {
    Module *self = must_zero(sizeof *self);
    elf_version(EV_CURRENT);
    self->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    self->dwarf = self->descriptor < 0 ? NULL : dwarf_begin(self->descriptor, DWARF_C_READ);
    self->elf = self->dwarf ? dwarf_getelf(self->dwarf) : NULL;
    if (!self->elf) {
        module_close(self);
        return NULL;
    }
    read_lines(self);
    read_sections(self);
    return self;
}

void module_close(Module *self) {
    if (self->dwarf)
        dwarf_end(self->dwarf);
    if (self->descriptor >= 0)
        close(self->descriptor);
    array_free(&self->rows);
    array_free(&self->files);
    array_free(&self->symbols);
    free(self);
}

bool module_is_steered(const Module *self) { return self->steered; }

// lines to code -------------------------------------------------------------------

// The name before *end, which moves to its beginning; names that say nothing are passed over.
static size_t last_name(const char *path, const char **end) {
    for (;;) {
        while (*end > path && (*end)[-1] == '/')
            --*end;
        const char *last = *end;
        while (*end > path && (*end)[-1] != '/')
            --*end;
        if (last - *end != 1 || **end != '.')
            return (size_t)(last - *end);
    }
}

static u32 same_names(const char *a, const char *b) {
    const char *x = a + strlen(a), *y = b + strlen(b);
    for (u32 same = 0;; same++) {
        size_t length = last_name(a, &x), other = last_name(b, &y);
        if (!length || length != other || memcmp(x, y, length))
            return same;
    }
}

u32 module_fit(const Module *self, const char *file) {
    u32 best = 0;
    for (u32 i = 0; i < self->files.count; i++) {
        u32 same = same_names(self->files.items[i], file);
        best = same > best ? same : best;
    }
    return best;
}

const char *module_file(const Module *self, const char *file) {
    u32 best = module_fit(self, file);
    for (u32 i = 0; best && i < self->files.count; i++)
        if (same_names(self->files.items[i], file) == best)
            return self->files.items[i];
    return NULL;
}

// The first row of a file that is on this line, or later.
static u32 first_row(const Module *self, const char *file, u32 line) {
    u32 low = 0, high = self->rows.count;
    LineRow wanted = {.file = file, .line = line};
    while (low < high) {
        u32 middle = (low + high) / 2;
        const LineRow *row = &self->rows.items[middle];
        bool before = row->file != wanted.file ? row->file < wanted.file : row->line < wanted.line;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

static void find_in(const Module *self, const char *file, u32 line, CodeRangeArray *out) {
    for (u32 i = first_row(self, file, line);
         i < self->rows.count && self->rows.items[i].file == file && self->rows.items[i].line == line; i++)
        array_push(out, self->rows.items[i].range);
}

void module_find(const Module *self, const char *file, u32 line, CodeRangeArray *out) {
    u32 best = module_fit(self, file), before = out->count;
    for (u32 off = 0; best && off <= NEAR && out->count == before; off++)
        for (u32 i = 0; i < self->files.count; i++) {
            if (same_names(self->files.items[i], file) < best)
                continue;
            find_in(self, self->files.items[i], line + off, out);
            if (off && line > off)
                find_in(self, self->files.items[i], line - off, out);
        }
}

// code to lines -------------------------------------------------------------------

static bool unit_of(const Module *self, u64 address, Dwarf_Die *out) {
    Dwarf_Off at = 0, next;
    size_t header;
    while (!dwarf_nextcu(self->dwarf, at, &next, &header, NULL, NULL, NULL)) {
        if (dwarf_offdie(self->dwarf, at + header, out) && dwarf_haspc(out, address) > 0)
            return true;
        at = next;
    }
    return false;
}

static const char *die_name(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    return name ? name : "";
}

// Where an inlined function was called.
static void call_place(Dwarf_Die *die, Dwarf_Die *unit, WitnessFrame *out) {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files;
    dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file);
    dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line);
    const char *name = dwarf_getsrcfiles(unit, &files, NULL) ? NULL : dwarf_filesrc(files, file, NULL, NULL);
    *out = (WitnessFrame){"", name ? name : "", (u32)line};
}

void module_describe(Module *self, u64 address, WitnessFrameArray *out) {
    Dwarf_Die unit, *scopes = NULL;
    WitnessFrame frame = {"", "", 0};
    u64 offset;
    const char *symbol = module_symbol(self, address, &offset);
    int number, count = 0;
    if (unit_of(self, address, &unit)) {
        Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
        const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
        if (file && !dwarf_lineno(line, &number))
            frame.file = file, frame.line = (u32)number;
        count = dwarf_getscopes(&unit, address, &scopes);
    }
    for (int i = 0; i < count && i < SCOPES_MOST; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        frame.function = die_name(&scopes[i]);
        if (tag == DW_TAG_subprogram)
            break;
        array_push(out, frame);
        call_place(&scopes[i], &unit, &frame);
    }
    if (!*frame.function && symbol)
        frame.function = symbol;
    array_push(out, frame);
    free(scopes);
}

const char *module_symbol(const Module *self, u64 address, u64 *offset) {
    u32 low = 0, high = self->symbols.count;
    while (low < high) {
        u32 middle = (low + high) / 2;
        low = self->symbols.items[middle].address <= address ? middle + 1 : low;
        high = self->symbols.items[middle].address <= address ? high : middle;
    }
    while (low-- > 0 && self->symbols.items[low].address + 4096 * 1024 > address)
        if (address < self->symbols.items[low].address + self->symbols.items[low].size) {
            *offset = address - self->symbols.items[low].address;
            return self->symbols.items[low].name;
        }
    return NULL;
}
