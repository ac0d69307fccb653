-- The system opens a file before it closes it, and does neither twice at once; other files are other files.
annotate(function()
    never_parallel("file_open", "file_close", { arg = 1 })
    never_parallel("file_open", "file_open", { arg = 1 })
    never_parallel("file_close", "file_close", { arg = 1 })
end)
