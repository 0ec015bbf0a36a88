/**
 * Raise it by one in a version whose gateways need something of billing or the catalog that an earlier version of these does
 * not know: a new message, or a new field that must not be ignored. A new gateway is ready only once no live replica of them
 * is of an earlier revision.
 */
export const messageRevision = 2;
