import type { KindNames } from '@postil/contract/wire/kinds.ts'
import { usePrepared } from '#lib/use-prepared.ts'
import { fieldCreation, fieldCreationOf } from './creation.ts'

/** Loads the checks for fields of these kinds. If a check can't be loaded, it reports no errors. */
const prepareAll = (kinds: string): Promise<unknown> =>
  Promise.allSettled(kinds === '' ? [] : kinds.split(' ').map((kind) => fieldCreation(kind as never).prepare?.()))

/**
 * Loads the checks for fields with these settings, and renders the component again when the checks are ready.
 * @returns whether the checks are ready, and a promise that resolves when they are
 */
export const useFieldChecks = (settings: readonly KindNames[]) => {
  const checked = settings.map(fieldCreationOf).filter(({ prepare }) => prepare !== null)
  return usePrepared([...new Set(checked.map(({ kind }) => kind))].join(' '), prepareAll)
}
