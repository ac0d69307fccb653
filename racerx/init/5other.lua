-- other.lua: what runs by itself, what functions do, the summary.

-- what runs by itself ------------------------------------------------------------------
local contexts = {
    { "interrupt", set "irq irqs intr interrupt interrupts isr vector exti nmi" },
    { "work", set "work workqueue taskqueue workq defer deferred task_queue wq job jobs" },
    { "timer", set "timer timeout callout hrtimer alarm ktimer tick ticker timeouts cyclic" },
    { "softirq", set "softirq softint tasklet bh softintr dpc rcu" },
    { "thread", set "thread threads kthread pthread task lwp proc process fiber coroutine spawn fork thrd daemon worker kproc" },
    { "signal", set "signal sigaction sighandler" },
}
local register_verbs = set [[ create start init register request attach establish connect add set setup new spawn fork run reset schedule
    enqueue queue submit launch install dispatch arg hook exec begin define make make2 post kick ]]
local register_parts = { "create", "start", "register", "establish", "attach", "request", "init", "spawn", "timeout", "callout", "setup", "connect", "launch" }
local not_register = set [[ free del delete cancel stop destroy remove unregister disestablish detach join kill test assert printf print log
    find search foreach each for walk iterate sort cmp compare visit apply map disconnect cleanup clean resolve update next get has is unset
    clear release put end crash test tests check untimeout unschedule unset unhook uninstall unqueue ]]
local roots_found = {}
for _, h in ipairs(handed()) do
    local context
    local _, said = known(h.name)
    if not said and share(h.count, h.calls) >= 0.4 and h.calls >= 1 and not has_word(h.name, not_register) then
        for _, c in ipairs(contexts) do
            if not context and has_word(h.name, c[2]) then context = c[1] end
        end
        if not context then
            local lower = h.name:lower()
            for _, c in ipairs(contexts) do
                for word in pairs(c[2]) do
                    if not context and #word > 5 and find(lower, word) then context = c[1] end
                end
            end
        end
    end
    if context then
        local verb = has_word(h.name, register_verbs) or has_part(h.name, register_parts) or context == "timer" or context == "work"
        local item = { name = h.name, argument = h.argument, context = context, count = h.count, calls = h.calls, sure = verb and (h.count >= 2 or context == "thread") }
        -- The argument after the handler goes to it, when the handler takes one untyped pointer.
        local usual = 1
        for i = 2, 9 do
            if h.arguments[i] > h.arguments[usual] then usual = i end
        end
        local data = h.argument + 1
        if data <= 8 and data <= usual - 1 and share(h.pointer, h.count) >= 0.5 and share(h.params[1], h.count) < 0.5 then item.data = data end
        if h.argument > 1 and h.data[1] == h.count and context ~= "interrupt" then item.object = 1 end
        roots_found[#roots_found + 1] = item
    end
end
table.sort(roots_found, function(a, b) return a.count > b.count or (a.count == b.count and (a.name < b.name or (a.name == b.name and a.argument < b.argument))) end)

local register_rows, register_order, registers_sure = {}, {}, 0
for _, item in ipairs(roots_found) do
    local text = "arg = " .. item.argument .. (item.data and ", data = " .. item.data or "") .. (item.object and ", object = " .. item.object or "")
        .. ", context = " .. quote(item.context)
    if item.sure then
        if not register_rows[text] then
            register_rows[text] = {}
            register_order[#register_order + 1] = text
        end
        local list = register_rows[text]
        if #list < 12 then
            list[#list + 1] = item
            registers_sure = registers_sure + 1
        end
    end
    entry { name = item.name, effect = "registers", kind = item.context, reason = plural(item.count, "function") .. " handed to it", calls = item.calls,
        argument = item.argument, sure = item.sure }
end
section "What runs by itself"
local budget = math.max(8, math.min(20, 88 - active))
for i, text in ipairs(register_order) do
    if i <= budget then
        local names, count = {}, 0
        for _, item in ipairs(register_rows[text]) do
            names[#names + 1] = item.name
            count = count + item.count
        end
        put(string.format("-- %s handed over", plural(count, "function")))
        put("registers { " .. names_text(names) .. ", " .. text .. " }")
        active = active + 1
    end
end
do
    local shown = 0
    for _, item in ipairs(roots_found) do
        if not item.sure and shown < 8 then
            shown = shown + 1
            put_doubtful(string.format("Doubtful, no word says that it starts something: %s handed over", plural(item.count, "function")),
                string.format("registers { %s, arg = %d, context = %s }", quote(item.name), item.argument, quote(item.context)))
        end
    end
end

-- Waiting for the end of something that was started.
local join_verbs = set "join stop cancel kill del delete drain flush halt untimeout disestablish sync"
do
    local groups, order = {}, {}
    for _, name in ipairs(names_with { "join", "cancel", "drain", "del_", "untimeout", "disestablish", "halt" }) do
        local context
        if has_word(name, join_verbs) and not known(name) and fact(name).calls >= 2 and arguments_of(name) >= 1 and arguments_of(name) <= 2 then
            for _, c in ipairs(contexts) do
                if not context and has_word(name, c[2]) and c[1] ~= "signal" then context = c[1] end
            end
            local found = false -- only where something of the context is started, and only what surely waits
            for _, item in ipairs(roots_found) do found = found or (item.sure and item.context == context) end
            local waits_ = has_word(name, set "join drain sync flush") or find(name:lower(), "halt") or find(name:lower(), "disestablish")
            if context and found and waits_ then
                if not groups[context] then
                    groups[context] = {}
                    order[#order + 1] = context
                end
                local list = groups[context]
                if #list < 10 then list[#list + 1] = name end
            end
        end
    end
    for _, context in ipairs(order) do
        put("joins { " .. names_text(groups[context]) .. ", arg = 1, context = " .. quote(context) .. " }")
        active = active + 1
    end
end

-- Tables of functions: of system calls and of operations.
local table_words = set "syscall syscalls sysent sys_call_table systbl sysvec"
local operation_words = set "ops operations fops methods vtable switch cdevsw bdevsw sw vector vfsops vnodeops calls funcs functions interface api procs"
local user_words = set "file files vnode vnops vops cdevsw bdevsw dev_ops chr char block tty fs inode super socket proto proc vfs cdev bdev devsw vop net device driver"
local tables, operations = {}, {}
for _, st in ipairs(stored()) do
    local lower = (st.variable or ""):lower()
    if st.variable and (has_word(st.variable, table_words) or find(lower, "syscall") or find(lower, "sysent")) and st.count >= 3 then
        tables[#tables + 1] = st.variable
    end
    if st.type and st.member then
        operations[st.type] = operations[st.type] or { members = 0, count = 0 }
        operations[st.type].members = operations[st.type].members + 1
        operations[st.type].count = operations[st.type].count + st.count
    elseif st.type and (find(st.type:lower(), "syscall") or find(st.type:lower(), "sysent")) and st.count >= 3 then
        operations[st.type] = operations[st.type] or { members = 2, count = 0 }
        operations[st.type].count = operations[st.type].count + st.count
        operations[st.type].syscall = true
    end
end
local has_main = fact("main").functions > 0
if #tables > 0 and not addition then
    put "annotate(function(program) -- tables of system calls: any thread, at any time"
    for i, name in ipairs(tables) do
        if i <= 5 then put("    mark(program:stored_in(" .. quote(name) .. "), \"multithreaded\")") end
    end
    put "end)"
    active = active + 1
end
do
    local list = {}
    for type, found in pairs(operations) do
        if found.members >= 2 and found.count >= 4 then list[#list + 1] = { name = type, calls = found.count, syscall = found.syscall, members = found.members } end
    end
    table.sort(list, by_calls)
    local shown = 0
    for _, item in ipairs(list) do
        local known_type = addition or known_field("struct " .. item.name)
        local user = item.syscall or (has_word(item.name, operation_words) and has_word(item.name, user_words)) or find(item.name:lower(), "devsw") ~= nil
        if not known_type and user and shown < 6 then
            shown = shown + 1
            local text = string.format("registers { field = %s, context = \"syscall\" }", quote("struct " .. item.name))
            local why = string.format("%s in %s", plural(item.calls, "function"), plural(item.members, "member"))
            if has_main and not item.syscall and presets_used ~= "" then put_doubtful("Doubtful in a program with main: " .. why, text)
            elseif item.calls >= 8 or item.syscall then
                put("-- " .. why)
                put(text)
                active = active + 1
            else put_doubtful("Doubtful, few: " .. why, text) end
            entry { name = item.name, effect = "registers", kind = "syscall", reason = why, calls = item.calls, argument = 0, sure = item.calls >= 8 }
        end
    end
end

-- what functions do --------------------------------------------------------------------
section "What functions do"
local function put_list(declaration, list, note_, least)
    table.sort(list, by_calls)
    local names, count = {}, 0
    for _, item in ipairs(list) do
        if #names < (least or 30) then
            names[#names + 1] = item.name
            count = count + item.calls
            entry { name = item.name, effect = declaration, kind = "", reason = note_, calls = item.calls, argument = 0, sure = true }
        end
    end
    if #names == 0 then return end
    put(string.format("-- %s, %s", plural(count, "call"), note_))
    put(declaration .. " " .. (#names == 1 and quote(names[1]) or names_text(names)))
    active = active + 1
end
local function candidate(name)
    local _, said = known(name)
    return not said and not best[name] and fact(name).calls >= 2
end

local gone, maybe_gone = {}, {}
local gone_words = set "panic fatal abort die bug bugcheck halt trap unreachable croak oops hang bail fail exit reboot crash kpanic doom"
for _, name in ipairs(names_with { "panic", "fatal", "abort", "die", "bug", "halt", "unreachable", "crash", "exit", "hang", "fail" }) do
    local f = fact(name)
    if candidate(name) and not is_hollow(name) then
        local strong = has_word(name, set "panic kpanic abort die unreachable") and #(split_name(name)) <= 2
        if f.noreturn then gone[#gone + 1] = { name = name, calls = f.calls }
        elseif strong and share(f.tested + f.assigned, f.calls) < 0.02 and share(f.ends, f.calls) >= 0.3 and f.calls >= 5
            and (find(name:lower(), "panic") or name == "die" or name == "unreachable") then gone[#gone + 1] = { name = name, calls = f.calls }
        elseif has_word(name, gone_words) and share(f.ends, f.calls) >= 0.6 and f.calls >= 10 and share(f.tested + f.assigned, f.calls) == 0 then
            maybe_gone[#maybe_gone + 1] = { name = name, calls = f.calls }
        end
    end
end
put_list("noreturn", gone, "declared so, or called where a path ends")
table.sort(maybe_gone, by_calls)
for i, item in ipairs(maybe_gone) do
    if i <= 3 then put_doubtful(string.format("Doubtful: %s of %s end a block", percent(fact(item.name).ends, item.calls), plural(item.calls, "call")), "noreturn " .. quote(item.name)) end
end

local fresh, freed = {}, {}
for _, name in ipairs(names_with { "alloc", "strdup", "memdup" }) do
    local f = fact(name)
    local words_ = split_name(name)
    local last = words_[#words_] or ""
    local ends_right = match(name:lower(), "(alloc|zalloc|calloc|malloc|strdup|memdup|realloc)(_(array|node|zero|clear|wait|nowait|flags|aligned|atomic|r))?$") ~= nil
    if candidate(name) and not is_hollow(name) and f.calls >= 4 and share(f.assigned + f.returned, f.calls) >= 0.7 and share(f.null, f.calls) >= 0.3
        and (ends_right or starts(name:lower(), "alloc")) then
        fresh[#fresh + 1] = { name = name, calls = f.calls }
    end
end
for _, name in ipairs(names_with { "free" }) do
    local f = fact(name)
    if candidate(name) and not is_hollow(name) and f.calls >= 4 and arguments_of(name) >= 1 and share(f.assigned + f.tested, f.calls) < 0.05
        and match(name:lower(), "(^|_)[a-z]?free$") and arguments_of(name) <= 2 and share(f.constant[1], f.calls) < 0.2 then
        freed[#freed + 1] = { name = name, calls = f.calls }
    end
end
put_list("allocates", fresh, "results tested for NULL, and fresh by their names", 25)
put_list("frees", freed, "by their names", 15)

local sleeps, maybe_sleeps = {}, {}
local sleep_words = set "sleep msleep usleep tsleep nanosleep delay yield wait pause suspend relinquish pend kpause ssleep waitfor"
for _, name in ipairs(names_with { "sleep", "delay", "yield", "wait", "pause", "suspend", "pend" }) do
    local f = fact(name)
    if candidate(name) and not is_hollow(name) and f.calls >= 3 and not has_word(name, set "init queue head no nowait set get is has try state mode power pm busy cpu atomic udelay ndelay poll spin trace latency") then
        local list = split_name(name)
        local last = list[#list]
        local words_ = #list
        local strong = match(name:lower(), "(^|_)[a-z]{0,2}sleep(_ticks|_ms|_us|_for|_until|_ns|_range)?$") ~= nil or match(name:lower(), "task_?delay|thread_?(sleep|delay|yield|suspend)|task_?yield") ~= nil
        local is_wait = false
        for _, w in ipairs(waits) do is_wait = is_wait or w.name == name end
        if (strong or is_wait) then sleeps[#sleeps + 1] = { name = name, calls = f.calls }
        elseif has_word(name, set "wait") and words_ <= 3 then maybe_sleeps[#maybe_sleeps + 1] = { name = name, calls = f.calls } end
    end
end
for _, w in ipairs(waits) do
    local there = false
    for _, item in ipairs(sleeps) do there = there or item.name == w.name end
    if not there then sleeps[#sleeps + 1] = { name = w.name, calls = w.calls } end
end
put_list("blocks", sleeps, "sleep or wait, by their names", 25)
table.sort(maybe_sleeps, by_calls)
do
    local names = {}
    for i, item in ipairs(maybe_sleeps) do
        if i <= 8 then names[#names + 1] = item.name end
    end
    if #names > 0 then put_doubtful("Doubtful: waits, perhaps without sleeping", "blocks " .. names_text(names)) end
end

-- the summary --------------------------------------------------------------------------
local summary = {}
local function say(text) summary[#summary + 1] = text end
say(string.format("presets         %s", presets_used ~= "" and presets_used or "none"))
say(string.format("lock functions  %d in %s", lock_count, plural(#shown_rows, "row")))
local shown_names = {}
for i, row in ipairs(shown_rows) do
    local pair = row.entries[1].pair
    if i <= 40 and #shown_names < 4 and row.entries[1].role ~= "try" then
        local text = pair.acquire .. "/" .. pair.release
        local there = false
        for _, other in ipairs(shown_names) do there = there or other == text end
        if not there and #table.concat(shown_names, ", ") + #text < 58 then shown_names[#shown_names + 1] = text end
    end
end
if #shown_names > 0 then say("                " .. table.concat(shown_names, ", ")) end
say(string.format("registrations   %d", registers_sure))
say(string.format("in all          %s active, %d commented out as doubtful", plural(active, "declaration"), commented))

result { text = table.concat(lines, "\n") .. "\n", summary = table.concat(summary, "\n") .. "\n", rows = active, doubtful = commented }
