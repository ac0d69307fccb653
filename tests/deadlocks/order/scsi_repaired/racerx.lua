-- The locks of a hypervisor.
lock { kind = "spin", arg = 1, acquire = "SP_Lock", release = "SP_Unlock", test = "SP_IsLocked" }
lock { kind = "spin", arg = 1, disables = "interrupts", acquire = "SP_LockIRQ", release = "SP_UnlockIRQ" }
lock { kind = "spin", arg = 3, wait = "CpuSched_Wait", retakes = false }
blocks "CpuSched_Wait"
asserts "ASSERT"
