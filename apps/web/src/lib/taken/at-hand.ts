import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import * as store from './store.ts'

/** What was kept of an address, for whoever was signed in here last; undefined without it. */
export const keptAnswer = async (address: string): Promise<unknown> => {
  const { keptFor } = preferences.read()
  if (keptFor === null) return undefined
  return store.answerAt(keptFor, address).catch(() => undefined)
}

/** The records of a dataset that are on this device, for whoever was signed in here last. */
export const recordsAtHand = async (datasetId: string): Promise<readonly AnnotationRecord[]> => {
  const { keptFor } = preferences.read()
  return keptFor === null ? [] : store.takenRecords(keptFor, datasetId).catch(() => [])
}

/** A picture of the server's that is on this device, for whoever was signed in here last. */
export const fileAtHand = async (path: string): Promise<Blob | undefined> => {
  const { keptFor } = preferences.read()
  return keptFor === null ? undefined : store.fileAt(keptFor, path).catch(() => undefined)
}
