-- The locks of a hypervisor.
lock { kind = "spin", arg = 1, acquire = "SP_Lock", release = "SP_Unlock", test = "SP_IsLocked" }
