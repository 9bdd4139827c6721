import type { Field } from '@postil/contract/fields.ts'
import { fieldSlice } from '#field-types/registry.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'

/** Loaded on demand, because most records have no long fields. */
export const LongField = lazyPart(() => import('./LongField.tsx').then((module) => ({ default: module.LongField })))

/** Loads all parts that the fields need, so that the first record doesn't change its layout. Rejects if the network fails. */
export const preloadFields = (fields: readonly Field[]): Promise<unknown> =>
  // The first and the last field are never truncated.
  Promise.all([fields.length > 2 && LongField.preload(), ...fields.map(({ settings }) => fieldSlice(settings).View.preload?.())])
