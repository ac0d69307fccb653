/* scsi/ with the wait before handleArrayLock is taken. */
typedef struct { int value; } SP_SpinLock;
typedef struct { int openInProgress; int refCount; } Adapter;
typedef struct { Adapter *adapter; int id; } Handle;

SP_SpinLock scsiLock;
SP_SpinLock handleArrayLock;
static Handle handles[64];

static int Validate(Handle *handle)
{
	Adapter *adapter = handle->adapter;
	ASSERT(SP_IsLocked(&scsiLock));
	while (adapter->openInProgress) {
		CpuSched_Wait(&adapter->openInProgress, CPUSCHED_WAIT_SCSI, &scsiLock); /* NOSLEEP */
		SP_Lock(&scsiLock); /* NODEADLOCK */
	}
	return adapter->refCount;
}

/* Entered holding scsiLock */
static int FindHandle(int handleID)
{
	int result = Validate(&handles[handleID]);
	SP_IRQL prevIRQL = SP_LockIRQ(&handleArrayLock, SP_IRQL_KERNEL); /* NODEADLOCK */
	handles[handleID].id = handleID;
	SP_UnlockIRQ(&handleArrayLock, prevIRQL);
	return result;
}

int SCSI_Command(int handleID)
{
	int result;
	SP_Lock(&scsiLock);
	result = FindHandle(handleID);
	SP_Unlock(&scsiLock);
	return result;
}
