import type { FieldKind } from '@postil/contract/field-types/define.ts'
import { useEffect, useMemo, useState } from 'react'
import { fieldCreation } from './creation.ts'

/** Loads the checks for fields of these kinds. A check that can't be loaded reports no errors. */
const prepareAll = (kinds: readonly FieldKind[]): Promise<unknown> =>
  Promise.allSettled(kinds.map((kind) => fieldCreation(kind).prepare?.()))

/**
 * Loads the checks for fields of these kinds, and renders again when they are ready.
 * @returns whether they are ready, and a promise for it
 */
export const useFieldChecks = (kinds: readonly FieldKind[]) => {
  const wanted = [...new Set(kinds)].filter((kind) => fieldCreation(kind).prepare !== null).join(' ')
  const [ready, setReady] = useState('')
  const prepared = useMemo(() => prepareAll(wanted === '' ? [] : (wanted.split(' ') as FieldKind[])), [wanted])
  useEffect(() => {
    let isWanted = true
    void prepared.then(() => isWanted && setReady(wanted))
    return () => {
      isWanted = false
    }
  }, [prepared, wanted])
  return { isReady: ready === wanted, prepared }
}
