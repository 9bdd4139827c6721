import type { FieldKind } from '@postil/contract/field-types/define.ts'
import { useEffect, useMemo, useState } from 'react'
import { fieldCreation } from './creation.ts'

/** Loads what faults of fields of these kinds are found with. What cannot be loaded finds none. */
const prepareAll = (kinds: readonly FieldKind[]): Promise<unknown> =>
  Promise.allSettled(kinds.map((kind) => fieldCreation(kind).prepare?.()))

/**
 * Has what faults of fields of these kinds are found with, and draws again when it is there.
 * @returns whether it is, and what can be awaited for it
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
