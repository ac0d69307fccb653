-- Mutexes that their holder may take again; only the last unlock lets go.
lock { kind = "mutex", arg = 1, recursive = true, acquire = "monitor_enter", release = "monitor_exit" }
