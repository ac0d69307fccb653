/*
 * The slides' most surprising error. FindHandle is entered with scsiLock and takes handleArrayLock; Validate lets
 * scsiLock go while it sleeps, with handleArrayLock still held, and takes it again: the other way round.
 */
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
		CpuSched_Wait(&adapter->openInProgress, CPUSCHED_WAIT_SCSI, &scsiLock); /* SLEEP */
		SP_Lock(&scsiLock); /* DEADLOCK@a */
	}
	return adapter->refCount;
}

/* Entered holding scsiLock */
static int FindHandle(int handleID)
{
	int result;
	SP_IRQL prevIRQL = SP_LockIRQ(&handleArrayLock, SP_IRQL_KERNEL); /* DEADLOCK@a */
	result = Validate(&handles[handleID]);
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
