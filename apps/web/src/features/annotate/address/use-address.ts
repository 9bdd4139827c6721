import { useEffect, useRef } from 'react'

type Options = {
  /** The position of the current record in the list, or null if there is none. */
  readonly position: number | null
  /** The list. Another list starts at a position of its own. */
  readonly list: object
  /** The position in the URL. */
  readonly addressPosition: number
  /** @param isFirst whether the list has just shown its first record, which means that the user hasn't moved yet */
  readonly moveAddress: (position: number, isFirst: boolean) => void
  readonly moveRecord: (position: number) => void
}

/**
 * Keeps the URL and the current record in sync: the URL follows the record, and on back or forward the record follows the URL.
 */
export const useAddress = (options: Options): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  /** The list that has shown a record, and the positions that are not in the URL yet, because navigation takes a while. */
  const moves = useRef<{ readonly list: object | null; readonly pending: readonly number[] }>({ list: null, pending: [] })
  const { position, addressPosition, list } = options
  useEffect(() => {
    const { addressPosition: currentAddressPosition, moveAddress } = latest.current
    if (position === null) return
    const isFirst = moves.current.list !== list
    const pending = isFirst ? [] : moves.current.pending
    const target = pending.at(-1) ?? currentAddressPosition
    moves.current = { list, pending: position === target ? pending : [...pending, position] }
    if (position !== target) moveAddress(position, isFirst)
  }, [position, list])
  useEffect(() => {
    const { position: shown, moveRecord } = latest.current
    const at = moves.current.pending.indexOf(addressPosition)
    if (at >= 0) moves.current = { ...moves.current, pending: moves.current.pending.slice(at + 1) }
    else if (shown !== null && shown !== addressPosition) moveRecord(addressPosition)
  }, [addressPosition])
}
