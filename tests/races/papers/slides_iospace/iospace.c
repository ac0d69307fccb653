/*
 * The slides' illustrative race: four variables, two of them modified, in one stretch of code without a lock, behind a
 * critical section of the caller. papers.sh also looks at how the finding counts them.
 */
typedef struct { int value; } SP_SpinLock;
typedef struct { int enabledPassthroughPorts; unsigned enabledPassthroughWords; int resumeCount; } IOSpace;

SP_SpinLock logLock;
SP_SpinLock ioSpaceLock;
IOSpace *theIOSpace;
int *logLevelPtr;
int _loglevel_offset_vmm;
int portsEnabled;
extern void Log(const char *format, ...);
#define TRUE 1
#define LOG(level, arguments) do { if (logLevelPtr[_loglevel_offset_vmm] >= (level)) Log arguments; } while (0)

void Log_SetTable(int *table) { SP_Lock(&logLock); logLevelPtr = table; SP_Unlock(&logLock); }
void Log_Reset(void) { SP_Lock(&logLock); logLevelPtr = 0; SP_Unlock(&logLock); }
void Log_SetOffset(int offset) { SP_Lock(&logLock); _loglevel_offset_vmm = offset; SP_Unlock(&logLock); }
void Log_NextOffset(void) { SP_Lock(&logLock); _loglevel_offset_vmm++; SP_Unlock(&logLock); }
void Log_FirstOffset(void) { SP_Lock(&logLock); _loglevel_offset_vmm = 0; SP_Unlock(&logLock); }
int Log_HasTable(void) { int is; SP_Lock(&logLock); is = logLevelPtr != 0; SP_Unlock(&logLock); return is; }
int Log_Offset(void) { int at; SP_Lock(&logLock); at = _loglevel_offset_vmm; SP_Unlock(&logLock); return at; }
int Log_Level(void) { int level; SP_Lock(&logLock); level = logLevelPtr[_loglevel_offset_vmm]; SP_Unlock(&logLock); return level; }

void IOSpace_Disable(void) { SP_Lock(&ioSpaceLock); theIOSpace->enabledPassthroughPorts = 0; SP_Unlock(&ioSpaceLock); }
int IOSpace_IsEnabled(void) { int is; SP_Lock(&ioSpaceLock); is = theIOSpace->enabledPassthroughPorts; SP_Unlock(&ioSpaceLock); return is; }
void IOSpace_Toggle(void) { SP_Lock(&ioSpaceLock); theIOSpace->enabledPassthroughPorts ^= 1; SP_Unlock(&ioSpaceLock); }
void IOSpace_Restore(int ports) { SP_Lock(&ioSpaceLock); theIOSpace->enabledPassthroughPorts = ports; SP_Unlock(&ioSpaceLock); }
void IOSpace_ClearWords(void) { SP_Lock(&ioSpaceLock); theIOSpace->enabledPassthroughWords = 0; SP_Unlock(&ioSpaceLock); }
void IOSpace_ClearWord(int word) { SP_Lock(&ioSpaceLock); theIOSpace->enabledPassthroughWords &= ~(1u << word); SP_Unlock(&ioSpaceLock); }
unsigned IOSpace_Words(void) { unsigned w; SP_Lock(&ioSpaceLock); w = theIOSpace->enabledPassthroughWords; SP_Unlock(&ioSpaceLock); return w; }
int IOSpace_HasWords(void) { int is; SP_Lock(&ioSpaceLock); is = theIOSpace->enabledPassthroughWords != 0; SP_Unlock(&ioSpaceLock); return is; }

static void IOSpaceEnablePassthrough(int port, int word)
{
	LOG(2, ("IOSpaceEnablePassthrough 0x%x count=%d\n", port, theIOSpace->resumeCount)); /* RACE@a */
	theIOSpace->enabledPassthroughPorts = TRUE; /* RACE@a */
	theIOSpace->enabledPassthroughWords |= (1 << word); /* RACE@a */
}

void IOSpace_Enable(int port)
{
	SP_Lock(&ioSpaceLock);
	portsEnabled++;
	SP_Unlock(&ioSpaceLock);
	IOSpaceEnablePassthrough(port, port / 32);
}
