import { Problem, unavailable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { JobContext } from '#platform/jobs/kinds.ts'
import { sealedOf } from '#platform/jobs/operations.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'

/** The token that a job was started with, or null if there was none. @throws OutgoingFault when it can't be decrypted */
export const sealedToken = async ({ store, secrets }: JobContext, id: string): Promise<string | null> => {
  const sealed = await store.read(sealedOf, { id })
  if (sealed === null) return null
  const token = secrets.decrypt(sealed)
  if (token === null) throw new OutgoingFault(message('tokenSealedElsewhere'), false)
  return token
}

/** Turns a preparation error into a failed step or a later retry. */
export const orFailed = async <T>(work: Promise<T>): Promise<T | { readonly failed: Reason }> => {
  try {
    return await work
  } catch (error) {
    // The dataset was deleted, or a right to it was revoked
    if (error instanceof Problem && error.data.kind !== 'unavailable') return { failed: error.reason }
    if (!(error instanceof OutgoingFault)) throw error
    if (error.isPassing) throw unavailable(error.reason)
    return { failed: error.reason }
  }
}
